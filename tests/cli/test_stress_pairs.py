"""`caveat stress --pair`."""

import json

import pytest


@pytest.fixture
def votes(tmp_path):
    rows = ["model_a,model_b,winner,count", "x,y,a,30", "x,y,b,20", "y,z,a,30", "y,z,b,20"]
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def test_pairs_come_after_the_boundaries(run, votes):
    ran = run(
        "stress", votes, "--pair", "z", "x", "--pair", "y", "x", "--boundaries", "1", "--json"
    )
    assert ran.code == 0, ran.err
    made = json.loads(ran.out)
    assert [(row["boundary"], row["above"], row["below"]) for row in made["drop"]] == [
        (1, "x", "y"),
        (None, "x", "z"),
        (None, "x", "y"),
    ]
    assert made["settings"]["boundaries"] == 1
    assert made["settings"]["pairs"] == [["z", "x"], ["y", "x"]]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--pair", "x", "w"), "pair must name two rated models, got 'w': no vote names it"),
        (("--pair", "x", "x"), "pair must name two models, got 'x' twice"),
        (("--boundaries", "-1"), "--boundaries must be at least 0, got -1"),
    ],
)
def test_misuse_is_told(run, votes, arguments, why):
    ran = run("stress", votes, *arguments)
    assert ran.code == 2
    assert why in ran.err
