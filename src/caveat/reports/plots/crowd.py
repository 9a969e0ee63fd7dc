"""Votes of models: how many help, and what a majority is worth."""

import math

from caveat.reports.numbers import between, percent, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.crowd import majority_table, points, share_words, votes_table
from caveat.results.comparison.crowd import Crowd

OBSERVED, PROMISED = "As it is", "If models erred independently"


def votes_plot(found: Crowd) -> Plot | None:
    """Return the accuracy of the vote over the number of voters; None without held-out items."""
    rows = [row for row in found.by_size if math.isfinite(row.accuracy)]
    if len(rows) < 2:
        return None
    words = (
        "How often the vote of the best so many models is right, who the best are being settled on "
        "other items than these; the line across is the best single model."
    )
    marks = [
        {
            "k": row.k,
            "accuracy": round(row.accuracy, 5),
            "low": row.low,
            "high": row.high,
            "single": round(rows[0].accuracy, 5),
            "shown": f"{percent(row.accuracy)} ({between(row.low, row.high, percent)})",
            "gain": f"{points(row.gain)} points ({between(row.gain_low, row.gain_high, points)})",
        }
        for row in rows
    ]
    spec = base(marks, words, marks=3 * len(marks)) | _votes_drawing(rows[-1].k)
    return Plot(
        name="crowd-votes",
        title="The vote of the best models",
        description=words,
        spec=spec,
        table=votes_table(found),
    )


def _votes_drawing(most: int) -> Spec:
    x = {
        "field": "k",
        "type": "quantitative",
        "title": "Voting models",
        "scale": {"type": "log" if most > 100 else "linear", "nice": False},
        "axis": {"tickMinStep": 1, "grid": False},
    }
    y = {
        "type": "quantitative",
        "scale": {"zero": False},
        "title": "Right",
        "axis": {"format": "~%"},
    }
    return {
        "width": "container",
        "autosize": FLUID,
        "height": 260,
        "layer": [
            {
                "mark": {"type": "area", "opacity": 0.18},
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "line", "strokeDash": [5, 4], "strokeWidth": 1.5, "opacity": 0.8},
                "encoding": {"x": x, "y": {**y, "field": "single"}},
            },
            {
                "mark": {"type": "line", "strokeWidth": 2, "point": True},
                "encoding": {
                    "x": x,
                    "y": {**y, "field": "accuracy"},
                    "tooltip": tips(
                        ("k", "Models"), ("shown", "Right"), ("gain", "Against the best alone")
                    ),
                },
            },
        ],
    }


def majority_plot(found: Crowd) -> Plot | None:
    """Return how often the winning answer is right by its share of the votes; None without any."""
    rows = [row for row in found.by_majority if math.isfinite(row.accuracy)]
    if len(rows) < 2:
        return None
    words = (
        "How often the answer that most models give is right, by the share of the models that give "
        "it, and what the same votes would promise if models erred independently."
    )
    marks: list[Spec] = []
    for row in rows:
        common = {"share": share_words(row), "items": whole(row.items)}
        marks.append(
            common
            | {
                "kind": OBSERVED,
                "right": round(row.accuracy, 5),
                "low": row.low,
                "high": row.high,
                "shown": f"{percent(row.accuracy)} ({between(row.low, row.high, percent)})",
            }
        )
        if math.isfinite(row.if_independent):
            marks.append(
                common
                | {
                    "kind": PROMISED,
                    "right": round(row.if_independent, 5),
                    "shown": percent(row.if_independent),
                }
            )
    spec = base(marks, words, marks=2 * len(marks)) | _majority_drawing()
    return Plot(
        name="crowd-majority",
        title="What a majority is worth",
        description=words,
        spec=spec,
        table=majority_table(found),
    )


def _majority_drawing() -> Spec:
    x = {"field": "share", "type": "ordinal", "sort": None, "title": "Share of the votes"}
    y = {
        "type": "quantitative",
        "title": "Right",
        "scale": {"domain": [0, 1]},
        "axis": {"format": "~%"},
    }
    kind = {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": [OBSERVED, PROMISED], "range": "category"},
        "legend": {"orient": "top", "title": None, "columns": 2},
    }
    return {
        "width": "container",
        "autosize": FLUID,
        "height": 260,
        "encoding": {"x": {**x, "axis": {"labelAngle": -30}}},
        "layer": [
            {
                "transform": [{"filter": f"datum.kind === '{OBSERVED}'"}],
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6},
                "encoding": {
                    "y": {**y, "field": "low"},
                    "y2": {"field": "high"},
                    "color": kind,
                },
            },
            {
                "mark": {"type": "line", "strokeWidth": 1.5, "point": {"filled": True, "size": 50}},
                "encoding": {
                    "y": {**y, "field": "right"},
                    "color": kind,
                    "tooltip": tips(
                        ("share", "Share of the votes"),
                        ("kind", ""),
                        ("shown", "Right"),
                        ("items", "Items"),
                    ),
                },
            },
        ],
    }
