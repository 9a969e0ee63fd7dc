"""What RNK209 and VOT402 say, and how gravely."""

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from caveat.rules.engine import Selection, not_run, run_rules

BUILD = runpy.run_path(str(Path(__file__).parent / "planted_drop.py"))
UNDER = BUILD["STYLE"]["under"]
row, flip, drop = BUILD["row"], BUILD["flip"], BUILD["drop"]


def only(found, code):
    (caveat,) = run_rules(found, Selection(select=[code]))
    return caveat


def test_the_claim_has_votes_shares_and_z_side_by_side(make):
    caveat = only(UNDER(make, BUILD["by_votes"](28)), "RNK209")
    assert caveat.claim == (
        "first place falls to B when at most 28 votes of 100,000 go (0.028% of the board; 0.07% of "
        "the 40,000 of A; z = 5.6), or when 50 are made up"
    )
    assert caveat.evidence["taken"] == ["40 of 60 wins of A over B"]
    assert caveat.evidence["boundaries"] == [
        {"boundary": 1, "above": "A", "below": "B", "votes": 28, "z": 5.6}
    ]


@pytest.mark.parametrize(
    ("number", "severity"),
    [(1, "serious"), (9, "serious"), (10, "warning"), (99, "warning"), (100, "notice")],
)
def test_fewer_votes_are_graver(make, number, severity):
    # 10 votes are 0.01% of the board, 100 are 0.1%
    assert only(UNDER(make, BUILD["by_votes"](number)), "RNK209").severity == severity


def test_a_lead_that_does_not_count_anyway_is_a_notice(make):
    found = UNDER(make, BUILD["by_votes"](1))
    weak = make.board(lead=make.lead(z=1.2, separable=False))
    assert only(replace(found, ranking=weak), "RNK209").severity == "notice"


def test_one_vote_reads_well(make):
    claim = only(UNDER(make, BUILD["by_votes"](1)), "RNK209").claim
    assert "when at most 1 vote of 100,000 goes (0.001% of the board" in claim


def test_another_model_for_made_up_votes_is_named(make):
    flips = (flip("votes", 28), flip("fabricated", 12, below="C"))
    claim = only(UNDER(make, drop(row(*flips))), "RNK209").claim
    assert claim.endswith("or when 12 are made up (for C)")


def test_a_board_that_falls_apart_is_told_apart(make):
    found = drop(row(flip("votes", 3, disconnects=True)))
    caveat = only(UNDER(make, found), "RNK209")
    assert caveat.claim.startswith("the board falls apart when at most 3 votes of 100,000 go")
    assert caveat.evidence["disconnects"] is True


@pytest.mark.parametrize("flips", [(), (flip("votes", None, votes=None, reason="nothing"),)])
def test_nothing_found_is_silent(make, flips):
    assert run_rules(UNDER(make, drop(row(*flips))), Selection(select=["RNK209"])) == ()


def test_no_boundary_asked_for_is_silent(make):
    found = UNDER(make, drop(row(flip("votes", 1), boundary=None)))
    assert run_rules(found, Selection(select=["RNK209", "VOT402"])) == ()


def test_few_voters(make):
    caveat = only(UNDER(make, BUILD["by_voters"](7)), "VOT402")
    assert caveat.claim == (
        "7 of 120 voters, with 9% of the votes, carry the first place: without them B stands above "
        "A"
    )
    assert caveat.severity == "warning"
    assert (caveat.evidence["z"], caveat.evidence["z_voters"]) == (5.6, 3.3)


def test_a_hundredth_of_the_voters_is_serious(make):
    caveat = only(UNDER(make, BUILD["by_voters"](1)), "VOT402")
    assert caveat.severity == "serious"
    assert "1 of 120 voters, with 9% of the votes, carries the first place: without it B" in (
        caveat.claim
    )


def test_a_handful_of_voters_in_all_is_silent(make):
    found = UNDER(make, BUILD["by_voters"](1, of=9))
    assert run_rules(found, Selection(select=["VOT402"])) == ()


def test_without_voters_the_check_says_why_it_did_not_run(make):
    found = UNDER(make, BUILD["by_votes"](28))
    (why,) = not_run(found, Selection(select=["VOT402"]))
    assert why.why == "the votes have no column voter"
    assert not_run(UNDER(make, BUILD["by_voters"](7)), Selection(select=["VOT402"])) == ()
