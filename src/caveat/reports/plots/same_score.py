"""Same score, different answers: disagreement of each pair against its difference in score."""

from caveat.reports.numbers import percent, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.table import Table
from caveat.reports.visible import visible
from caveat.results.agreement import Agreement

MAX_PAIRS = 2_000


def same_score(agreement: Agreement, *, name: str, table: Table) -> Plot | None:
    """Return one point per pair; None when no pair has both scores.

    Above `MAX_PAIRS` pairs, those of the closest scores are drawn.
    """
    import numpy as np

    first, second = np.triu_indices(len(agreement.models), k=1)
    gaps = np.abs(agreement.pair_score[first, second] - agreement.pair_score[second, first])
    defined = np.isfinite(gaps) & np.isfinite(agreement.disagree[first, second])
    order = np.argsort(gaps, kind="stable")
    order = order[defined[order]]
    if order.size == 0:
        return None
    drawn = order[:MAX_PAIRS]
    points = [
        _point(agreement, i, j)
        for i, j in zip(first[drawn].tolist(), second[drawn].tolist(), strict=True)
    ]
    words = (
        "Each point is a pair of models: how far apart their scores are, and on how many items "
        "their answers differ. At the left the scores are the same; the higher a point, the more "
        "the answers differ."
    )
    note = f"The {whole(MAX_PAIRS)} pairs of closest scores are drawn, of {whole(order.size)}."
    return Plot(
        name=name,
        title="Same score, different answers",
        description=words,
        spec=base(points, words, marks=len(points)) | _drawing(),
        table=table,
        note=note if order.size > MAX_PAIRS else "",
    )


def _point(agreement: Agreement, i: int, j: int) -> Spec:
    a, b = float(agreement.pair_score[i, j]), float(agreement.pair_score[j, i])
    share = float(agreement.disagree[i, j])
    return {
        "a": visible(agreement.models[i]),
        "b": visible(agreement.models[j]),
        "gap": round(abs(a - b), 5),
        "share": round(share, 4),
        "shown": percent(share),
        "scores": f"{percent(a)} and {percent(b)}",
        "n": whole(agreement.n[i, j]),
    }


def _drawing() -> Spec:
    return {
        "width": "container",
        "autosize": FLUID,
        "height": 300,
        "mark": {"type": "point", "filled": True, "opacity": 0.55, "size": 36},
        "encoding": {
            "x": {
                "field": "gap",
                "type": "quantitative",
                "title": "Difference in score",
                "axis": {"format": ".0%", "tickCount": 8, "grid": True},
            },
            "y": {
                "field": "share",
                "type": "quantitative",
                "title": "Items answered differently",
                "axis": {
                    "format": ".0%",
                    "tickCount": 6,
                    "grid": True,
                    "titleAngle": 0,
                    "titleAlign": "left",
                    "titleAnchor": "start",
                    "titleX": 0,
                    "titleY": -14,
                },
            },
            "tooltip": tips(
                ("a", "Model"),
                ("b", "and"),
                ("shown", "Disagree"),
                ("scores", "Scores"),
                ("n", "Items"),
            ),
        },
    }
