"""What AGR325 to AGR327 say, and how gravely."""

import runpy
from pathlib import Path

import pytest

from caveat.rules.engine import Selection, run_rules

BUILD = runpy.run_path(str(Path(__file__).parent / "planted_judges.py"))
judge, judges, turned = BUILD["judge"], BUILD["judges"], BUILD["turned"]


@pytest.fixture
def said(make):
    def run(code, *rows, **changes):
        found = BUILD["with_part"](make, judges(*rows, **changes))
        return run_rules(found, Selection(select=[code]))

    return run


def test_order(said):
    (caveat,) = said("AGR325", judge(order=turned(0.6, first_share=0.9, p=0.001)), judge("n"))
    assert caveat.claim == (
        "the verdict of m depends on the order of the answers for 40% of 100 pairs of quiz, and "
        "goes to the answer shown first on 90% of these (1 of 2 judges turn surely)"
    )
    assert caveat.severity == "warning"
    assert [row["judge"] for row in caveat.evidence["judges"]] == ["m"]
    (caveat,) = said("AGR325", judge(order=turned(0.8)))
    assert caveat.severity == "notice"
    assert said("AGR325", judge(order=None)) == ()


def test_people(said):
    (caveat,) = said("AGR326", tests=(BUILD["OUTCOME"](wins=1),))
    assert caveat.claim == (
        "gpt-x does not pass for a person: it wins against 1 of 4 people, who fit each other "
        "better by 15.0 points (on quiz)"
    )
    assert caveat.severity == "warning"
    (caveat,) = said("AGR326", tests=(BUILD["OUTCOME"](wins=1, difference=0.02),))
    assert caveat.severity == "notice"


def test_chance(said):
    (caveat,) = said("AGR327", judge(kappa=-0.4), judge("n", kappa=0.5))
    assert caveat.claim == (
        "1 of 2 judges of quiz is not surely better than chance; m is right on 30% of 100 pairs "
        "(kappa -0.40, -0.55 to -0.25)"
    )
    assert caveat.severity == "notice"
    (caveat,) = said("AGR327", judge(kappa=-0.4))
    assert caveat.severity == "warning"
    assert said("AGR327", judge(kappa=-0.4, n=29)) == ()
