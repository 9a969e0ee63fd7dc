"""A tree of models beside a square of them, leaf by row."""

from collections.abc import Sequence

from caveat.reports.numbers import percent
from caveat.reports.plots.plot import Spec, tips
from caveat.reports.plots.square import step_of
from caveat.results.agreement import Agreement

WIDTH = 84
_PARAMS = "params"


def beside(square: Spec, agreement: Agreement, chosen: Sequence[int]) -> Spec:
    """Return the square with the tree at its right; the square alone where no tree is known.

    Parameters
    ----------
    square : dict
        Layers and encoding, in the rows of `chosen`.
    agreement : Agreement
    chosen : sequence of int
        Models drawn, in the order of the tree; branches that lead to no other are left out.
    """
    segments = branches(agreement, chosen)
    if not segments:
        return square
    own = {name: value for name, value in square.items() if name != _PARAMS}
    return {
        _PARAMS: square[_PARAMS],
        "hconcat": [own, _tree(segments, len(chosen))],
        "bounds": "flush",
        "spacing": 6,
    }


def branches(agreement: Agreement, chosen: Sequence[int]) -> list[Spec]:
    """Return the lines of the tree: along a branch up to where it joins, and across the join."""
    m = len(agreement.models)
    place: dict[int, tuple[float, float]] = {
        leaf: (row + 0.5, 0.0) for row, leaf in enumerate(chosen)
    }
    lines: list[Spec] = []
    for k, (one, other, height) in enumerate(agreement.merges):
        met = [place[node] for node in (one, other) if node in place]
        if len(met) == 2:
            (y, low), (y2, low2) = met
            shown = percent(height)
            lines += [
                _line(y, y, low, height, shown),
                _line(y2, y2, low2, height, shown),
                _line(y, y2, height, height, shown),
            ]
            place[m + k] = ((y + y2) / 2.0, height)
        elif met:
            place[m + k] = met[0]
    return lines


def _line(y: float, y2: float, low: float, high: float, shown: str) -> Spec:
    return {"y": y, "y2": y2, "low": round(low, 4), "high": round(high, 4), "joined": shown}


def _tree(segments: list[Spec], rows: int) -> Spec:
    most = max(line["high"] for line in segments)
    return {
        "data": {"values": segments},
        "width": WIDTH,
        "height": step_of(rows) * rows,
        "mark": {"type": "rule", "strokeWidth": 1.2},
        "encoding": {
            "x": {
                "field": "low",
                "type": "quantitative",
                "scale": {"domain": [0, most or 1.0], "nice": False},
                "axis": {"format": ".0%", "tickCount": 2, "grid": False},
                "title": "Disagree",
            },
            "x2": {"field": "high"},
            "y": {
                "field": "y",
                "type": "quantitative",
                "scale": {"domain": [rows, 0], "nice": False, "zero": False},
                "axis": None,
            },
            "y2": {"field": "y2"},
            "tooltip": tips(("joined", "Disagreement where they join")),
        },
    }
