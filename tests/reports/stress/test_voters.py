"""The section on voters: words, tables and plots."""

import json
import runpy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import vl_convert

from caveat.reports.plots.voter_readings import DRAWN, SHAPES, readings_plot
from caveat.reports.stress.voters import section
from caveat.reports.tables.voters import side_by_side_table
from caveat.results.stress.voters import VoterReadings
from caveat.stats.voters.manner import Manner
from caveat.stats.voters.synthetic import synthetic_arena
from caveat.stats.voters.voters import voter_readings

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_voters.py"))
voters, voice, cast, lead, population, compared, declared = (
    BUILD[name]
    for name in ("voters", "voice", "cast", "lead", "population", "compared", "declared")
)


def made(part):
    return section(SimpleNamespace(part={VoterReadings: part}.get))


def words(**changes):
    """Sentences about voters whose readings have no boards to draw."""
    part = voters(**changes)
    return made(replace(part, readings=tuple(replace(r, models=()) for r in part.readings)))


@pytest.fixture(scope="module")
def people():
    """150 synthetic voters, weighted to their country."""
    arena = synthetic_arena(150, n_models=5, missing=0.1, anonymous=0.1, seed=1)
    return voter_readings(
        arena.votes,
        arena.voters,
        {"country": arena.margins, "nowhere": [arena.margins[0]]},
        manner=Manner(replicates=99),
    )


def test_without_the_test_there_is_no_section():
    assert section(SimpleNamespace(part={}.get)) is None


def test_votes_without_voters_are_said_to_be_so():
    bare = voters(declared=(), populations=(), groups=(), readings=(cast(models=(), lead=None),))
    turnout = replace(bare.turnout, n_voters=0, n_anonymous=2400, anonymous_share=1.0)
    found = made(replace(bare, turnout=turnout))
    assert found.sentences == ("None of the 2,400 votes names its voter.",)
    assert found.finding == "No vote names its voter"
    assert found.tables == found.plots == ()


def test_voters_of_whom_nothing_is_declared():
    found = words(declared=(), populations=(), groups=())
    assert found.sentences[2] == (
        "No attribute of them is declared, so nobody can say whom the board speaks for."
    )
    assert words(declared=(), has_table=False).sentences[2].startswith("There is no table of them")


def test_it_reads_like_a_referee():
    changed = voice(
        p=0.004, first=("B", "C"), gone=("A",), joined=("B", "C"), lead=lead("B", "A"), tau=0.5
    )
    part = voters(readings=(cast(), changed), groups=(compared(p=0.01), compared("sex")))
    part = replace(part, turnout=replace(part.turnout, n_anonymous=240, anonymous_share=0.1))
    said = words(**{f: getattr(part, f) for f in ("readings", "groups", "turnout")}).sentences
    assert said == (
        "200 voters cast 12.0 votes each on average, half of them 10 or fewer (Gini 0.30); as many "
        "votes a head from 90 voters would tell as much.",
        "The busiest 10% of voters cast 30.0% of these votes.",
        "10.0% of all votes name no voter.",
        "Share of the votes behind which an attribute is declared: age 50.0%.",
        "Voters are post-stratified to country by age: 140 voters with weights of at most 1.5 "
        "times the mean are worth 117 (design effect 1.20); 60 are left out.",
        "Every vote counts once: A leads B by 14 points (z = 5.6, which counts: 3.1 is needed); "
        "the first tier holds 1 model.",
        "Every voter counts once: B leads A by 14 points (z = 5.6, which counts: 3.1 is needed); "
        "the first tier holds 2 models: A leaves and B, C join; ratings move (most surely that of "
        "C, by \u221212 points, p = 0.004).",
        "Groups by age rank differently (p = 0.010): B stands 80 points higher with old than with "
        "young (z = 4.0).",
        "Groups by sex do not rank differently beyond chance (p = 0.400).",
    )


def test_what_cannot_be_done_is_said():
    none = replace(compared(), reason="fewer than two groups of at least 10 voters")
    few = cast(models=(), lead=None, reason="too few")
    found = words(
        readings=(few,),
        groups=(none,),
        populations=(population(reason="no voter has the age old (60.0%)"),),
        skipped=(("essay", "140 different values: group them first"),),
    )
    assert found.sentences[3:] == (
        "essay is not taken for an attribute: 140 different values: group them first.",
        "Voters cannot be weighted to country: no voter has the age old (60.0%).",
        "Every vote counts once: there is no board (too few).",
        "Groups by age cannot be compared: fewer than two groups of at least 10 voters.",
    )


def test_tables_of_real_readings(people):
    found = made(people)
    readings, told, populations, tests, boards = found.tables
    assert [row[0].text for row in readings.rows][:3] == [
        "as cast",
        "named voters",
        "one voice each",
    ]
    assert [cell.text for cell in readings.rows[0]][8:] == ["\u2013"] * 4
    assert all(cell.title for cell in readings.rows[0][8:])
    assert {row[0].text for row in told.rows} == {"age", "sex", "region"}
    assert sum(float(row[3].text.rstrip("%")) for row in told.rows if row[0].text == "sex") == (
        pytest.approx(100, abs=0.2)
    )
    assert [row[0].text for row in populations.rows] == ["country", "nowhere"]
    assert len(tests.rows) == 3
    assert {row[0].text for row in boards.rows} <= {"age", "sex", "region"}
    assert found.finding.startswith("150 voters who declare age, sex, region; the first tier")
    assert found.codes == ("VOT401", "VOT403", "VOT405", "VOT406")


def test_the_plots_draw_and_follow_the_schema(people):
    altair = pytest.importorskip("altair")
    found = made(people)
    alone = made(replace(people, populations=()))
    plots = [*found.plots, *alone.plots[:1]]
    assert [plot.name for plot in plots] == [
        "voters-beside-1", "voters-beside-2", "voter-readings", "voters-by-attribute",
    ]  # fmt: skip
    for plot in plots:
        altair.Chart.from_dict(plot.spec, validate=True)
        assert vl_convert.vegalite_to_svg(plot.spec | {"width": 500}).startswith("<svg")
        json.dumps(plot.spec, allow_nan=False)
        assert plot.table.rows
    bars = plots[0].spec["data"]["values"]
    assert {bar["of"] for bar in bars} == {
        "voters", "votes", "population", "voters once weighted",
    }  # fmt: skip
    assert all("nan" not in json.dumps(bar) for bar in bars)


def test_a_population_out_of_reach_is_drawn_without_weights():
    arena = synthetic_arena(12, n_models=4, seed=3)
    part = voter_readings(
        arena.votes, arena.voters, {"country": arena.margins}, manner=Manner(replicates=99)
    )
    found = made(part)
    (beside, _) = found.plots
    assert {bar["of"] for bar in beside.spec["data"]["values"]} == {"voters", "votes", "population"}
    assert beside.table.rows[0][5].text == "\u2013"


def test_boards_side_by_side(people):
    boards = [reading for reading in people.readings if reading.models]
    table = side_by_side_table(boards)
    assert len(table.columns) == 1 + 2 * len(boards)
    assert [row[0].text for row in table.rows] == [m.model for m in boards[0].models]
    many = [replace(boards[0], name=f"reading {k}") for k in range(len(SHAPES) + 1)]
    plot = readings_plot(many)
    assert plot.note == "1 reading not drawn. The table has them all."
    assert len(plot.spec["data"]["values"]) == len(SHAPES) * 5


def test_a_long_board_is_cut_in_the_drawing():
    arena = synthetic_arena(60, n_models=DRAWN + 3, votes_per_voter=60, seed=1)
    part = voter_readings(arena.votes, manner=Manner(replicates=99))
    (plot,) = made(part).plots
    assert plot.note == f"The best {DRAWN} of 23 rated models are drawn. The table has them all."
    assert len(plot.table.rows) == DRAWN + 3
