"""Disagreement of each pair against the noise floor of its two models."""

from caveat.reports.numbers import between, percent
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.noise import OWN, pairs_table
from caveat.reports.visible import visible
from caveat.results.comparison.noise import NoiseFloor, PairNoise

ITSELF, WITHIN, BEYOND = "One model twice", "Within the floor", "Beyond the floor"
MAX_PAIRS = 2_000


def noise_plot(found: NoiseFloor) -> Plot:
    """Return one point per pair; on the line, it disagrees as much as one model with itself."""
    words = (
        "Each point is a pair of models: how much the two disagree with themselves, on average, "
        "and how much with each other. On the line a pair differs no more than one model does "
        "from itself; the height above it is what lies between the models."
    )
    drawn = found.pairs[:MAX_PAIRS]
    points = [_point(pair) for pair in drawn]
    most = max((point[name] for point in points for name in ("floor", "share")), default=1.0)
    line = {
        "data": {"values": [{"floor": 0, "share": 0}, {"floor": most, "share": most}]},
        "mark": {"type": "line", "strokeDash": [5, 4], "strokeWidth": 1.5, "opacity": 0.7},
        "encoding": {
            "x": {"field": "floor", "type": "quantitative"},
            "y": {"field": "share", "type": "quantitative"},
        },
    }
    spec = base(points, words, marks=len(points)) | {
        "width": "container",
        "autosize": FLUID,
        "height": 300,
        "layer": [line, _marks(points)],
    }
    left = len(found.pairs) - len(drawn)
    return Plot(
        name="noise",
        title="Disagreement against the noise floor",
        description=words,
        spec=spec,
        table=pairs_table(found),
        note=f"{left:,} pairs of more excess not drawn." if left else "",
    )


def _point(pair: PairNoise) -> Spec:
    kind = ITSELF if pair.own == "itself" else BEYOND if pair.beyond else WITHIN
    return {
        "a": visible(pair.a),
        "b": visible(pair.b),
        "floor": round(pair.floor, 4),
        "share": round(pair.disagree, 4),
        "kind": kind,
        "shown": percent(pair.disagree),
        "own": f"{percent(pair.floor)} ({OWN[pair.own]})",
        "excess": between(pair.low, pair.high, percent),
    }


def _marks(points: list[Spec]) -> Spec:
    kinds = [ITSELF, WITHIN, BEYOND]
    met = [kind for kind in kinds if any(point["kind"] == kind for point in points)]
    tone = {"field": "kind", "type": "nominal", "title": None}
    axis = {"format": ".0%", "tickCount": 6, "grid": True}
    return {
        "mark": {"type": "point", "filled": True, "opacity": 0.6},
        "encoding": {
            "x": {
                "field": "floor",
                "type": "quantitative",
                "title": "One model disagrees with itself",
                "axis": axis,
            },
            "y": {
                "field": "share",
                "type": "quantitative",
                "title": "The two disagree",
                "axis": axis,
            },
            "color": {
                **tone,
                "scale": {"domain": kinds, "range": "category"},
                "legend": {"orient": "top", "values": met, "symbolOpacity": 1},
            },
            "shape": {**tone, "scale": {"domain": kinds, "range": ["diamond", "square", "circle"]}},
            "size": {
                "condition": {"test": f"datum.kind === '{ITSELF}'", "value": 130},
                "value": 40,
            },
            "tooltip": tips(
                ("a", "Model"),
                ("b", "and"),
                ("shown", "Disagree"),
                ("own", "Floor"),
                ("excess", "Beyond the floor"),
            ),
        },
    }
