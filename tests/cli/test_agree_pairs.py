"""`caveat agree` with names of models: `--pair`, `--same`."""

import json

import pytest


@pytest.fixture
def answers(tmp_path):
    """20 items: x gets 14 right, y 10, z all that x gets but four."""
    lines = ["benchmark,item,model,target,prediction"]
    for k in range(20):
        for model, right in (("x", k < 14), ("y", k >= 10), ("z", 4 <= k < 14)):
            lines.append(f"quiz,{k},{model},A,{'A' if right else 'B'}")
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_a_named_pair_is_turned_round(run, answers):
    made = json.loads(run("agree", answers, "--pair", "y", "z", "--json").out)
    assert made["settings"]["pairs"] == [["y", "z"]]
    rows = made["benchmarks"][0]["item_removal"]
    assert "y" in json.dumps(rows)


def test_one_model_under_two_names_makes_a_floor(run, answers):
    made = json.loads(run("agree", answers, "--same", "x", "z", "--json").out)
    noise = made["benchmarks"][0]["noise"]
    # x and z differ on items 0 to 3 of 20.
    assert noise["sources"][0]["disagree"] == pytest.approx(0.2)


@pytest.mark.parametrize("option", ["--same", "--pair"])
def test_a_name_that_is_not_there_is_refused(run, answers, option):
    ran = run("agree", answers, option, "x", "w")
    assert ran.code == 2
    assert "must name models of the responses, got 'w'" in ran.err
