"""Drop-a-few from votes to `caveat stress`."""

import json

import pytest

import caveat
from caveat.errors import InputError
from caveat.results.stress.drop import DropAFew
from caveat.workflows.options import Options

VOTES = {
    "model_a": ["x"] * 50 + ["y"] * 50,
    "model_b": ["y"] * 50 + ["z"] * 50,
    "winner": (["a"] * 30 + ["b"] * 20) * 2,
}


def test_it_is_the_first_test_of_a_board():
    found = caveat.stress(VOTES)
    part = found.part(DropAFew)
    assert found.parts[0] is part
    assert [row.boundary for row in part.rows] == [1, 2]
    made = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert made["drop"][0]["votes"] == 11
    assert made["drop"][0]["voters"] is None
    assert made["drop_of"]["reasons"]["voters"] == "the votes have no column voter"


def test_pairs_and_boundaries_are_options():
    options = Options(pairs=(("z", "x"),), boundaries=0)
    (row,) = caveat.stress(VOTES, options=options).part(DropAFew).rows
    assert (row.boundary, row.above, row.below) == (None, "x", "z")


def test_a_wrong_pair_is_misuse_and_no_finding():
    with pytest.raises(InputError, match="pair must name two rated models, got 'w'"):
        caveat.stress(VOTES, options=Options(pairs=(("x", "w"),)))


def test_a_board_without_two_rated_models_says_so():
    found = caveat.stress({"model_a": ["x"], "model_b": ["y"], "winner": ["a"]})
    assert found.part(DropAFew) is None
    assert ("drop", "no two models are rated") in [(u.part, u.why) for u in found.untested]
