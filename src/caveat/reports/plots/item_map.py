"""Item map: where the items are on the scale of difficulty, and where the models are."""

import math

from caveat.reports.numbers import between, percent, two, whole
from caveat.reports.plots.plot import FLUID, MAX_ROWS, Plot, Spec, base, tips
from caveat.reports.tables.items import abilities_table
from caveat.reports.visible import visible
from caveat.results.comparison.items import Items

STEP = 0.5
"""Width of a bar, in logits."""
ROW = 18


def item_map(found: Items) -> Plot | None:
    """Return models as rows over bars that count items; None without difficulties."""
    able = [row for row in found.abilities if math.isfinite(row.ability)]
    bars = _bars(found)
    if not able or not bars:
        return None
    drawn = able[:MAX_ROWS]
    words = (
        "Models by ability, over bars that count the items of each difficulty. A model has even "
        "odds on the items right under its point; items to its left it gets right more often than "
        "not. Where there are bars and no models, items tell little; where there are models and "
        "no bars, they are told apart badly."
    )
    rows = [
        {
            "model": visible(row.model),
            "ability": round(row.ability, 4),
            "low": round(row.low, 4),
            "high": round(row.high, 4),
            "shown": f"{two(row.ability)} ({between(row.low, row.high, two)})",
            "score": percent(row.score),
        }
        for row in drawn
    ]
    left = len(able) - len(drawn)
    return Plot(
        name="item-map",
        title="Item map",
        description=words,
        spec=base(rows, words, marks=len(rows) + len(bars)) | _drawing(bars, len(rows)),
        table=abilities_table(found),
        note=f"The {whole(len(drawn))} most able models are drawn, of {whole(len(able))}."
        if left
        else "",
        n_rows=len(rows),
    )


def _bars(found: Items) -> list[Spec]:
    counts: dict[int, int] = {}
    for value in found.columns.difficulty.tolist():
        if math.isfinite(value):
            place = math.floor(value / STEP)
            counts[place] = counts.get(place, 0) + 1
    return [
        {
            "from": place * STEP,
            "to": (place + 1) * STEP,
            "items": number,
            "range": f"{two(place * STEP)} to {two((place + 1) * STEP)}",
            "counted": whole(number),
        }
        for place, number in sorted(counts.items())
    ]


def _drawing(bars: list[Spec], n_rows: int) -> Spec:
    x = {"type": "quantitative", "title": "Difficulty and ability, in logits"}
    model = {"field": "model", "type": "nominal", "sort": None, "title": None}
    return {
        "width": "container",
        "autosize": FLUID,
        "height": max(ROW * n_rows, 160),
        "resolve": {"scale": {"y": "independent"}},
        "layer": [
            {
                "data": {"values": bars},
                "mark": {"type": "bar", "opacity": 0.22, "binSpacing": 1},
                "encoding": {
                    "x": {**x, "field": "from", "bin": {"binned": True, "step": STEP}},
                    "x2": {"field": "to"},
                    "y": {
                        "field": "items",
                        "type": "quantitative",
                        "title": "Items",
                        "axis": {"orient": "right", "tickCount": 4, "grid": False},
                    },
                    "tooltip": tips(("range", "Difficulty"), ("counted", "Items")),
                },
            },
            {
                "layer": [
                    {
                        "mark": {"type": "rule", "strokeWidth": 2},
                        "encoding": {
                            "x": {**x, "field": "low"},
                            "x2": {"field": "high"},
                            "y": {**model, "axis": {"grid": False}},
                        },
                    },
                    {
                        "mark": {"type": "point", "filled": True, "size": 50, "opacity": 1},
                        "encoding": {
                            "x": {**x, "field": "ability"},
                            "y": model,
                            "tooltip": tips(
                                ("model", "Model"), ("shown", "Ability"), ("score", "Score")
                            ),
                        },
                    },
                ]
            },
        ],
    }
