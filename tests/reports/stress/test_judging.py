"""The section on judges."""

import json
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest
import vl_convert

from caveat.reports.stress.judging import section
from caveat.results.ranking import Lead
from caveat.results.stress.judging import Judging

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_judging.py"))


def lead(*, z=5.6, separable=True):
    return Lead(
        leader="A",
        runner_up="B",
        difference=14.0,
        se=14.0 / z,
        z=z,
        win_probability=0.52,
        separable=separable,
    )


MAKE = SimpleNamespace(lead=lead)


def made(**changes):
    part = BUILD["judging"](MAKE, **changes)
    return section(SimpleNamespace(part={Judging: part}.get))


def test_no_section_without_the_test():
    assert section(SimpleNamespace(part={}.get)) is None


def test_it_reads_like_a_referee():
    found = made(own=BUILD["own"](), position=BUILD["place"](-40.0), tiers=(2, 1))
    assert found.sentences == (
        "By its votes alone each judge puts first: human A (z = 5.6), gpt-x A (z = 5.6).",
        "human and gpt-x surely differ on the first place: the first model of one is outside the "
        "first tier of the other.",
        "human and gpt-x agree on 70.0% of 800 comparisons on 80 items: kappa 0.60 (0.55 to 0.65).",
        "gpt-x gives its own kind (A, B; by name) 88.0% of the points, human gives 60.0% on the "
        "same 216 comparisons: a difference of 28.0 percentage points (16.0 to 40.0).",
        "Points that going first is surely worth to a judge: gpt-x \u221240.0.",
        "Points for an answer with twice the chars: human 8.0 (z = 6.0), gpt-x 8.0 (z = 6.0).",
    )


def test_tables_say_why_a_figure_is_missing():
    found = made(
        reason="votes name no item",
        position=None,
        length=None,
        reasons=(("position", "order lost"), ("own", "none of its own models is on the board")),
    )
    judges, agreement = found.tables
    row = judges.rows[1]
    assert (row[5].text, row[5].title) == ("\u2013", "order lost")
    assert row[7].title == "none of its own models is on the board"
    assert agreement.rows[0][4].title == "votes name no item"
    assert "agree" not in " ".join(found.sentences)


def test_the_plot_draws_and_follows_the_schema():
    altair = pytest.importorskip("altair")
    (plot,) = made(order="BACD").plots
    altair.Chart.from_dict(plot.spec, validate=True)
    assert "gpt-x" in vl_convert.vegalite_to_svg(plot.spec | {"width": 500})
    json.dumps(plot.spec, allow_nan=False)
    assert [[cell.text for cell in row] for row in plot.table.rows][:2] == [
        ["A", "1 (1)", "2"],
        ["B", "2", "1 (1)"],
    ]


def test_no_plot_of_one_board():
    assert made(models=(), lead=None, tiers=(None, None)).plots == ()
