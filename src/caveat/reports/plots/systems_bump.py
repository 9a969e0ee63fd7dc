"""Bump chart: the place of each model by every rating system."""

from collections.abc import Iterator

from caveat.reports.numbers import counted, two, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.systems import systems_table
from caveat.reports.visible import visible
from caveat.results.stress.systems import RankSpan, SystemsDisagree

MAX_MODELS = 15
ROW = 30
LEADER, RIVAL, OTHER = "First on the board", "First by another system", "Others"
_ASIDE = f"datum.tone === '{OTHER}'"
_TICKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)


def systems_bump(found: SystemsDisagree) -> Plot:
    """Return a line per model, from system to system: the best of the board, and all firsts."""
    firsts = {place.model for place in found.first_places}
    drawn = [one for k, one in enumerate(found.spans) if k < MAX_MODELS or one.model in firsts]
    complete = [one for one in found.systems if one.complete]
    words = (
        "One row per rating system, the board's own on top and the others by how close their order "
        "is to it; one line per model, the best places on the left. At the right, the model each "
        "system puts first."
    )
    # Drawn in this order: what stands out lies on top.
    points = sorted(_points(found, drawn), key=lambda point: point["tone"] != OTHER)
    spec = base(points, words, marks=2 * len(points))
    spec |= {"width": "container", "autosize": FLUID, "height": ROW * len(complete)}
    spec |= {
        "encoding": {"y": {"field": "system", "type": "nominal", "sort": None, "title": None}},
        "layer": [_lines(drawn, points), _marks(points), _names(found), _heading()],
    }
    left = len(found.spans) - len(drawn)
    return Plot(
        name="systems",
        title="Places by rating system",
        description=words,
        spec=spec,
        table=systems_table(found),
        note=f"{counted(left, 'model')} further down not drawn." if left else "",
    )


def _points(found: SystemsDisagree, drawn: list[RankSpan]) -> Iterator[Spec]:
    leader = found.first_places[0].model
    rivals = {place.model for place in found.first_places[1:]}
    for number, one in enumerate(system for system in found.systems if system.complete):
        for span in drawn:
            rank = dict(span.ranks)[one.method]
            tone = LEADER if span.model == leader else RIVAL if span.model in rivals else OTHER
            yield {
                "system": one.title,
                "row": number,
                "model": visible(span.model),
                "rank": rank,
                "tone": tone,
                "place": whole(rank),
                "board": whole(span.board),
                "tau": two(one.tau),
            }


def _tone(points: list[Spec]) -> Spec:
    tones = [t for t in (LEADER, RIVAL, OTHER) if any(point["tone"] == t for point in points)]
    return {
        "field": "tone",
        "type": "nominal",
        "title": None,
        "scale": {"domain": tones, "range": "category"},
        "legend": {"orient": "top", "symbolOpacity": 1} if len(tones) > 1 else None,
    }


def _lines(drawn: list[RankSpan], points: list[Spec]) -> Spec:
    worst = max((one.high for one in drawn), default=1)
    return {
        "mark": {"type": "line", "orient": "vertical", "strokeWidth": 2},
        "encoding": {
            "x": {
                "field": "rank",
                "type": "quantitative",
                "scale": {"type": "log", "domain": [0.9, max(worst, 2)], "nice": False},
                "axis": {
                    "orient": "top",
                    "values": [tick for tick in _TICKS if tick <= worst],
                    "format": "d",
                },
                "title": "Place",
            },
            "detail": {"field": "model", "type": "nominal"},
            "order": {"field": "row", "type": "quantitative"},
            "color": _tone(points),
            "opacity": {"condition": {"test": _ASIDE, "value": 0.3}, "value": 0.75},
        },
    }


def _marks(points: list[Spec]) -> Spec:
    tone = _tone(points)
    shapes = {LEADER: "circle", RIVAL: "diamond", OTHER: "square"}
    scale = {"domain": tone["scale"]["domain"]}
    shape = {**tone, "scale": {**scale, "range": [shapes[t] for t in scale["domain"]]}}
    return {
        "mark": {"type": "point", "filled": True, "opacity": 0.9},
        "encoding": {
            "x": {"field": "rank", "type": "quantitative"},
            "color": tone,
            "shape": shape,
            "size": {"condition": {"test": _ASIDE, "value": 22}, "value": 52},
            "tooltip": tips(
                ("model", "Model"),
                ("system", "System"),
                ("place", "Place"),
                ("board", "Place on the board"),
                ("tau", "Tau with the board"),
            ),
        },
    }


def _names(found: SystemsDisagree) -> Spec:
    """Name at the right whom each system puts first."""
    values = [
        {"system": one.title, "first": visible(one.first)} for one in found.systems if one.complete
    ]
    return {
        "data": {"values": values},
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
