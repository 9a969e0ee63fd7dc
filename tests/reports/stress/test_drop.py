"""The section on drop-a-few: words, tables and plot."""

import json
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest
import vl_convert

from caveat.reports.plots.drop_bars import drop_bars
from caveat.reports.stress.drop import section
from caveat.reports.tables.drop import drop_table, taken_table
from caveat.results.stress.drop import DropAFew, VotesTaken

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_drop.py"))
flip, row, drop = BUILD["flip"], BUILD["row"], BUILD["drop"]


def made(part):
    return section(SimpleNamespace(part={DropAFew: part}.get))


def full():
    """First place, a boundary below and a pair, with voters and prompts."""
    voters = flip("voters", 7, of=120, votes=9_000, below="C")
    prompts = flip("prompts", 2, of=80, votes=2_500, exact=True)
    first = row(
        flip("votes", 28), voters, prompts, flip("fabricated", 50), z_voters=3.3, z_prompts=2.1
    )
    second = row(
        flip("votes", 12, above="B", below="D"),
        flip("fabricated", 12, above="B", below="D"),
        boundary=2,
        above="B",
        below="D",
        z=1.1,
    )
    pair = row(
        flip("votes", 900, below="D"),
        flip("voters", 31, of=120, votes=30_000, below="D"),
        flip("fabricated", 800, below="D"),
        boundary=None,
        below="D",
        z=9.0,
    )
    return drop(first, second, pair, n_voters=120, n_prompts=80, unnamed_voters=4)


def test_a_board_without_the_test_has_no_section():
    assert section(SimpleNamespace(part={}.get)) is None


def test_it_reads_like_a_referee():
    found = made(full())
    assert found.name == "drop"
    assert found.codes == ("RNK209", "VOT402")
    assert found.finding == "First place falls to B without 28 votes (0.028%)"
    assert found.sentences == (
        "First place falls to B without 28 of 100,000 votes (0.028% of the board, 0.070% of the "
        "40,000 of A); A leads B by 14.0 points, z = 5.6 (3.3 with the votes of one voter "
        "together, 2.1 with the votes of one prompt together).",
        "What goes: 40 of 60 wins of A over B and 2 more kinds of votes.",
        "It also falls without 7 of 120 voters, who cast 9.0% of the votes (C is then above A).",
        "It also falls without 2 of 80 prompts, with 2.5% of the votes; all sets of fewer prompts "
        "were tried.",
        "50 made-up votes would do it: 40 wins of A over B and 2 more kinds of votes; if all are "
        "wins of B over A, 55.",
        "Of the boundaries below, that of the first 2 is the weakest: without 12 votes (0.012%) D "
        "stands above B (z = 1.1).",
        "A stands 14.0 points above D, z = 9.0; they turn round without 900 of 100,000 votes "
        "(0.90%), or without 31 of 120 voters, or with 800 made-up votes.",
        "All numbers are at most, if nothing else is said: each is confirmed by a refit, and fewer "
        "may do.",
    )


def test_a_board_that_falls_apart():
    found = made(drop(row(flip("votes", 3, disconnects=True), apart=3)))
    assert found.finding == ""
    assert found.sentences[0].startswith(
        "No removal that keeps the board together turns the first two round, but without 3 of "
        "100,000 votes (0.0030% of the board, 0.0075% of the 40,000 of A) it falls apart and A has "
        "no rating beside B any more"
    )
    (table, _) = found.tables
    assert table.rows[0][3].text == "3*"
    assert "* Only with votes without which the board falls apart." in table.note


def test_nothing_found_is_said():
    nothing = flip("votes", None, votes=None, reason="no removal does", kinds=(), n_kinds=0)
    found = made(drop(row(nothing)))
    assert found.sentences[0].startswith("No removal of votes was found")
    (table,) = found.tables
    assert (table.rows[0][3].text, table.rows[0][3].title) == ("\u2013", "no removal does")
    (plot,) = found.plots
    assert plot.note == "1 boundary has no bar: nothing was found."


def test_votes_that_tear_the_board_apart_earlier_are_told():
    found = made(drop(row(flip("votes", 28), apart=5)))
    assert "Without 5 votes already the two can no longer be compared." in found.sentences


def test_no_rows_no_table():
    found = made(drop())
    assert (found.sentences, found.tables, found.plots) == ((), (), ())


def test_the_table_has_votes_voters_shares_and_z_side_by_side():
    table = drop_table(full())
    assert [column.name for column in table.columns] == [
        *("First", "Above", "Below", "Votes", "Of the board", "Of its own", "Voters", "Prompts"),
        *("Made up", "Distance", "z", "z by voter", "z by prompt"),
    ]
    assert [cell.text for cell in table.rows[0]] == [
        *("1", "A", "B", "28", "0.028%", "0.070%", "7", "2", "50", "14.0", "5.6", "3.3", "2.1"),
    ]
    assert table.rows[0][6].title == "C over A; 9,000 votes, 9.0%"
    assert table.rows[2][0].text == "pair"
    assert table.note == (
        "Every number is confirmed by a refit; fewer may do. 4 votes without a voter stay in any "
        "case."
    )


def test_boards_without_voters_have_no_such_columns():
    table = drop_table(BUILD["by_votes"](28))
    assert "Voters" not in [column.name for column in table.columns]
    assert len(table.rows[0]) == len(table.columns)


def test_the_votes_that_decide():
    tie = VotesTaken(model="A", over="B", tie=True, number=3.0, of=None)
    table = taken_table([flip("votes", 28), flip("fabricated", 3, kinds=(tie,), n_kinds=1)])
    assert [[cell.text for cell in cells] for cells in table.rows] == [
        ["wins of A over B", "removed", "40", "60"],
        ["ties of A and B", "made up", "3", "\u2013"],
    ]
    assert table.note == "2 more kinds of votes removed."


def test_the_plot_draws_and_follows_the_schema():
    altair = pytest.importorskip("altair")
    plot = drop_bars(full())
    altair.Chart.from_dict(plot.spec, validate=True)
    svg = vl_convert.vegalite_to_svg(plot.spec | {"width": 500})
    assert svg.startswith("<svg")
    assert "made up" in svg
    json.dumps(plot.spec, allow_nan=False)
    bars = plot.spec["data"]["values"]
    assert [bar["votes"] for bar in bars] == [28, 12, 900]
    assert (bars[0]["name"], bars[0]["after"]) == ("first 1", "B over A")
    assert (bars[2]["name"], bars[2]["after"]) == ("pair 3", "D over A")
    assert bars[0]["shown"] == "28 (0.028%)"
    assert len(plot.table.rows) == 3
