"""Boards of several readings of the votes side by side."""

import math
from collections.abc import Sequence

from caveat.reports.numbers import between, counted, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.board import rank_range
from caveat.reports.tables.voters import side_by_side_table
from caveat.reports.visible import visible
from caveat.results.stress.voters import Reading

LINE = 9
DRAWN = 20
"""Models drawn, the best of the first reading."""
SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down")


def readings_plot(readings: Sequence[Reading]) -> Plot:
    """Return ratings and intervals of the best models under each reading.

    Parameters
    ----------
    readings : sequence of Reading
        At least one, with boards; at most as many as there are shapes are drawn.
    """
    shown = list(readings[: len(SHAPES)])
    rated = [model.model for model in shown[0].models if math.isfinite(model.rating)]
    drawn = rated[:DRAWN]
    words = (
        "Rating of each model with its interval under several readings of the same votes, best "
        f"first {shown[0].name}."
    )
    points = [point for name in drawn for one in shown for point in _points(one, name)]
    spec = base(points, words, marks=2 * len(points))
    spec |= {
        "width": "container",
        "autosize": FLUID,
        "height": max(len(drawn), 1) * (LINE * len(shown) + 6),
        "encoding": {
            "y": {"field": "model", "type": "nominal", "sort": None, "title": None},
            "yOffset": {
                "field": "reading",
                "type": "nominal",
                "sort": [visible(one.name) for one in shown],
            },
        },
        "layer": _layers(shown),
    }
    notes = [
        f"The best {DRAWN} of {counted(len(rated), 'rated model')} are drawn."
        if len(rated) > DRAWN
        else "",
        f"{counted(len(readings) - len(shown), 'reading')} not drawn."
        if len(readings) > len(shown)
        else "",
    ]
    note = " ".join(filter(None, notes))
    return Plot(
        name="voter-readings",
        title="Ratings under several readings of the votes",
        description=words,
        spec=spec,
        table=side_by_side_table(readings),
        note=f"{note} The table has them all." if note else "",
    )


def _points(reading: Reading, name: str) -> list[Spec]:
    return [
        {
            "model": visible(name),
            "reading": visible(reading.name),
            "rating": model.rating,
            "low": model.low if math.isfinite(model.low) else model.rating,
            "high": model.high if math.isfinite(model.high) else model.rating,
            "shown": whole(model.rating),
            "interval": between(model.low, model.high, whole),
            "ranks": rank_range(model),
        }
        for model in reading.models
        if model.model == name and math.isfinite(model.rating)
    ]


def _layers(shown: Sequence[Reading]) -> list[Spec]:
    names = [visible(one.name) for one in shown]
    rating = {"type": "quantitative", "scale": {"zero": False, "nice": True}, "title": "Rating"}
    shared = {"field": "reading", "type": "nominal", "title": None}
    legend = {"orient": "top", "symbolOpacity": 1, "columns": 2}
    colour = {**shared, "legend": legend, "scale": {"domain": names, "range": "category"}}
    shape = {
        **shared,
        "legend": legend,
        "scale": {"domain": names, "range": list(SHAPES[: len(names)])},
    }
    axis = {"orient": "top", "tickCount": 6}
    tooltip = tips(
        ("model", "Model"),
        ("reading", "Reading"),
        ("shown", "Rating"),
        ("interval", "Interval"),
        ("ranks", "Ranks"),
    )
    return [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5},
            "encoding": {
                "x": {**rating, "field": "low", "axis": axis},
                "x2": {"field": "high"},
                "color": colour,
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 34, "opacity": 1},
            "encoding": {
                "x": {**rating, "field": "rating"},
                "color": colour,
                "shape": shape,
                "tooltip": tooltip,
            },
        },
    ]
