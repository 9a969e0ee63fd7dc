"""The section on rigging: words, tables and plots."""

import json
import runpy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import vl_convert

from caveat.reports.plots.rigging_power import rigging_power
from caveat.reports.stress.rigging import section
from caveat.reports.tables.rigging import flagged_table, gain_table
from caveat.results.ranking import Lead
from caveat.results.stress.rigging import Reach, Rigging, WithoutFlagged
from caveat.results.stress.rigging_simulation import GainPoint, PowerPoint, RiggingSimulation

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_rigging.py"))
burst, left, loyal, rigging, voter = (
    BUILD[name] for name in ("burst", "left", "loyal", "rigging", "voter")
)
LEAD = Lead(
    leader="A",
    runner_up="B",
    difference=14.0,
    se=2.5,
    z=5.6,
    win_probability=0.52,
    separable=True,
)


def made(*flagged, **changes):
    without = left(LEAD, order=(1, 3, 2, 4)) if flagged else None
    part = rigging(flagged, **{"without": without} | changes)
    return section(SimpleNamespace(part={Rigging: part}.get))


def test_a_board_without_voters_has_no_section():
    assert section(SimpleNamespace(part={}.get)) is None


def test_nobody_stands_out():
    found = made()
    assert found.sentences == (
        "90 of 100 voters cast at least 5 votes that can be compared and are tested; the other 10 "
        "cannot be.",
        "Nobody stands out.",
        "A voter who always backs one model and abstains elsewhere would be found with 80% power "
        "after about so many decisive votes: 35 for B (runner-up).",
    )
    assert found.tables == ()
    assert [plot.name for plot in found.plots] == ["voter-evidence"]


def test_it_reads_like_a_referee():
    said = made(voter(), n_cleared=2, n_unnamed=7, n_bursts=1, bursts=(burst(),)).sentences
    assert said[1] == "7 votes name no voter and count as the others' only."
    assert said[2:6] == (
        "1 voter with 2.5% of the votes does not vote as the others did on the same pairs; the "
        "false discovery rate of each test is 5.0%.",
        "Voter v7 backs D in 39 of 40 votes (e-value 10 to the 12.3; 30.0% would be expected).",
        "A taste of their own looks the same as rigging: look at what they saw and when.",
        "Beside them 2 more voters stood out who fit the others once they are left out.",
    )
    assert said[6] == (
        "1 voter casts the same vote again and again in a row, up to 14 times (in the order of "
        "the rows: the votes have no time)."
    )
    assert any(one.startswith("Without them, A leads B") for one in said)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pattern": "against"}, "votes against D in 39 of 40 votes"),
        ({"pattern": "lifting"}, "casts 39 of 40 votes where they lift D"),
        ({"pattern": "contrary"}, "sides with the majority in only 39 of 40 votes"),
        ({"pattern": "guessing"}, "votes as if by coin, with the majority in 39 of 40 votes"),
    ],
)
def test_patterns_in_words(changes, words):
    assert words in " ".join(made(voter(**changes)).sentences)


def test_what_could_not_be_looked_for_is_said():
    said = " ".join(
        made(
            order="none",
            order_reason="rows stand for several votes",
            within=("judge",),
            reach=(Reach(model="A", place="runner-up", power=0.8, n_votes=None),),
        ).sentences
    )
    assert "are tested, compared within judge;" in said
    assert "Bursts of equal votes are not looked for: rows stand for several votes." in said
    assert "Who always backs A would not be found here at all." in said


def test_no_board_without_them():
    gone = WithoutFlagged(n_votes=0, change=None, unrated=("A",), reason="no vote is left")
    found = made(voter(), without=gone)
    assert "Without them there is no board: no vote is left." in found.sentences
    assert len(found.plots) == 1
    some = replace(left(LEAD), unrated=("D",))
    assert "1 model loses its rating without them." in made(voter(), without=some).sentences


def test_tables():
    only = voter(
        "v8", pattern=None, model=None, n_about=0, share=float("nan"), found_by=("bursts",)
    )
    found = made(voter(), only, loyal=(loyal(),), n_loyal=1, bursts=(burst("v8"),), n_bursts=1)
    flagged, loyals, bursts = found.tables
    assert [cell.text for cell in flagged.rows[0]] == [
        "v7", "60", "50", "backs", "D", "39 of 40", "97.5%", "30.0%", "12.3", "history",
    ]  # fmt: skip
    assert flagged.rows[1][5].text == "\u2013"
    assert flagged.rows[1][5].title
    assert [cell.text for cell in loyals.rows[0]] == [
        "v7", "D", "40", "39", "97.5%", "30.0%", "< 0.001",
    ]  # fmt: skip
    assert [cell.text for cell in bursts.rows[0]] == [
        "v8", "A", "B", "tie", "14", "\u2013", "3.0%", "6.5",
    ]  # fmt: skip


def test_what_is_cut_is_counted():
    part = rigging([voter()], n_flagged=70)
    assert flagged_table(part).note == "69 more voters flagged and not listed."


def simulation():
    return RiggingSimulation(
        target="D",
        strategy="omnipresent",
        elsewhere="honest",
        sampling="board",
        accuracy=1.0,
        power=tuple(
            PowerPoint(
                votes=n,
                power=p,
                false_alarms=0.0,
                false_discoveries=0.0,
                n_rigging=20,
                n_honest=4000,
            )
            for n, p in ((10, 0.0), (50, 0.85), (200, 1.0))
        ),
        gain=(
            GainPoint(battles=0, votes=0, rank=4, points=0.0),
            GainPoint(battles=1000, votes=1000, rank=3, points=12.0),
        ),
        fdr=0.05,
        n_models=4,
        seed=0,
    )


def test_the_plots_draw_and_follow_the_schema():
    altair = pytest.importorskip("altair")
    plots = [*made(voter()).plots, rigging_power(simulation())]
    assert [plot.name for plot in plots] == ["voter-evidence", "rigging-change", "rigging-power"]
    for plot in plots:
        altair.Chart.from_dict(plot.spec, validate=True)
        assert vl_convert.vegalite_to_svg(plot.spec | {"width": 500}).startswith("<svg")
        json.dumps(plot.spec, allow_nan=False)
        assert plot.table.rows
    points = plots[0].spec["data"]["values"]
    assert [point["tone"] for point in points] == ["flagged", *["not flagged"] * 3]
    assert plots[0].note == "The oddest 4 of 90 are drawn."


def test_a_simulation_in_tables():
    table = gain_table(simulation())
    assert [cell.text for cell in table.rows[1]] == ["1,000", "1,000", "3", "12.0"]
    assert [cell.text for cell in rigging_power(simulation()).table.rows[1]] == [
        "50", "85.0%", "0.0%", "20", "4,000",
    ]  # fmt: skip
