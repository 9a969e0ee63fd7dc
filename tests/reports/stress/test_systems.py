"""The section on rating systems: words, tables and bump chart."""

import json
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest
import vl_convert

from caveat.reports.plots.systems_bump import LEADER, MAX_MODELS, OTHER, RIVAL, systems_bump
from caveat.reports.stress.systems import section
from caveat.reports.tables.systems import systems_table
from caveat.results.stress.systems import SkippedSystem, SystemsDisagree

BUILD = runpy.run_path(str(Path(__file__).parents[2] / "rules" / "planted_systems.py"))
elo, systems = BUILD["elo"], BUILD["systems"]


def found(part):
    board = SimpleNamespace(n_votes=2400)
    return SimpleNamespace(part={SystemsDisagree: part}.get, board=board)


def drawing(spec):
    return vl_convert.vegalite_to_svg(spec | {"width": 500})


def test_without_the_test_there_is_no_section():
    assert section(SimpleNamespace(part={}.get)) is None


def test_agreement_is_said_plainly():
    made = section(found(systems()))
    assert made.sentences == (
        "All 5 rating systems put A first.",
        "The order closest to the board's is that of Davidson (Kendall's tau 1.00), the farthest "
        "that of Average win rate (1.00).",
        "Average win rate does not allow for whom a model met and how often; where models did not "
        "meet alike, its order says as much about opponents as about models.",
        "Elo (K = 32) puts A first in each of 30 random orders of the votes; one order moves a "
        "rating by 35.0 points (standard deviation).",
    )
    assert [table.caption for table in made.tables][2].startswith("First by Elo (K = 32)")


def test_it_says_who_is_first_elsewhere():
    part = systems({"win-rate": "BACD"}, orders_of_elo=elo(20, 10))
    words = " ".join(section(found(part)).sentences)
    assert "5 rating systems put 2 models first: A by 4 of them; B by Average win rate." in words
    assert (
        "widest span is that of A: place 1 by Bradley-Terry, place 2 by Average win rate" in words
    )
    assert "names 2 different first places over 30 random orders of the same 2,400 votes" in words
    assert "most often A (66.7%)" in words


def test_the_table_names_what_was_left_out():
    from dataclasses import replace

    skipped = (SkippedSystem(method="elo", title="Elo in vote order", why="no times"),)
    table = systems_table(replace(systems(), skipped=skipped))
    assert table.note == "Elo in vote order left out: no times."
    assert [cell.text for cell in table.rows[0][:4]] == ["Bradley-Terry", "A", "B", "1.00"]


def test_the_bump_chart_draws_and_follows_the_schema():
    altair = pytest.importorskip("altair")
    plot = systems_bump(systems({"win-rate": "BACD"}))
    altair.Chart.from_dict(plot.spec, validate=True)
    json.dumps(plot.spec, allow_nan=False)
    assert "Average win rate" in drawing(plot.spec)
    points = plot.spec["data"]["values"]
    assert len(points) == 5 * 4
    tone = {point["model"]: point["tone"] for point in points}
    assert tone == {"A": LEADER, "B": RIVAL, "C": OTHER, "D": OTHER}
    # what stands out is drawn last
    assert points[0]["tone"] == OTHER
    assert points[-1]["tone"] != OTHER


def test_a_long_board_draws_its_best_and_every_first_place():
    from dataclasses import replace

    from caveat.results.stress.systems import FirstPlace, RankSpan

    names = [f"m{k}" for k in range(40)]
    base = systems()
    methods = [one.method for one in base.systems]
    spans = tuple(
        RankSpan(model=m, board=k, low=k, high=k, ranks=tuple((n, k) for n in methods))
        for k, m in enumerate(names, start=1)
    )
    firsts = (
        FirstPlace(model="m0", methods=tuple(methods[:-1])),
        FirstPlace(model="m39", methods=(methods[-1],)),
    )
    plot = systems_bump(replace(base, spans=spans, first_places=firsts))
    drawn = {point["model"] for point in plot.spec["data"]["values"]}
    assert drawn == {*names[:MAX_MODELS], "m39"}
    assert plot.note == "24 models further down not drawn."
    drawing(plot.spec)
