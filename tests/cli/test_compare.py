"""`caveat compare`."""

import json

import pytest

import caveat


@pytest.fixture
def answers(tmp_path):
    """100 items; x gets all right, y the even ones; z answers nothing they do."""
    lines = ["benchmark,item,model,task,target,prediction"]
    for k in range(100):
        task = "math" if k < 50 else "law"
        lines += [f"quiz,{k},x,{task},A,A", f"quiz,{k},y,{task},A,{'AB'[k % 2]}"]
    lines.append("quiz,other,z,law,A,A")
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_text(run, answers):
    ran = run("compare", "x", "y", answers)
    assert ran.code == 0, ran.err
    assert "x is better than y (50.0 points on 100 common items" in ran.out
    assert "Differences by task" in ran.out


def test_json_is_what_python_returns(run, answers):
    made = json.loads(run("compare", "x", "y", answers, "--json").out)
    (one,) = made["comparisons"]
    assert one == caveat.compare("x", "y", answers)[0].to_dict()
    assert (one["benchmark"], one["a"], one["b"]) == ("quiz", "x", "y")
    # 50 items only x gets right, none only y: 2 x 0.5^50.
    assert one["test"]["p"] == pytest.approx(2 * 0.5**50)


@pytest.mark.parametrize(
    ("models", "why"),
    [
        (("x", "yy"), "no response is of model 'yy'; did you mean"),
        (("x", "x"), "must be two models, got 'x' twice"),
        (("x", "z"), "x and z both have"),
    ],
)
def test_misuse_is_told(run, answers, models, why):
    ran = run("compare", *models, answers)
    assert ran.code == 2
    assert why in ran.err
