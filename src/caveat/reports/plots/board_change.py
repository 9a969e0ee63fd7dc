"""Two ratings of each model, joined: a dumbbell for each."""

import math

from caveat.reports.numbers import between, counted, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.board_change import change_table
from caveat.reports.visible import visible
from caveat.results.board_change import BoardChange, ChangedModel

ROW = 19
DRAWN = 40
"""Models drawn, the best before."""


def board_change_plot(
    change: BoardChange, *, name: str, title: str, before: str, after: str
) -> Plot:
    """Return the ratings of both boards, model by model.

    Parameters
    ----------
    change : BoardChange
    name, title : str
        Of the plot.
    before, after : str
        The two boards in a word or two.
    """
    drawn = change.models[:DRAWN]
    words = (
        f"Rating of each model on two boards, {before} and {after}, joined by a line; best first "
        f"{before}. The bars are the intervals {after}. The numbers on the right are the ranks on "
        "both."
    )
    rows = [{**_row(model), "was": before, "is": after} for model in drawn]
    spec = base(rows, words, marks=5 * len(drawn))
    spec |= {"width": "container", "autosize": FLUID, "height": ROW * max(len(drawn), 1)}
    spec |= {"layer": _layers(before, after)}
    spec["encoding"] = {"y": {"field": "model", "type": "nominal", "sort": None, "title": None}}
    total = len(change.models)
    cut = f"The best {DRAWN} of {counted(total, 'model')} are drawn. The table has them all."
    return Plot(
        name=name,
        title=title,
        description=words,
        spec=spec,
        table=change_table(change, caption=title, before=before, after=after),
        note=cut if total > DRAWN else "",
        n_rows=len(drawn),
    )


def _row(model: ChangedModel) -> Spec:
    return {
        "model": visible(model.model),
        "before": model.rating,
        "after": model.rating_after,
        "low": model.low_after if math.isfinite(model.low_after) else model.rating_after,
        "high": model.high_after if math.isfinite(model.high_after) else model.rating_after,
        "ranks": f"{whole(model.rank)} \u2192 {whole(model.rank_after)}",
        "shown_before": whole(model.rating),
        "shown_after": whole(model.rating_after),
        "interval": between(model.low_after, model.high_after, whole),
    }


def _layers(before: str, after: str) -> list[Spec]:
    rating = {"type": "quantitative", "scale": {"zero": False, "nice": True}, "title": "Rating"}
    axis = {"orient": "top", "tickCount": 6}
    tooltip = tips(
        ("model", "Model"),
        ("shown_before", before.capitalize()),
        ("shown_after", after.capitalize()),
        ("interval", "Interval"),
        ("ranks", "Ranks"),
    )
    names = {"domain": [before, after], "range": "category"}
    legend = {"orient": "top", "title": None, "symbolOpacity": 1}

    def points(field: str, label: str, shape: str) -> Spec:
        colour = {"field": label, "type": "nominal", "scale": names, "legend": legend}
        return {
            "mark": {"type": "point", "filled": True, "size": 46, "opacity": 1, "shape": shape},
            "encoding": {"x": {**rating, "field": field}, "color": colour},
        }

    return [
        {
            "mark": {"type": "rule", "strokeWidth": 5, "opacity": 0.2},
            "encoding": {"x": {**rating, "field": "low", "axis": axis}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "rule", "strokeWidth": 1.5, "opacity": 0.7},
            "encoding": {"x": {**rating, "field": "before"}, "x2": {"field": "after"}},
        },
        points("before", "was", "circle"),
        points("after", "is", "diamond"),
        {
            "mark": {"type": "text", "align": "right", "baseline": "middle"},
            "encoding": {
                "x": {"value": {"expr": "width + 60"}},
                "text": {"field": "ranks", "type": "nominal"},
            },
        },
        {
            "mark": {"type": "bar", "opacity": 0, "height": {"band": 1}, "cursor": "default"},
            "encoding": {
                "x": {"value": 0},
                "x2": {"value": {"expr": "width + 60"}},
                "tooltip": tooltip,
            },
        },
    ]
