"""Score against disagreement, with the range of disagreement that equal scores allow."""

from caveat.reports.numbers import between, percent, two, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.disagreement import pair_rows
from caveat.reports.tables.noise import SOURCES
from caveat.reports.visible import visible
from caveat.results.agreement import Agreement
from caveat.results.comparison.disagreement import Disagreement
from caveat.results.comparison.noise import NoiseFloor

MAX_PAIRS = 2_000
MATCHED, OTHER = "Equal score", "Unequal score"


def feasible_band(
    found: Disagreement, agreement: Agreement, noise: NoiseFloor | None
) -> Plot | None:
    """Return one point per pair; None where right and wrong are unknown."""
    points = _points(found, agreement)
    if not points:
        return None
    drawn = points[:MAX_PAIRS]
    words = (
        "Each point is a pair of models: the mean of their two scores, and on how many items their "
        "answers differ. The shaded band is what two models of equal score can do: all their "
        "errors the same at its lower edge, no right answer in common beyond need at the upper."
    )
    if noise is not None:
        words += " The dashed line is how often one model, run twice, differs from itself."
    layers = [_band(points), _marks(drawn)]
    if noise is not None:
        layers.append(_floor(noise))
    spec = base(drawn, words, marks=len(drawn)) | {
        "width": "container",
        "autosize": FLUID,
        "height": 340,
        "layer": layers,
    }
    left = len(points) - len(drawn)
    return Plot(
        name="feasible",
        title="Score against disagreement",
        description=words,
        spec=spec,
        table=pair_rows(found, agreement.reasons),
        note=f"{whole(left)} pairs of the least equal scores are not drawn." if left else "",
    )


def _points(found: Disagreement, agreement: Agreement) -> list[Spec]:
    """Pairs of closest scores first."""
    import numpy as np

    first, second = np.triu_indices(len(agreement.models), k=1)
    gap = np.abs(agreement.common_score[first, second] - agreement.common_score[second, first])
    defined = np.isfinite(agreement.feasible_high[first, second]) & np.isfinite(gap)
    order = np.argsort(gap, kind="stable")
    order = order[defined[order]][: 4 * MAX_PAIRS]
    limit = found.points + 1e-9
    return [
        _point(agreement, i, j, MATCHED if apart <= limit else OTHER)
        for i, j, apart in zip(
            first[order].tolist(), second[order].tolist(), gap[order].tolist(), strict=True
        )
    ]


def _point(agreement: Agreement, i: int, j: int, kind: str) -> Spec:
    a, b = float(agreement.pair_score[i, j]), float(agreement.pair_score[j, i])
    low, high = float(agreement.feasible_low[i, j]), float(agreement.feasible_high[i, j])
    return {
        "a": visible(agreement.models[i]),
        "b": visible(agreement.models[j]),
        "score": round((a + b) / 2, 5),
        "share": round(float(agreement.disagree[i, j]), 5),
        "top": round(high, 5),
        "kind": kind,
        "shown": percent(agreement.disagree[i, j]),
        "scores": f"{percent(a)} and {percent(b)}",
        "can": between(low, high, percent),
        "place": two(agreement.position[i, j]),
        "n": whole(agreement.n[i, j]),
    }


def _band(points: list[Spec]) -> Spec:
    """Shade from nothing up to the most that the pairs' scores allow."""
    edge = sorted({(point["score"], point["top"]) for point in points})
    return {
        "data": {"values": [{"score": score, "top": top, "zero": 0} for score, top in edge]},
        "mark": {"type": "area", "opacity": 0.12, "line": {"strokeWidth": 1, "opacity": 0.6}},
        "encoding": {
            "x": {"field": "score", "type": "quantitative"},
            "y": {"field": "top", "type": "quantitative"},
            "y2": {"field": "zero"},
        },
    }


def _floor(noise: NoiseFloor) -> Spec:
    rows = [
        {
            "floor": round(source.disagree, 5),
            "text": f"one model, other {SOURCES[source.source]}: {percent(source.disagree)}",
        }
        for source in noise.sources
    ]
    y = {"field": "floor", "type": "quantitative"}
    return {
        "data": {"values": rows},
        "layer": [
            {
                "mark": {"type": "rule", "strokeDash": [5, 4], "strokeWidth": 1.5},
                "encoding": {"y": y},
            },
            {
                "mark": {"type": "text", "align": "left", "baseline": "bottom", "dx": 4, "dy": -2},
                "encoding": {"y": y, "x": {"value": 0}, "text": {"field": "text"}},
            },
        ],
    }


def _marks(points: list[Spec]) -> Spec:
    kinds = [MATCHED, OTHER]
    met = [kind for kind in kinds if any(point["kind"] == kind for point in points)]
    tone = {"field": "kind", "type": "nominal", "title": None}
    axis = {"format": ".0%", "tickCount": 6, "grid": True}
    aside = {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "start", "titleX": 0}
    return {
        "mark": {"type": "point", "filled": True, "opacity": 0.6, "size": 36},
        "encoding": {
            "x": {
                "field": "score",
                "type": "quantitative",
                "title": "Mean of the two scores",
                "scale": {"zero": False},
                "axis": axis,
            },
            "y": {
                "field": "share",
                "type": "quantitative",
                "title": "Items answered differently",
                "scale": {"domain": [0, 1]},
                "axis": {**axis, **aside, "titleY": -14},
            },
            "color": {
                **tone,
                "scale": {"domain": kinds, "range": "category"},
                "legend": {"orient": "bottom", "values": met, "symbolOpacity": 1},
            },
            "shape": {**tone, "scale": {"domain": kinds, "range": ["circle", "triangle-up"]}},
            "tooltip": tips(
                ("a", "Model"),
                ("b", "and"),
                ("shown", "Disagree"),
                ("can", "Can be"),
                ("place", "Place"),
                ("scores", "Scores"),
                ("n", "Items"),
            ),
        },
    }
