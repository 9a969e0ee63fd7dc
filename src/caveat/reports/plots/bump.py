"""A bump chart: one row per ranking, one line per model from row to row, the best on the left."""

from collections.abc import Sequence
from dataclasses import dataclass

from caveat.reports.plots.plot import FLUID, Spec, base, tips
from caveat.reports.visible import visible

ROW, WIDE_ROW = 30, 46
FEW = 4
"""Rows that stand further apart."""

_EVERY = 10
"""Places up to which each has a tick."""

_TICKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bump:
    """What a bump chart shows.

    Attributes
    ----------
    rows : tuple of (str, str)
        Name of each ranking and the model it puts first, from top to bottom.
    points : tuple of dict
        One per ranking and model: `row`, `number` (of the row), `model`, `rank`, `tone`, and what
        the tooltip shows.
    tones : tuple of str
        Groups of models in the order of their importance; the last one recedes.
    tooltip : tuple of (str, str)
        Fields of the points and their titles.
    """

    rows: tuple[tuple[str, str], ...]
    points: tuple[Spec, ...]
    tones: tuple[str, ...]
    tooltip: tuple[tuple[str, str], ...]


def bump_spec(bump: Bump, description: str) -> Spec:
    """Return the drawing; what stands out lies on top."""
    aside = bump.tones[-1]
    points = sorted(bump.points, key=lambda point: point["tone"] != aside)
    row = WIDE_ROW if len(bump.rows) <= FEW else ROW
    spec = base(points, description, marks=2 * len(points))
    spec |= {"width": "container", "autosize": FLUID, "height": row * len(bump.rows)}
    return spec | {
        "encoding": {"y": {"field": "row", "type": "nominal", "sort": None, "title": None}},
        "layer": [_lines(bump), _marks(bump), _names(bump.rows), _heading()],
    }


def _tone(bump: Bump) -> Spec:
    """Return the encoding of colour: each tone keeps its own whether or not others are there."""
    met = [t for t in bump.tones if any(point["tone"] == t for point in bump.points)]
    legend = {"orient": "top", "symbolOpacity": 1, "values": met}
    return {
        "field": "tone",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(bump.tones), "range": "category"},
        "legend": legend if len(met) > 1 else None,
    }


def _ticks(worst: int) -> Sequence[int]:
    return _TICKS if worst > _EVERY else range(1, worst + 1)


def _aside(bump: Bump) -> str:
    return f"datum.tone === '{bump.tones[-1]}'"


def _lines(bump: Bump) -> Spec:
    worst = max((point["rank"] for point in bump.points), default=1)
    return {
        "mark": {"type": "line", "orient": "vertical", "strokeWidth": 2},
        "encoding": {
            "x": {
                "field": "rank",
                "type": "quantitative",
                "scale": {"type": "log", "domain": [0.9, max(worst, 2)], "nice": False},
                "axis": {
                    "orient": "top",
                    "values": [tick for tick in _ticks(worst) if tick <= worst],
                    "format": "d",
                },
                "title": "Place",
            },
            "detail": {"field": "model", "type": "nominal"},
            "order": {"field": "number", "type": "quantitative"},
            "color": _tone(bump),
            "opacity": {"condition": {"test": _aside(bump), "value": 0.3}, "value": 0.75},
        },
    }


def _marks(bump: Bump) -> Spec:
    tone = _tone(bump)
    return {
        "mark": {"type": "point", "filled": True, "opacity": 0.9},
        "encoding": {
            "x": {"field": "rank", "type": "quantitative"},
            "color": tone,
            "shape": {**tone, "scale": {**tone["scale"], "range": ["circle", "diamond", "square"]}},
            "size": {"condition": {"test": _aside(bump), "value": 22}, "value": 52},
            "tooltip": tips(*bump.tooltip),
        },
    }


def _names(rows: Sequence[tuple[str, str]]) -> Spec:
    """Name at the right whom each row puts first."""
    return {
        "data": {"values": [{"row": row, "first": visible(first)} for row, first in rows]},
        "mark": {"type": "text", "align": "left", "baseline": "middle", "limit": 150},
        "encoding": {
            "x": {"value": {"expr": "width + 12"}},
            "text": {"field": "first", "type": "nominal"},
        },
    }


def _heading() -> Spec:
    return {
        "data": {"values": [{"heading": "First"}]},
        "mark": {"type": "text", "align": "left", "baseline": "bottom"},
        "encoding": {
            "x": {"value": {"expr": "width + 12"}},
            "y": {"value": -7},
            "text": {"field": "heading", "type": "nominal"},
        },
    }
