"""Per-task slopes: the score of two models on each task, joined by a line."""

import math
from collections.abc import Iterator

from caveat.reports.numbers import between, counted, percent, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.pair import task_differences_table
from caveat.reports.tables.paired import p_value, points
from caveat.reports.visible import visible
from caveat.results.comparison.pair import PairComparison, TaskDifference

MAX_TASKS = 60
NAMED = 16
"""Tasks with a name beside their line."""
HIGHEST = 100.0
HEIGHT = 420
LINE = 14
AHEAD_LEFT, AHEAD_RIGHT, UNTOLD = "Left one ahead", "Right one ahead", "Not told apart"


def task_slopes(found: PairComparison) -> Plot:
    """Return one line per task from the score of one model to that of the other."""
    known = [row for row in found.tasks if math.isfinite(row.difference)]
    drawn = sorted(known, key=lambda row: -row.n)[:MAX_TASKS]
    alpha = 1.0 - found.level
    words = (
        "Score on each task, one line a task, one model on the left and the other on the right; "
        "colour says which is shown to be ahead there, after Holm's adjustment over the tasks."
    )
    named = _named(drawn)
    if len(named) < len(drawn):
        words += (
            f" Names are those of the {whole(len(named))} tasks on which the two differ most; the "
            "others have theirs on hovering and in the table."
        )
    places = _spread([100 * drawn[k].score_b for k in named], _range(drawn))
    label_at = dict(zip(named, places, strict=True))
    values: list[Spec] = []
    for number, task in enumerate(drawn):
        row = _row(task, _tone(task, alpha))
        place = label_at.get(number)
        ends = ((found.a, task.score_a), (found.b, task.score_b))
        values += [
            {**row, "model": visible(model), "score": 100 * score, "place": place, "end": end}
            for end, (model, score) in enumerate(ends)
        ]
    spec = base(values, words, marks=2 * len(values))
    spec |= {"width": "container", "autosize": FLUID, "height": HEIGHT}
    present = {row["tone"] for row in values}
    spec |= {
        "layer": _layers(
            [t for t in (AHEAD_LEFT, AHEAD_RIGHT, UNTOLD) if t in present], _top(drawn)
        )
    }
    left = len(found.tasks) - len(drawn)
    return Plot(
        name="task-slopes",
        title="Scores by task",
        description=words,
        spec=spec,
        table=task_differences_table(found),
        note=f"{counted(left, 'task')} not drawn: the smallest, or without a score for both."
        if left
        else "",
    )


def _named(drawn: list[TaskDifference]) -> list[int]:
    """Return the tasks that get a name beside their line: as many as have room."""
    if len(drawn) <= NAMED:
        return list(range(len(drawn)))
    return sorted(range(len(drawn)), key=lambda k: -abs(drawn[k].difference))[:NAMED]


def _tone(task: TaskDifference, alpha: float) -> str:
    if not task.p_holm < alpha:
        return UNTOLD
    return AHEAD_LEFT if task.difference > 0 else AHEAD_RIGHT


def _top(drawn: list[TaskDifference]) -> float:
    """Return where the axis ends: at the next ten above the highest score, 100 at most."""
    best = max((100 * s for task in drawn for s in (task.score_a, task.score_b)), default=HIGHEST)
    return max(min(HIGHEST, 10 * math.ceil(best / 10 + 0.2)), best)


def _range(drawn: list[TaskDifference]) -> float:
    scores = [100 * score for task in drawn for score in (task.score_a, task.score_b)]
    return max(scores, default=0.0) - min(scores, default=0.0)


def _spread(scores: list[float], span: float) -> list[float]:
    """Move labels of near scores apart, each clump around where it belongs, where there is room."""
    gap = span * LINE / HEIGHT
    if gap * len(scores) > span:
        return scores
    order = sorted(range(len(scores)), key=lambda k: scores[k])
    clumps: list[tuple[float, int]] = []  # lowest place before gaps, and labels
    for rank, k in enumerate(order):
        place, size = scores[k] - rank * gap, 1
        while clumps and clumps[-1][0] > place:
            other, more = clumps.pop()
            place, size = (place * size + other * more) / (size + more), size + more
        clumps.append((place, size))
    flat = [place for place, size in clumps for _ in range(size)]
    # The axis goes from 0 to 100: labels beyond an end move back, each pushing the next one.
    made = [max(p, 0.0) + rank * gap for rank, p in enumerate(flat)]
    for rank, top in zip(reversed(range(len(made))), _steps(HIGHEST, gap), strict=False):
        made[rank] = min(made[rank], top)
    placed = dict(zip(order, made, strict=True))
    return [placed[k] for k in range(len(scores))]


def _steps(top: float, gap: float) -> Iterator[float]:
    while True:
        yield top
        top -= gap


def _row(task: TaskDifference, tone: str) -> Spec:
    return {
        "task": visible(task.task),
        "tone": tone,
        "items": whole(task.n),
        "scores": f"{percent(task.score_a)} and {percent(task.score_b)}",
        "points": points(task.difference),
        "interval": between(task.low, task.high, points),
        "p": p_value(task.p_holm),
    }


def _layers(tones: list[str], highest: float) -> list[Spec]:
    x: Spec = {
        "field": "model",
        "type": "nominal",
        "sort": None,
        "title": None,
        "scale": {"padding": 0.35, "type": "point"},
        "axis": {"orient": "top", "labelAngle": 0, "labelLimit": 300},
    }
    colour: Spec = {
        "field": "tone",
        "type": "nominal",
        "title": None,
        "scale": {"domain": tones, "range": "category"},
        "legend": {"orient": "bottom", "symbolOpacity": 1},
    }
    # Room above the highest score, but none above what a score can be.
    scale: Spec = {"zero": False, "nice": True, "domainMax": highest}
    y: Spec = {"type": "quantitative", "title": "Score, %", "scale": scale}
    tooltip = tips(
        ("task", "Task"),
        ("scores", "Scores"),
        ("points", "Points"),
        ("interval", "Interval"),
        ("p", "Holm p"),
        ("items", "Items"),
    )
    encoding: Spec = {"x": x, "y": {**y, "field": "score"}, "color": colour, "tooltip": tooltip}
    return [
        {
            "mark": {"type": "line", "strokeWidth": 2, "opacity": 0.75},
            "encoding": {**encoding, "detail": {"field": "task"}},
        },
        {"mark": {"type": "point", "filled": True, "size": 46, "opacity": 1}, "encoding": encoding},
        {
            "transform": [{"filter": "datum.end == 1 && isValid(datum.place)"}],
            "mark": {"type": "text", "align": "left", "dx": 9, "limit": 170},
            "encoding": {
                "x": x,
                "y": {**y, "field": "place"},
                "text": {"field": "task", "type": "nominal"},
            },
        },
    ]
