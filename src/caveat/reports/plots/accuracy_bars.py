"""Accuracy bars: scores with their intervals, best first."""

import math

from caveat.reports.numbers import between, counted, percent, whole
from caveat.reports.plots.plot import FLUID, MAX_ROWS, Plot, Spec, base, tips
from caveat.reports.tables.scores import scores_table
from caveat.reports.visible import visible
from caveat.results.agreement import ModelScore, Scores

ROW = 22


def accuracy_bars(scores: Scores, *, name: str) -> Plot:
    """Return one bar per scored model, from zero, with the interval over its end."""
    scored = [model for model in scores.models if math.isfinite(model.overall.score)]
    drawn = scored[:MAX_ROWS]
    level = percent(scores.level).replace(".0", "")
    words = f"Share of items each model got right, with {level} intervals, best first."
    spec = base([_row(model) for model in drawn], words, marks=4 * len(drawn))
    spec |= {
        "width": "container",
        "autosize": FLUID,
        "height": ROW * max(len(drawn), 1),
        "encoding": {"y": {"field": "model", "type": "nominal", "sort": None, "title": None}},
        "layer": _layers(unit=all(0 <= m.overall.score <= 1 for m in drawn)),
    }
    left_out = len(scores.models) - len(drawn)
    return Plot(
        name=name,
        title="Scores and intervals",
        description=words,
        spec=spec,
        table=scores_table(scores),
        note=f"{counted(left_out, 'model')} not drawn; the table has them all." if left_out else "",
        n_rows=len(drawn),
    )


def _row(model: ModelScore) -> Spec:
    overall = model.overall
    return {
        "model": visible(model.model),
        "score": overall.score,
        "low": overall.low if math.isfinite(overall.low) else overall.score,
        "high": overall.high if math.isfinite(overall.high) else overall.score,
        "shown": percent(overall.score),
        "interval": between(overall.low, overall.high, percent),
        "n": whole(overall.n),
    }


def _layers(*, unit: bool) -> list[Spec]:
    scale = {"domain": [0, 1]} if unit else {"zero": True}
    axis = {"orient": "top", "format": ".0%", "tickCount": 5}
    score = {
        "field": "score",
        "type": "quantitative",
        "scale": scale,
        "axis": axis,
        "title": "Score",
    }
    tooltip = tips(
        ("model", "Model"), ("shown", "Score"), ("interval", "Interval"), ("n", "Items scored")
    )
    return [
        {
            "mark": {"type": "bar", "height": {"band": 0.62}, "opacity": 0.42},
            "encoding": {"x": score},
        },
        {
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {"x": {**score, "field": "low"}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "text", "align": "right"},
            "encoding": {
                "x": {"value": {"expr": "width + 44"}},
                "text": {"field": "shown", "type": "nominal"},
            },
        },
        {
            "mark": {"type": "bar", "opacity": 0, "height": {"band": 1}, "cursor": "default"},
            "encoding": {
                "x": {"value": 0},
                "x2": {"value": {"expr": "width + 44"}},
                "tooltip": tooltip,
            },
        },
    ]
