"""What RNK210 and RNK211 say, and how gravely."""

import runpy
from pathlib import Path

import pytest

from caveat.results.caveat import Severity
from caveat.results.parts import Untested
from caveat.results.stress.stress import Stress
from caveat.rules.engine import Selection, not_run, run_rules

BUILD = runpy.run_path(str(Path(__file__).with_name("planted_systems.py")))
elo, systems, under = (BUILD[name] for name in ("elo", "systems", "under"))


@pytest.fixture
def said(make):
    def run(part, code, *, board=None, **limits):
        found = run_rules(
            under(make, part, **(board or {})),
            Selection(select=[code], thresholds={code: limits} if limits else {}),
        )
        return found[0] if found else None

    return run


def test_a_share_of_wins_that_puts_another_first_is_a_notice(said):
    caveat = said(systems({"win-rate": "BACD"}), "RNK210")
    assert caveat.claim == (
        "4 of 5 rating systems put A first, but Average win rate (blind to who met whom) puts B, "
        "which the board sets apart from it"
    )
    assert caveat.severity is Severity.NOTICE
    assert caveat.subject == "first place"
    assert caveat.evidence["first_places"][1] == {
        "model": "B",
        "methods": ["win-rate"],
        "in_first_tier": False,
    }


def test_a_system_that_depends_on_order_makes_a_notice(said):
    caveat = said(systems({"trueskill": "BACD"}), "RNK210")
    assert caveat.severity is Severity.NOTICE
    assert "TrueSkill (by the order of votes) puts B" in caveat.claim


def test_a_first_place_by_a_system_as_good_as_the_board_is_a_warning(said):
    caveat = said(systems({"eigenvector": "BACD", "trueskill": "BACD"}), "RNK210")
    assert caveat.severity is Severity.WARNING
    assert "but TrueSkill and Eigenvector put B, which the board sets apart" in caveat.claim


def test_a_first_place_within_the_first_tier_is_left_to_rnk201(said, make):
    tied = [make.rated(m, rank=k, tier=1) for k, m in enumerate("ABCD", start=1)]
    assert said(systems({"eigenvector": "BACD"}), "RNK210", board={"models": tied}) is None


def test_places_far_apart_are_told_without_another_first_place(said):
    caveat = said(systems({"eigenvector": "ADBC"}), "RNK210", places=2)
    assert caveat.claim == "D is place 2 by Eigenvector and place 4 by Bradley-Terry"
    assert caveat.subject == "board"
    # neither by a share of wins nor by one order of the votes
    assert said(systems({"win-rate": "ADBC"}), "RNK210", places=2) is None
    assert said(systems({"trueskill": "ADBC"}), "RNK210", places=2) is None
    assert said(systems({"eigenvector": "ADBC"}), "RNK210", places=2, span=0.75) is None


def test_elo_orders_are_counted(said):
    caveat = said(systems(orders_of_elo=elo(16, 9, 3, 2)), "RNK211")
    assert caveat.claim == (
        "Elo (K = 32) names 4 different first places over 30 orders of the same 2,400 votes: A in "
        "16, B in 9, C in 3 and 1 more; the board's own method gives one for all of them"
    )
    assert caveat.severity is Severity.NOTICE
    assert caveat.evidence["first"][0] == {"model": "A", "orders": 16}
    assert said(systems(orders_of_elo=elo(29, 1)), "RNK211", share=0.99) is not None


def test_a_board_that_depends_on_order_is_warned_of(said):
    caveat = said(systems(orders_of_elo=elo(16, 14)), "RNK211", board={"order_dependent": True})
    assert caveat.severity is Severity.WARNING
    assert "board" not in caveat.claim


def test_without_orders_there_is_nothing_to_say(said):
    from dataclasses import replace

    assert said(replace(systems(), elo=None), "RNK211") is None


def test_what_could_not_run_is_listed_with_its_reason(make):
    board = make.board()
    stress = Stress(board=board, untested=(Untested(part="systems", why="no two models"),))
    skipped = not_run(make.findings(ranking=board, stress=stress), Selection(select=["RNK210"]))
    assert [one.why for one in skipped] == ["no two models"]
