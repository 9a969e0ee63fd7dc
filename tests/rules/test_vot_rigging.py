"""VOT404: what it says, and how grave it is by what the board is without the voters."""

import runpy
from pathlib import Path

import pytest

from caveat.results.caveat import Severity
from caveat.results.parts import Untested
from caveat.results.report import Findings
from caveat.results.stress.rigging import WithoutFlagged
from caveat.results.stress.stress import Stress
from caveat.rules.engine import Selection, not_run, run_rules

BUILD = runpy.run_path(str(Path(__file__).with_name("planted_rigging.py")))
left, rigging, under, voter = (BUILD[name] for name in ("left", "rigging", "under", "voter"))


def raised(findings, **settings):
    return next(c for c in run_rules(findings, Selection(**settings)) if c.code == "VOT404")


def test_it_says_who_and_what_is_left(make):
    caveat = raised(under(make, rigging([voter()], without=left(make.lead()))))
    assert caveat.claim == (
        "1 of 100 voters, with 2.5% of the votes, votes unlike the others on the same pairs (v7 "
        "backs D in 39 of 40 votes, 30% expected); without them A stays first, with 0 models in "
        "or near the first 10 in another place"
    )
    assert caveat.severity is Severity.NOTICE
    assert caveat.evidence["voters"][0]["voter"] == "v7"
    assert caveat.evidence["first_changes"] is False


def test_a_move_among_the_first_is_a_warning(make):
    moved = left(make.lead(), order=(1, 3, 2, 4))
    caveat = raised(under(make, rigging([voter()], without=moved)))
    assert caveat.severity is Severity.WARNING
    assert [row["model"] for row in caveat.evidence["moved"]] == ["B", "C"]
    near = raised(under(make, rigging([voter()], without=moved)), thresholds={"VOT404": {"top": 1}})
    assert near.severity is Severity.NOTICE


def test_a_first_place_that_falls_or_is_no_longer_sure(make):
    from dataclasses import replace

    other = replace(make.lead(), leader="B", runner_up="A")
    falls = left(make.lead(), after=other, order=(2, 1, 3, 4))
    caveat = raised(under(make, rigging([voter()], without=falls)))
    assert caveat.severity is Severity.SERIOUS
    assert "without them B is first instead of A, with 2 models" in caveat.claim
    unsure = left(make.lead(), after=make.lead(z=1.2, separable=False))
    caveat = raised(under(make, rigging([voter()], without=unsure)))
    assert caveat.severity is Severity.WARNING
    assert "A still leads, but no longer surely" in caveat.claim


def test_without_them_no_board_may_be_left(make):
    gone = WithoutFlagged(n_votes=0, change=None, reason="nothing left")
    caveat = raised(under(make, rigging([voter()], without=gone)))
    assert caveat.severity is Severity.SERIOUS
    assert caveat.claim.endswith("without them no board is left")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pattern": "against"}, "v7 votes against D in 39 of 40 votes, 30% expected"),
        ({"pattern": "lifting"}, "v7 votes as lifts D in 39 of 40 votes"),
        (
            {"pattern": "guessing", "model": None, "n_following": 20, "expected": 0.7},
            "v7 sides with the majority in only 20 of 40 votes, 70% expected",
        ),
    ],
)
def test_other_patterns_in_words(make, changes, words):
    flagged = [voter(**changes), voter("v8", log10_e=4.0)]
    caveat = raised(under(make, rigging(flagged, without=left(make.lead()))))
    assert words in caveat.claim
    assert caveat.claim.startswith("2 of 100 voters, with 5% of the votes, vote unlike")


def test_voters_found_by_bursts_alone_are_not_described(make):
    only = voter(pattern=None, model=None, n_about=0, expected=float("nan"), found_by=("bursts",))
    caveat = raised(under(make, rigging([only], without=left(make.lead()))))
    assert "on the same pairs; without them" in caveat.claim


def test_fewer_voters_than_the_threshold_are_silent(make):
    part = rigging([voter()], without=left(make.lead()))
    caveats = run_rules(under(make, part), Selection(thresholds={"VOT404": {"voters": 2}}))
    assert not [c for c in caveats if c.code == "VOT404"]


def test_why_it_could_not_look(make):
    board = make.board()
    why = "voters named by the votes: needs at least 2, got 0"
    stress = Stress(board=board, untested=(Untested(part="rigging", why=why),))
    listed = not_run(Findings(ranking=board, stress=stress), Selection(select=["VOT404"]))
    assert [(one.check, one.why) for one in listed] == [("VOT404 votes that look rigged", why)]
