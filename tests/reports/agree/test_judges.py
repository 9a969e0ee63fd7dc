"""The section on judges of pairs."""

import json
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest
import vl_convert

from caveat.reports.agree.judges import section
from caveat.results.comparison.judges import JudgesOfPairs

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_judges.py"))
judge, judges, turned, prefers = (BUILD[n] for n in ("judge", "judges", "turned", "prefers"))


def made(*rows, **changes):
    part = judges(*rows, **changes)
    return section(SimpleNamespace(part={JudgesOfPairs: part}.get))


def test_no_section_without_judges():
    assert section(SimpleNamespace(part={}.get)) is None


def test_it_reads_like_a_referee():
    found = made(
        judge(own=prefers()),
        judge("n", kappa=0.1, order=turned(0.5, p=0.001), longer=prefers("longer")),
        reasons={"own": "nobody is named"},
    )
    assert found.sentences == (
        "m agrees best with the right verdicts: on 80.0% of 100 pairs (70.0% to 90.0%), kappa "
        "0.60.",
        "n agrees least: on 55.0% of 100 pairs (45.0% to 65.0%).",
        "1 judge of 2 is not surely better than chance.",
        "In both orders m gives the same verdict on 92.0% of 100 pairs (88.0% to 96.0%), n on "
        "50.0% (46.0% to 54.0%).",
        "Where verdicts turn with the order, 1 judge surely favours the answer shown first and 0 "
        "the second, each by itself.",
        "m gives answers of its own kind (m, m-2) 70.0% of the points, the right verdicts 50.0% on "
        "the same 60 pairs: a difference of 20.0 percentage points (10.0 to 30.0).",
        "n gives the longer answer 70.0% of the points, the right verdicts 50.0% on the same 60 "
        "pairs: a difference of 20.0 percentage points (10.0 to 30.0).",
        "Own kind untested: nobody is named.",
    )
    assert found.finding == (
        "m agrees best with the right verdicts: 80.0%; verdicts hold in both orders on 50.0% to "
        "92.0%"
    )


def test_people_alone():
    found = made(tests=(BUILD["OUTCOME"](wins=1),))
    assert len(found.tables) == 2
    assert found.plots == ()
    assert found.finding == "0 of 1 model may stand for people"
    assert made().finding == "judges could not be tested"


def test_tables_say_why_a_figure_is_missing():
    nan = float("nan")
    nothing = {"order": "one order", "longer": "no lengths", "gold": "no right verdicts"}
    row = judge(order=None, accuracy=nan, low=nan, high=nan, kappa=nan, reasons={"own": "4 pairs"})
    (table,) = made(row, reasons=nothing).tables
    (cells,) = table.rows
    assert [cells[k].title for k in (3, 7, 12, 13)] == [
        "no right verdicts",
        "one order",
        "4 pairs",
        "no lengths",
    ]


def test_the_plot_draws_and_follows_the_schema():
    altair = pytest.importorskip("altair")
    (plot,) = made(judge(), judge("n"), judge("o")).plots
    altair.Chart.from_dict(plot.spec, validate=True)
    assert "0.60" in vl_convert.vegalite_to_svg(plot.spec | {"width": 500})
    json.dumps(plot.spec, allow_nan=False)
    assert len(plot.table.rows) == 3


def test_no_plot_of_two():
    assert made(judge(), judge("n")).plots == ()
