"""Residuals: how far the win share of each pair lies from what the ratings say."""

from caveat.reports.numbers import counted, one, percent, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.fit import pair_fit_table
from caveat.reports.visible import visible
from caveat.results.stress.fit import Fit

MAX_POINTS = 1_000
NOISE, BEYOND = "within noise", "beyond noise"
_BEYOND = f"datum.tone === '{BEYOND}'"


def misfit(found: Fit) -> Plot:
    """Return one point per pair: expected win share across, what was observed beyond it up."""
    every = found.all_pairs
    order = sorted(range(every.a.size), key=lambda k: (not every.off[k], -float(every.n_votes[k])))
    drawn = order[:MAX_POINTS]
    words = (
        "Each point is a pair that met, seen from the model with the better rating: across, the "
        "win share that the ratings expect; up, by how many points it won more (or less). Pairs "
        "with few votes lie far out by chance; those marked are beyond chance."
    )
    # what stands out is drawn last
    points = [_point(found, k) for k in reversed(drawn)]
    spec = base(points, words, marks=len(drawn))
    tones = [tone for tone in (NOISE, BEYOND) if any(_tone(found, k) == tone for k in drawn)]
    spec |= {
        "width": "container",
        "autosize": FLUID,
        "height": 300,
        "layer": [_zero(), _points(tones)],
    }
    left = every.a.size - len(drawn)
    return Plot(
        name="misfit",
        title="Win shares against the ratings",
        description=words,
        spec=spec,
        table=pair_fit_table(found),
        note=f"{counted(left, 'pair')} with fewer votes not drawn." if left else "",
    )


def _tone(found: Fit, k: int) -> str:
    return BEYOND if found.all_pairs.off[k] else NOISE


def _point(found: Fit, k: int) -> Spec:
    every = found.all_pairs
    a, b = visible(every.names[every.a[k]]), visible(every.names[every.b[k]])
    expected, observed = float(every.expected[k]), float(every.observed[k])
    if expected < 0.5:
        a, b, expected, observed = b, a, 1 - expected, 1 - observed
    return {
        "a": a,
        "b": b,
        "expected": round(expected, 4),
        "residual": round(100 * (observed - expected), 2),
        "tone": _tone(found, k),
        "shown": percent(observed),
        "wanted": percent(expected),
        "votes": whole(float(every.n_votes[k])),
        "z": one(abs(float(every.z[k]))),
    }


def _zero() -> Spec:
    return {
        "data": {"values": [{"zero": 0}]},
        "mark": {"type": "rule", "strokeWidth": 1, "opacity": 0.6},
        "encoding": {"y": {"field": "zero", "type": "quantitative"}},
    }


def _points(tones: list[str]) -> Spec:
    tone: Spec = {
        "field": "tone",
        "type": "nominal",
        "title": None,
        "legend": {"orient": "top", "symbolOpacity": 1} if len(tones) > 1 else None,
    }
    shapes = {NOISE: "circle", BEYOND: "diamond"}
    return {
        "mark": {"type": "point", "filled": True},
        "encoding": {
            "size": {"condition": {"test": _BEYOND, "value": 90}, "value": 24},
            "opacity": {"condition": {"test": _BEYOND, "value": 1}, "value": 0.6},
            "x": {
                "field": "expected",
                "type": "quantitative",
                "scale": {"domainMin": 0.5, "zero": False},
                "axis": {"format": ".0%", "tickCount": 6},
                "title": "Expected win share",
            },
            "y": {
                "field": "residual",
                "type": "quantitative",
                "axis": {"tickCount": 6},
                "title": "Observed less expected, points",
            },
            "color": {**tone, "scale": {"domain": tones, "range": "category"}},
            "shape": {**tone, "scale": {"domain": tones, "range": [shapes[t] for t in tones]}},
            "tooltip": tips(
                ("a", "Model"),
                ("b", "against"),
                ("shown", "Won"),
                ("wanted", "Expected"),
                ("votes", "Votes"),
                ("z", "z"),
            ),
        },
    }
