"""What AGR310 says of pairs whose noise floor is that of other models."""

import runpy
from dataclasses import replace
from pathlib import Path

from caveat.rules.engine import Selection, run_rules

HERE = Path(__file__).parent
BUILD = runpy.run_path(str(HERE / "planted_noise.py"))
with_part = runpy.run_path(str(HERE / "planted_items.py"))["with_part"]


def claim(make, part):
    (found,) = run_rules(with_part(make, part), Selection(select=("AGR310",)))
    return found


def test_pairs_of_a_borrowed_floor_are_said_apart(make):
    found = claim(make, replace(BUILD["noise"](6, 8), borrowed=5, borrowed_within=4))
    assert "2 of 3 pairs of models within 5 points of score" in found.claim
    assert "no more than one model does with itself" in found.claim
    assert found.claim.endswith("; 4 of 5 others no more than the floor of other models")
    assert (found.evidence["matched_borrowed"], found.evidence["within_borrowed"]) == (5, 4)


def test_no_floor_of_their_own_is_not_one_model_with_itself(make):
    found = claim(make, replace(BUILD["noise"](6, 8), borrowed=8, borrowed_within=6))
    assert "6 of 8 pairs of models" in found.claim
    assert "no more than other models do with themselves" in found.claim


def test_known_floors_are_said_as_they_are(make):
    found = claim(make, BUILD["noise"](6, 8))
    assert found.claim.endswith("as far as these items tell")
    assert "6 of 8 pairs" in found.claim
