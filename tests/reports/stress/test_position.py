"""The section on position."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest
import vl_convert

from caveat.reports.stress.position import section
from caveat.results.ranking import Lead
from caveat.results.stress.position import FirstShown

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_position.py"))


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


def made(both=None, **changes):
    part = BUILD["position"](MAKE, both=both, **changes)
    return section(SimpleNamespace(part={FirstShown: part}.get))


def test_no_section_without_the_test():
    assert section(SimpleNamespace(part={}.get)) is None


def test_without_pairs_it_says_why():
    found = made()
    assert found.sentences[:2] == (
        "The answer shown first is worth 40.0 points (32.0 to 48.0, the votes of one item counted "
        "together (200 items)): it wins 56.0% of decisive votes between equals, and 56.0% of the "
        "2,000 there are.",
        "Nothing is known of the same answers in both orders: votes name no item.",
    )
    assert found.sentences[3].startswith("With position allowed for, A leads B")
    assert found.tables == ()


def test_with_pairs_the_averaged_board_is_shown():
    change = BUILD["STYLE"]["change"](MAKE, order=(2, 1, 3, 4))
    found = made(BUILD["pairs"](MAKE, consistent=0.71, change=change))
    text = " ".join(found.sentences)
    assert (
        "Of 1,000 pairs of verdicts on the same answers in both orders, 71.0% agree (69.0% to "
        "73.0%); whatever was shown first won both times in 60, whatever was shown second in 20 "
        "(exact sign test of all that turn: p < 0.001)."
    ) in text
    assert "going first is worth 95.0 points (60.0 to 130.0) where a judge is in doubt" in text
    assert "With both orders averaged, A leads B" in text
    (table,) = found.tables
    assert [row[1].text for row in table.rows] == ["639", "71", "60", "20", "10", "10"]


def test_the_plot_draws():
    altair = pytest.importorskip("altair")
    (plot,) = made().plots
    altair.Chart.from_dict(plot.spec, validate=True)
    assert "position allowed for" in vl_convert.vegalite_to_svg(plot.spec | {"width": 500})
