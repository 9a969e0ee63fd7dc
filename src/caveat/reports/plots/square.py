"""The square of coloured cells that the win matrix and the disagreement map share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from caveat.reports.plots.plot import Spec
from caveat.reports.shortening import telling

SHORTEST, CHARACTER = 26, 8
"""Characters of a name that there is always room for, and the pixels that one takes at most."""
WRITTEN = 12  # up to this many models the figure is written in each cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    """What one square shows.

    Attributes
    ----------
    names : tuple of str
        Models in the order of rows and columns.
    rows, columns, value : str
        Fields of the data.
    legend : str
    range : str
        Name of a range of colours that the theme defines.
    domain : tuple of float
        Values at both ends of the colours.
    strong : str
        Expression that holds where the colour is strong, so that the figure on it changes ink.
    tooltip : list
    format : str
        Of the figures, as d3 writes numbers.
    """

    names: tuple[str, ...]
    rows: str
    columns: str
    value: str
    legend: str
    range: Literal["diverging", "heatmap"]
    domain: tuple[float, float]
    strong: str
    tooltip: list[Spec]
    format: str = ".0%"


def step_of(n: int) -> int:
    """Size of a cell in a square of `n` rows."""
    return 46 if n <= WRITTEN else 22 if n <= 30 else 17


def square_layers(square: Square) -> Spec:
    """Return size, layers and encoding of a square."""
    written = len(square.names) <= WRITTEN
    step = step_of(len(square.names))
    cells: Spec = {
        "mark": {"type": "rect", "stroke": {"expr": "gap"}, "strokeWidth": 1},
        "encoding": {"color": _colour(square), "tooltip": square.tooltip},
    }
    figures: Spec = {
        "mark": {"type": "text", "fontSize": 11},
        "encoding": {
            "text": {"field": square.value, "type": "quantitative", "format": square.format},
            "color": {
                "condition": {"test": square.strong, "value": {"expr": "ink_on_strong"}},
                "value": {"expr": "ink_on_weak"},
            },
            "tooltip": square.tooltip,
        },
    }
    return {
        # the page sets these three from its theme
        "params": [
            {"name": "gap", "value": "#ffffff"},
            {"name": "ink_on_strong", "value": "#ffffff"},
            {"name": "ink_on_weak", "value": "#1b1f24"},
        ],
        "width": {"step": step},
        "height": {"step": step},
        "encoding": _places(square, step),
        "layer": [cells, figures] if written else [cells],
    }


def _colour(square: Square) -> Spec:
    low, high = square.domain
    return {
        "field": square.value,
        "type": "quantitative",
        "scale": {
            "domain": list(square.domain),
            "range": square.range,
            "clamp": True,
            "interpolate": "lab",  # the default, hcl, wanders through green
        },
        "legend": {
            "title": square.legend,
            "format": square.format,
            "orient": "top",
            "gradientLength": 180,
            "values": [low, (low + high) / 2, high],
        },
    }


def name_axis(names: Sequence[str]) -> Spec:
    """Return the axis of names: long ones cut in the middle, no two to the same."""
    size = telling(names, SHORTEST)
    return {
        "domain": False,
        "ticks": False,
        "grid": False,
        "labelExpr": f"truncate(datum.label, {size}, 'center')",
        "labelLimit": size * CHARACTER,
    }


def _places(square: Square, step: int) -> Spec:
    names = list(square.names)
    axis = name_axis(names)
    place = {"type": "nominal", "sort": names, "scale": {"domain": names}, "title": None}
    tilt = {"labelAngle": -60 if step > 20 else -90, "labelAlign": "left", "orient": "top"}
    if step <= 20:
        tilt |= {"labelBaseline": "middle"}
    return {
        "x": {**place, "field": square.columns, "axis": {**axis, **tilt}},
        "y": {**place, "field": square.rows, "axis": axis},
    }
