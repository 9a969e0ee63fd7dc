"""The section on style: words, table and plot."""

import json
import runpy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import vl_convert

from caveat.reports.plots.board_change import DRAWN, board_change_plot
from caveat.reports.stress.style import section
from caveat.reports.tables.controls import controls_table
from caveat.results.ranking import Lead
from caveat.results.stress.style import Style

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_style.py"))


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


def found(**changes):
    part = BUILD["style"](MAKE, **changes)
    return SimpleNamespace(part={Style: part}.get)


def test_a_board_without_style_has_no_section():
    assert section(SimpleNamespace(part={}.get)) is None


def test_it_reads_like_a_referee():
    made = section(found(after=lead(z=1.2, separable=False), first_tier_after=("A", "B")))
    assert made.sentences == (
        "As voted, A leads B by 14 points (z = 5.6, which counts: 3.1 is needed).",
        "At equal style, A leads B by 14 points (z = 1.2, which does not count: 3.1 is needed).",
        "The first tier holds 1 model before and 2 after: B joins it.",
        "0 of 4 models are in another place (Kendall's tau 1.00).",
        "With the models equal, an answer with twice the chars gains 40.0 points (z = 6.0).",
        "These z count the votes of one item together (200 items).",
    )


def test_moves_are_named():
    made = section(found(order=(2, 1, 3, 4)))
    assert "2 of 4 models are in another place, most of all A (from 1 to 2), B (from 2 to 1)" in (
        " ".join(made.sentences)
    )


def test_the_table_of_coefficients():
    table = controls_table(found().part(Style).controls)
    assert [cell.text for cell in table.rows[0]] == [
        "chars", "0.50", "60.0", "40.0 to 80.0", "6.0", "40.0", "58.0%",
    ]  # fmt: skip
    assert table.note == ("2,400 votes. Errors count the votes of one item together (200 items).")


def test_the_plot_draws_and_follows_the_schema():
    altair = pytest.importorskip("altair")
    (plot,) = section(found(order=(2, 1, 3, 4))).plots
    altair.Chart.from_dict(plot.spec, validate=True)
    svg = vl_convert.vegalite_to_svg(plot.spec | {"width": 500})
    assert svg.startswith("<svg")
    assert "at equal style" in svg
    json.dumps(plot.spec, allow_nan=False)
    assert plot.spec["data"]["values"][0]["ranks"] == "1 \u2192 2"
    assert len(plot.table.rows) == 4


def test_a_long_board_is_cut_and_says_so():
    rows = tuple(BUILD["changed"](f"m{k}", k, k) for k in range(1, DRAWN + 11))
    change = BUILD["change"](MAKE)
    plot = board_change_plot(
        replace(change, models=rows), name="x", title="t", before="one", after="two"
    )
    assert len(plot.spec["data"]["values"]) == DRAWN
    assert plot.note == "The best 40 of 50 models are drawn. The table has them all."
    assert len(plot.table.rows) == DRAWN + 10
