"""The map of rows by months that the samplings of models and of providers share."""

from collections.abc import Sequence
from dataclasses import dataclass

from caveat.reports.numbers import percent, whole
from caveat.reports.plots.plot import FLUID, Spec, base, tips
from caveat.reports.visible import visible

ROW = 17
DEEPEST = 0.25
"""Share from which the colour no longer deepens: a board of few models would drown all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthMap:
    """What one map shows.

    Attributes
    ----------
    rows : str
        What a row is: `Model`, `Provider`.
    names, months : sequence of str
    counts, shares : sequence of sequence of float
        By row and month.
    counted : str
        What is counted: `Votes`, `Places`.
    words : str
        Description of the map.
    """

    rows: str
    names: Sequence[str]
    months: Sequence[str]
    counts: Sequence[Sequence[float]]
    shares: Sequence[Sequence[float]]
    counted: str
    words: str


def unit_of(months: Sequence[str]) -> str:
    """Say whether they are months or years."""
    return "month" if "-" in months[0] else "year"


def month_map(shown: MonthMap) -> Spec:
    """Return the specification of a map; rows in the order given, blank where there is nothing."""
    unit = unit_of(shown.months)
    cells = [
        {
            "row": visible(name),
            "month": month,
            "share": round(share, 4),
            "shown": percent(share),
            "count": whole(count),
        }
        for name, counts, shares in zip(shown.names, shown.counts, shown.shares, strict=True)
        for month, count, share in zip(shown.months, counts, shares, strict=True)
        if count
    ]
    most = max((max(shares) for shares in shown.shares), default=1.0)
    spec = base(cells, shown.words, marks=len(cells))
    spec |= {"width": "container", "autosize": FLUID, "height": ROW * max(len(shown.names), 1)}
    return spec | {
        "mark": {"type": "rect"},
        "encoding": {
            "x": {
                "field": "month",
                "type": "ordinal",
                "sort": "ascending",
                "title": None,
                "axis": {"labelOverlap": "greedy", "labelAngle": -60, "grid": False},
            },
            "y": {"field": "row", "type": "nominal", "sort": None, "title": None},
            "color": {
                "field": "share",
                "type": "quantitative",
                "scale": {
                    "domain": [0, min(most, DEEPEST)],
                    "range": "heatmap",
                    "interpolate": "lab",
                    "clamp": True,
                },
                "legend": {
                    "title": f"Share of the {unit}'s {shown.counted.lower()}",
                    "format": ".0%",
                    "orient": "top",
                    "tickCount": 3,
                },
            },
            "tooltip": tips(
                ("row", shown.rows),
                ("month", unit.capitalize()),
                ("shown", "Share"),
                ("count", shown.counted),
            ),
        },
    }
