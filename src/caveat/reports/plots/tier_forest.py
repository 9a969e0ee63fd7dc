"""Tier forest: scores with their intervals, by tier, on all items and on common ones."""

import math
from collections.abc import Iterator

from caveat.reports.numbers import UNDEFINED, between, counted, percent, whole
from caveat.reports.plots.plot import FLUID, MAX_ROWS, Plot, Spec, base, tips
from caveat.reports.tables.paired import tiers_table
from caveat.reports.visible import visible
from caveat.results.agreement import ModelScore, ScoreEstimate, Scores
from caveat.results.comparison.paired import PairedTests

ROW = 22
ALL, COMMON = "All its items", "Common items"
LEADING, ODD, EVEN = "Tier 1", "Odd tiers", "Even tiers"


def tier_forest(scores: Scores, tests: PairedTests) -> Plot:
    """Return a forest of scores, best first, coloured by tier."""
    both = scores.common_differs
    rows = {model.model: model for model in scores.models}
    placed = [
        (rows[model], tier) for model, tier in zip(tests.models, tests.tier, strict=True) if tier
    ]
    drawn = placed[:MAX_ROWS]
    level = percent(tests.level).replace(".0", "")
    words = (
        f"Score of each model with its {level} interval, best first by paired comparison on common "
        "items. Colour tells tiers apart: models of tier 1 are not shown to be worse than the "
        "first; the tiers below it take turns. The number on the right is the tier."
    )
    if both:
        words += (
            " The upper mark of a model, filled, is its score on the items that all models have; "
            "the lower one, hollow, that on all of its own."
        )
    values = [row for model, tier in drawn for row in _rows(model, tier, both=both)]
    spec = base(values, words, marks=2 * len(values))
    spec |= {"width": "container", "autosize": FLUID, "height": ROW * max(len(drawn), 1)}
    spec |= {"layer": _layers({row["tone"] for row in values}, both=both)}
    return Plot(
        name="tier-forest",
        title="Scores and tiers",
        description=words,
        spec=spec,
        table=tiers_table(scores, tests),
        note=f"{counted(len(placed) - len(drawn), 'model')} further down not drawn."
        if len(placed) > len(drawn)
        else "",
        n_rows=len(drawn),
    )


def _rows(model: ModelScore, tier: int, *, both: bool) -> Iterator[Spec]:
    tone = LEADING if tier == 1 else ODD if tier % 2 else EVEN
    if both and model.common is not None:
        yield _row(model, model.common, COMMON, tier, tone)
    yield _row(model, model.overall, ALL, tier, tone)


def _row(model: ModelScore, estimate: ScoreEstimate, reading: str, tier: int, tone: str) -> Spec:
    known = math.isfinite(estimate.low) and math.isfinite(estimate.high)
    interval = between(estimate.low, estimate.high, percent)
    return {
        "model": visible(model.model),
        "reading": reading,
        "score": 100 * estimate.score,
        "low": 100 * (estimate.low if known else estimate.score),
        "high": 100 * (estimate.high if known else estimate.score),
        "tone": tone,
        "tier": str(tier),
        "shown": percent(estimate.score),
        "interval": interval if known else f"{UNDEFINED} ({estimate.reason})",
        "items": whole(estimate.n),
    }


def _layers(present: set[str], *, both: bool) -> list[Spec]:
    tones = [tone for tone in (LEADING, EVEN, ODD) if tone in present]
    shapes = {LEADING: "circle", EVEN: "square", ODD: "diamond"}
    legend = {"orient": "top", "symbolOpacity": 1} if len(tones) > 1 else None
    tone = {"field": "tone", "type": "nominal", "title": None, "legend": legend}
    colour = {**tone, "scale": {"domain": tones, "range": "category"}}
    shape = {**tone, "scale": {"domain": tones, "range": [shapes[name] for name in tones]}}
    x = {"type": "quantitative", "scale": {"zero": False, "nice": True}, "title": "Score, %"}
    place: Spec = {"y": {"field": "model", "type": "nominal", "sort": None, "title": None}}
    if both:
        place["yOffset"] = {"field": "reading", "scale": {"domain": [COMMON, ALL]}}
    tooltip = tips(
        ("model", "Model"),
        ("reading", "Over"),
        ("shown", "Score"),
        ("interval", "Interval"),
        ("items", "Items"),
        ("tier", "Tier"),
    )
    low = {**x, "field": "low", "axis": {"orient": "top", "tickCount": 6}}
    hollow = {"condition": {"test": f"datum.reading == '{ALL}'", "value": 0}, "value": 1}
    return [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.55},
            "encoding": {
                **place,
                "x": low,
                "x2": {"field": "high"},
                "color": colour,
                "tooltip": tooltip,
            },
        },
        {
            "mark": {"type": "point", "filled": not both, "size": 34, "opacity": 1},
            "encoding": {
                **place,
                "x": {**x, "field": "score"},
                "color": colour,
                "shape": shape,
                "tooltip": tooltip,
                **({"fill": colour | {"legend": None}, "fillOpacity": hollow} if both else {}),
            },
        },
        {
            "transform": [{"filter": f"datum.reading == '{ALL}'"}],
            "mark": {"type": "text", "align": "left", "dx": 8},
            "encoding": {
                "y": place["y"],
                "x": {"value": "width"},
                "text": {"field": "tier", "type": "nominal"},
            },
        },
    ]
