"""Ranks that item-level scores allow: joint intervals beside those of a plain bootstrap."""

from caveat.reports.numbers import counted, percent, ranks, whole
from caveat.reports.plots.plot import FLUID, MAX_ROWS, Plot, Spec, base, tips
from caveat.reports.tables.item_ranks import ranks_table
from caveat.reports.visible import visible
from caveat.results.comparison.rank_intervals import RankedModel, RankIntervals

ROW = 19
BEST, OTHER = "May be the best", "Surely not the best"


def item_ranks(found: RankIntervals) -> Plot:
    """Return a row per model, best first: thin for all together, thick for the plain bootstrap."""
    drawn = found.models[:MAX_ROWS]
    words = (
        "Ranks of each model, the best on the left. The thin line holds for all models at once and "
        "the point is the rank of the score; the thick line is what a plain bootstrap says, which "
        "is too narrow where models are nearly level."
    )
    spec = base([_row(row) for row in drawn], words, marks=4 * len(drawn))
    spec |= {
        "width": "container",
        "autosize": FLUID,
        "height": ROW * max(len(drawn), 1),
        "encoding": {"y": {"field": "model", "type": "nominal", "sort": None, "title": None}},
        "layer": _layers({_tone(row) for row in drawn}, len(found.models)),
    }
    left = len(found.models) - len(drawn)
    return Plot(
        name="item-ranks",
        title="Ranks that the items allow",
        description=words,
        spec=spec,
        table=ranks_table(found),
        note=f"{counted(left, 'model')} further down not drawn." if left else "",
        n_rows=len(drawn),
    )


def _tone(row: RankedModel) -> str:
    return BEST if row.may_be_best else OTHER


def _row(row: RankedModel) -> Spec:
    return {
        "model": visible(row.model),
        "rank": row.rank,
        "low": row.low - 0.25,  # a rank that is certain is still a line
        "high": row.high + 0.25,
        "plain_low": row.plain_low - 0.25,
        "plain_high": row.plain_high + 0.25,
        "tone": _tone(row),
        "score": percent(row.score),
        "together": ranks(row.low, row.high),
        "plain": ranks(row.plain_low, row.plain_high),
        "shown": whole(row.rank),
    }


def _layers(present: set[str], worst: int) -> list[Spec]:
    tones = [tone for tone in (BEST, OTHER) if tone in present]
    legend = {"orient": "top", "symbolOpacity": 1} if len(tones) > 1 else None
    colour: Spec = {
        "field": "tone",
        "type": "nominal",
        "title": None,
        "scale": {"domain": [BEST, OTHER], "range": "category"},
        "legend": legend and {**legend, "values": tones},
    }
    shape = {**colour, "scale": {"domain": [BEST, OTHER], "range": ["circle", "diamond"]}}
    step = next(step for step in (1, 5, 25, 100, 500) if worst <= 12 * step or step == 500)
    ticks = sorted({1, *range(step, worst + 1, step)})
    axis = {"orient": "top", "values": ticks, "format": "d"}
    x = {
        "type": "quantitative",
        "scale": {"domain": [0.5, worst + 0.5], "nice": False},
        "title": "Rank",
        "axis": axis,
    }
    tooltip = tips(
        ("model", "Model"),
        ("score", "Score"),
        ("shown", "Rank"),
        ("together", "All together"),
        ("plain", "Plain bootstrap"),
    )
    return [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.7},
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "color": colour},
        },
        {
            "mark": {"type": "rule", "strokeWidth": 8, "opacity": 0.3},
            "encoding": {
                "x": {**x, "field": "plain_low"},
                "x2": {"field": "plain_high"},
                "color": colour,
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 44, "opacity": 1},
            "encoding": {"x": {**x, "field": "rank"}, "color": colour, "shape": shape},
        },
        {
            "mark": {"type": "bar", "opacity": 0, "height": {"band": 1}, "cursor": "default"},
            "encoding": {
                "x": {"value": 0},
                "x2": {"value": {"expr": "width"}},
                "tooltip": tooltip,
            },
        },
    ]
