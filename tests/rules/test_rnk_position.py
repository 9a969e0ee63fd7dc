"""What RNK215 says, and how gravely."""

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from caveat.rules.engine import Selection, run_rules

BUILD = runpy.run_path(str(Path(__file__).parent / "planted_position.py"))


@pytest.fixture
def said(make):
    def run(both=None, **changes):
        part = BUILD["position"](make, both=both, **changes)
        found = BUILD["STYLE"]["under"](make, part)
        return run_rules(found, Selection(select=["RNK215"]))

    return run


def test_an_advantage_without_pairs(said):
    (caveat,) = said()
    assert caveat.claim == (
        "the answer shown first gains 40 points (32 to 48); the one shown first wins 56% of 2,000 "
        "decisive votes"
    )
    assert (caveat.severity, caveat.subject) == ("notice", "position")
    assert caveat.evidence["both_orders"] is None


def test_the_second_may_be_preferred(said):
    (caveat,) = said(points=-40.0)
    assert caveat.claim.startswith("the answer shown second gains 40 points (32 to 48)")


def test_verdicts_that_turn_are_a_warning(make, said):
    (caveat,) = said(both=BUILD["pairs"](make, consistent=0.71), points=4.0)
    assert caveat.claim == (
        "the answer shown first gains 4 points (-4 to 12); the one shown first wins 56% of 2,000 "
        "decisive votes; of 1,000 pairs of verdicts on the same answers in both orders 29% turn "
        "with the order (the first wins both times in 60, the second in 20)"
    )
    assert caveat.severity == "warning"


def test_what_happens_to_the_lead(make, said):
    after = make.lead(z=1.2, separable=False)
    (caveat,) = said(after=after)
    assert caveat.claim.endswith("; with that allowed for the lead of A no longer counts (z = 1.2)")
    assert caveat.severity == "warning"
    change = BUILD["STYLE"]["change"](make, after=replace(after, leader="B", runner_up="A"))
    (caveat,) = said(both=BUILD["pairs"](make, change=change))
    assert caveat.claim.endswith("; with both orders averaged B comes first, not A")


@pytest.mark.parametrize("changes", [{"points": 9.0}, {"points": 30.0, "half": 31.0}])
def test_little_or_uncertain_is_silent(make, said, changes):
    assert said(**changes) == ()
    # the upper limit of the share decides: 79% + 2%
    assert said(both=BUILD["pairs"](make, consistent=0.79), **changes) == ()
