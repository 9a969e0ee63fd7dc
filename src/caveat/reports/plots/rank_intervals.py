"""Rank intervals: which differences in rating the votes can tell apart."""

import math
from collections.abc import Callable

from caveat.reports.numbers import UNDEFINED, between, counted, percent, rating_writer, whole
from caveat.reports.plots.plot import FLUID, MAX_ROWS, Plot, Spec, base, tips
from caveat.reports.tables.board import board_table, rank_range
from caveat.reports.visible import visible
from caveat.results.ranking import Ranking, RatedModel

ROW = 19
CLOSE = 30
LEADING, ODD, EVEN = "Tier 1", "Odd tiers", "Even tiers"


def rank_intervals(ranking: Ranking) -> Plot:
    """Return a forest of ratings with their intervals and rank ranges, best first."""
    rated = [model for model in ranking.models if math.isfinite(model.rating)]
    drawn = rated[:MAX_ROWS]
    level = percent(ranking.level).replace(".0", "")
    words = (
        f"Rating of each model with its {level} interval, best first. The numbers on the right "
        "are the ranks the votes allow. Tier 1 cannot be told apart from the leader; the tiers "
        "below it take turns in colour and shape."
    )
    write = rating_writer(ranking.unit)
    spec = base([_row(model, write) for model in drawn], words, marks=4 * len(drawn))
    spec |= {"width": "container", "autosize": FLUID, "height": ROW * max(len(drawn), 1)}
    spec |= {"layer": _layers(drawn)}
    spec["encoding"] = {
        "y": {"field": "model", "type": "nominal", "sort": None, "title": None},
    }
    return Plot(
        name="rank-intervals",
        title="Ratings, intervals and possible ranks",
        description=words,
        spec=spec,
        table=board_table(ranking),
        note=_note(len(drawn), len(rated), len(ranking.models)),
        n_rows=len(drawn),
    )


def _row(model: RatedModel, write: Callable[[float], str]) -> Spec:
    return {
        "model": visible(model.model),
        "rating": model.rating,
        "low": model.low if math.isfinite(model.low) else model.rating,
        "high": model.high if math.isfinite(model.high) else model.rating,
        "tone": _tone(model.tier),
        "tier": UNDEFINED if model.tier is None else str(model.tier),
        "ranks": rank_range(model),
        "shown": write(model.rating),
        "interval": between(model.low, model.high, write),
        "votes": whole(model.n_votes),
    }


def _tone(tier: int | None) -> str:
    if tier == 1:
        return LEADING
    return EVEN if tier is not None and tier % 2 == 0 else ODD


def _tiers(drawn: list[RatedModel]) -> tuple[Spec, Spec]:
    """Return the encodings of colour and shape, which share one legend."""
    tones = [tone for tone in (LEADING, EVEN, ODD) if any(_tone(m.tier) == tone for m in drawn)]
    shapes = {LEADING: "circle", EVEN: "square", ODD: "diamond"}
    tier: Spec = {
        "field": "tone",
        "type": "nominal",
        "title": None,
        "legend": {"orient": "top", "symbolOpacity": 1} if len(tones) > 1 else None,
    }
    colour = {**tier, "scale": {"domain": tones, "range": "category"}}
    shape = {**tier, "scale": {"domain": tones, "range": [shapes[tone] for tone in tones]}}
    return colour, shape


def _layers(drawn: list[RatedModel]) -> list[Spec]:
    colour, shape = _tiers(drawn)
    rating = {"type": "quantitative", "scale": {"zero": False, "nice": True}, "title": "Rating"}
    tooltip = tips(
        ("model", "Model"),
        ("shown", "Rating"),
        ("interval", "Interval"),
        ("ranks", "Ranks"),
        ("tier", "Tier"),
        ("votes", "Votes"),
    )
    axis = {"orient": "top", "tickCount": 6}
    size = 46 if len(drawn) <= CLOSE else 18  # on a long board a point must not hide its interval
    low = {**rating, "field": "low", "axis": axis}
    return [
        {
            "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.55},
            "encoding": {"x": low, "x2": {"field": "high"}, "color": colour},
        },
        {
            "mark": {"type": "point", "filled": True, "size": size, "opacity": 1},
            "encoding": {"x": {**rating, "field": "rating"}, "color": colour, "shape": shape},
        },
        {
            "mark": {"type": "text", "align": "right", "baseline": "middle"},
            "encoding": {
                "x": {"value": {"expr": "width + 44"}},
                "text": {"field": "ranks", "type": "nominal"},
            },
        },
        {
            "data": {"values": [{"heading": "Ranks"}]},
            "mark": {"type": "text", "align": "right", "baseline": "bottom"},
            "encoding": {
                "x": {"value": {"expr": "width + 44"}},
                "y": {"value": -7},
                "text": {"field": "heading", "type": "nominal"},
            },
        },
        {  # the whole row answers to the pointer, not only the thin line
            "mark": {"type": "bar", "opacity": 0, "height": {"band": 1}, "cursor": "default"},
            "encoding": {
                "x": {"value": 0},
                "x2": {"value": {"expr": "width + 44"}},
                "tooltip": tooltip,
            },
        },
    ]


def _note(drawn: int, rated: int, total: int) -> str:
    said = []
    if drawn < rated:
        said.append(f"The best {drawn} of {counted(rated, 'rated model')} are drawn.")
    if rated < total:
        said.append(f"{counted(total - rated, 'model')} without a rating left out of the drawing.")
    return " ".join(said) + (" The table has them all." if said else "")
