"""What RNK217 says, and how gravely."""

import runpy
from pathlib import Path

import pytest

from caveat.rules.engine import Selection, run_rules

BUILD = runpy.run_path(str(Path(__file__).parent / "planted_judging.py"))


@pytest.fixture
def said(make):
    def run(**changes):
        found = BUILD["STYLE"]["under"](make, BUILD["judging"](make, **changes))
        return run_rules(found, Selection(select=["RNK217"]))

    return run


def test_its_own_kind(said):
    (caveat,) = said(own=BUILD["own"]())
    assert caveat.claim == (
        "gpt-x gives its own kind (A and B) 88% of the points where human gives 60%, on the same "
        "216 comparisons"
    )
    assert (caveat.severity, caveat.subject) == ("warning", "judges")
    assert caveat.evidence["judges"][1]["own"]["how"] == "name"


def test_first_places_that_surely_differ(said):
    (caveat,) = said(order="BACD", tiers=(2, 1))
    assert caveat.claim == "A, first for human, is not in the first tier of gpt-x"
    assert caveat.severity == "warning"
    (caveat,) = said(order="BACD", tiers=(1, 3))
    assert caveat.claim == "B, first for gpt-x, is not in the first tier of human"


def test_position_length_and_agreement_are_notices(said):
    (caveat,) = said(position=BUILD["place"](-40.0), length=BUILD["length"](25.0), kappa=0.3)
    assert caveat.claim == (
        "judges favour one position: the second by 40 points (gpt-x); judges favour longer "
        "answers: 25 points for twice the chars (gpt-x); human and gpt-x agree on 70% of 800 "
        "comparisons (kappa 0.30)"
    )
    assert caveat.severity == "notice"


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"own": BUILD["own"](0.04, 0.01)},
        {"own": BUILD["own"](0.1, 0.11)},
        {"position": BUILD["place"](9.0)},
        {"position": BUILD["place"](40.0, 41.0)},
        {"length": BUILD["length"](25.0, 1.9)},
        {"kappa": 0.36},
        {"reason": "votes name no item"},
        {"models": (), "lead": None, "tiers": (None, None)},
        {"position": None, "length": None},
    ],
)
def test_little_uncertain_or_unknown_is_silent(said, changes):
    assert said(**changes) == ()
