"""What RNK214 says, and how gravely."""

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from caveat.rules.engine import Selection, run_rules

BUILD = runpy.run_path(str(Path(__file__).parent / "planted_style.py"))


@pytest.fixture
def said(make):
    def run(**changes):
        found = BUILD["under"](make, BUILD["style"](make, **changes))
        (caveat,) = run_rules(found, Selection(select=["RNK214"]))
        return caveat

    return run


def test_a_lead_that_no_longer_counts(make, said):
    caveat = said(after=make.lead(z=1.2, separable=False))
    assert caveat.claim == (
        "A leads B as voted (z = 5.6), and at equal style no longer surely B (z = 1.2, 3.1 would "
        "be needed); an answer with twice the chars gains 40 points (z = 6.0)"
    )
    assert (caveat.severity, caveat.subject) == ("warning", "first place")


def test_another_first_place(make, said):
    after = replace(make.lead(z=2.0, separable=False), leader="B", runner_up="A")
    caveat = said(after=after)
    assert caveat.claim.startswith(
        "A is first as voted (z = 5.6), B at equal style (z = 2.0); an answer with twice the chars"
    )
    assert caveat.severity == "warning"
    assert caveat.evidence["lead_after"]["leader"] == "B"


def test_a_tier_alone_is_a_notice(said):
    caveat = said(first_tier_after=("A", "B"))
    assert caveat.claim.startswith(
        "at equal style the first tier is another: B joins it; an answer"
    )
    assert (caveat.severity, caveat.subject) == ("notice", "first tier")


def test_the_same_tier_or_a_style_that_nobody_minds_is_silent(make):
    for part in (
        BUILD["style"](make),
        BUILD["style"](make, z=1.9, first_tier_after=("A", "B")),
    ):
        found = BUILD["under"](make, part)
        assert run_rules(found, Selection(select=["RNK214"])) == ()
