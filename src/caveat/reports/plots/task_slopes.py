"""Per-task slopes: the score of two models on each task, joined by a line."""

import math
from typing import Any

from caveat.reports.numbers import between, counted, percent, whole
from caveat.reports.plots.plot import FLUID, Plot, Spec, base, tips
from caveat.reports.tables.pair import task_differences_table
from caveat.reports.tables.paired import p_value, points
from caveat.reports.visible import visible
from caveat.results.comparison.pair import PairComparison, TaskDifference

MAX_TASKS = 60
HEIGHT = 420
FIRST, SECOND = "left", "right"


def task_slopes(found: PairComparison) -> Plot:
    """Return one line per task from the score of one model to that of the other."""
    known = [row for row in found.tasks if math.isfinite(row.difference)]
    drawn = sorted(known, key=lambda row: -row.n)[:MAX_TASKS]
    a, b = visible(found.a), visible(found.b)
    tones = (f"{a} ahead", f"{b} ahead", "not told apart")
    alpha = 1.0 - found.level
    words = (
        f"Score on each task, {a} on the left and {b} on the right; colour says who is shown to be "
        "ahead there, after Holm's adjustment over the tasks."
    )
    values = [
        {**_row(task, _tone(task, alpha, tones)), "side": side, "score": 100 * score}
        for task in drawn
        for side, score in ((FIRST, task.score_a), (SECOND, task.score_b))
    ]
    spec = base(values, words, marks=2 * len(values))
    spec |= {"width": "container", "autosize": FLUID, "height": HEIGHT}
    spec |= {"layer": _layers(a, b, [tone for tone in tones if _has(values, tone)])}
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


def _tone(task: TaskDifference, alpha: float, tones: tuple[str, str, str]) -> str:
    if not task.p_holm < alpha:
        return tones[2]
    return tones[0] if task.difference > 0 else tones[1]


def _has(values: list[dict[str, Any]], tone: str) -> bool:
    return any(row["tone"] == tone for row in values)


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


def _layers(a: str, b: str, tones: list[str]) -> list[Spec]:
    label = f"datum.value == '{FIRST}' ? {_quoted(a)} : {_quoted(b)}"
    x: Spec = {
        "field": "side",
        "type": "nominal",
        "title": None,
        "scale": {"domain": [FIRST, SECOND], "padding": 0.35, "type": "point"},
        "axis": {"orient": "top", "labelExpr": label, "labelAngle": 0, "labelLimit": 300},
    }
    colour: Spec = {
        "field": "tone",
        "type": "nominal",
        "title": None,
        "scale": {"domain": tones, "range": "category"},
        "legend": {"orient": "bottom", "symbolOpacity": 1, "labelLimit": 300},
    }
    encoding: Spec = {
        "x": x,
        "y": {
            "field": "score",
            "type": "quantitative",
            "title": "Score, %",
            "scale": {"zero": False, "nice": True},
        },
        "color": colour,
        "detail": {"field": "task"},
    }
    tooltip = tips(
        ("task", "Task"),
        ("scores", "Scores"),
        ("points", "Points"),
        ("interval", "Interval"),
        ("p", "Holm p"),
        ("items", "Items"),
    )
    text = {"field": "task", "type": "nominal"}
    return [
        {
            "mark": {"type": "line", "strokeWidth": 2, "opacity": 0.75},
            "encoding": {**encoding, "tooltip": tooltip},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 46, "opacity": 1},
            "encoding": {**encoding, "tooltip": tooltip},
        },
        {
            "transform": [{"filter": f"datum.side == '{SECOND}'"}],
            "mark": {"type": "text", "align": "left", "dx": 9, "limit": 170},
            "encoding": {**{k: encoding[k] for k in ("x", "y")}, "text": text},
        },
    ]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
