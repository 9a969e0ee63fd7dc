"""`caveat claim`."""

import json

import pytest


@pytest.fixture
def files(tmp_path):
    lines = ["benchmark,item,model,score"]
    for k in range(100):
        lines += [f"quiz,{k},x,1", f"quiz,{k},y,{k % 2}"]
    (tmp_path / "answers.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "claims.toml").write_text('claim = ["x beats y", "x scores at least 99.99%"]\n')
    (tmp_path / "wrong.toml").write_text('claim = ["y beats x"]\n')


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("claims.toml",), 0),
        (("claims.toml", "--fail-on", "undecided"), 1),
        (("wrong.toml",), 1),
        (("wrong.toml", "--fail-on", "none"), 0),
        (("absent.toml",), 2),
    ],
)
def test_exit_codes(run, arguments, code):
    name, *options = arguments
    assert run("claim", name, "answers.csv", *options).code == code


@pytest.mark.usefixtures("files")
def test_text(run):
    ran = run("claim", "claims.toml", "answers.csv")
    assert "supported: x beats y [quiz]" in ran.out
    assert "undecided: x scores at least 99.99% [quiz]" in ran.out
    assert "2 claims: 1 supported, 1 undecided (level 95%, all together)" in ran.out


@pytest.mark.usefixtures("files")
def test_a_claim_that_stands_worse_fails_the_run(run, tmp_path):
    assert run("claim", "claims.toml", "answers.csv", "--json", "old.json").code == 0
    same = run("claim", "claims.toml", "answers.csv", "--baseline", "old.json")
    assert same.code == 0
    assert "Nothing has changed since the baseline." in same.out
    text = (tmp_path / "answers.csv").read_text().replace(",y,0", ",y,1")
    (tmp_path / "new.csv").write_text(text)
    ran = run("claim", "claims.toml", "new.csv", "--baseline", "old.json")
    assert ran.code == 1
    assert "worse since the baseline: x beats y: supported, now undecided" in ran.out


@pytest.mark.usefixtures("files")
def test_json(run):
    made = json.loads(run("claim", "claims.toml", "answers.csv", "--json").out)
    first = made["claims"][0]
    assert (first["verdict"], first["kind"], first["a"], first["b"]) == (
        "supported",
        "beats",
        "x",
        "y",
    )
    assert made["counts"] == {"supported": 1, "contradicted": 0, "undecided": 1}
    assert made["changes"] is None
