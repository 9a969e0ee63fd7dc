"""Scores of models, overall and by task."""

from caveat.reports.numbers import UNDEFINED, between, counted, percent, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.agreement import ModelScore, Scores

MAX_TASKS = 40
_COUNTS = (
    ("unparsed", "Unparsed", "Answers that hold no readable choice"),
    ("refused", "Refused", ""),
    ("errors", "Errors", "Items that failed to run"),
    ("missing", "Missing", "Items other models have and this one lacks"),
    ("unscored", "Unscored", "Answers present without a score"),
)


def scores_table(scores: Scores) -> Table:
    """Return one row per model; counts that are zero for all models are left out."""
    counts = [c for c in _COUNTS if any(getattr(model, c[0]) for model in scores.models)]
    level = percent(scores.level).replace(".0", "")
    return Table(
        caption=f"Scores with {level} intervals, {counted(scores.n_items, 'item')}",
        columns=(
            Column("Model", text=True),
            Column("Score"),
            Column(f"{level} interval"),
            Column("Items scored"),
            *(Column(name, help=meaning) for _, name, meaning in counts),
        ),
        rows=tuple(_score_row(model, [c[0] for c in counts]) for model in scores.models),
    )


def _score_row(model: ModelScore, counts: list[str]) -> tuple[Cell, ...]:
    overall = model.overall
    return (
        Cell(model.model),
        figure(percent(overall.score), overall.reason),
        figure(between(overall.low, overall.high, percent), overall.reason),
        Cell(whole(overall.n)),
        *(Cell(whole(getattr(model, name))) for name in counts),
    )


def task_table(scores: Scores) -> Table | None:
    """Return models by tasks; None when no task is named."""
    tasks = sorted({task for model in scores.models for task in model.tasks})
    if not tasks:
        return None
    shown = tasks[:MAX_TASKS]
    note = (
        f"The first {MAX_TASKS} of {whole(len(tasks))} tasks are shown; "
        "the file that --json writes has all."
    )
    return Table(
        caption="Scores by task",
        columns=(Column("Model", text=True), *(Column(task) for task in shown)),
        rows=tuple(
            (Cell(model.model), *(_task_cell(model, task) for task in shown))
            for model in scores.models
        ),
        note=note if len(tasks) > MAX_TASKS else "",
    )


def _task_cell(model: ModelScore, task: str) -> Cell:
    estimate = model.tasks.get(task)
    if estimate is None:
        return Cell(UNDEFINED, "no item of this task")
    written = percent(estimate.score)
    if written == UNDEFINED:
        return Cell(written, estimate.reason or "undefined")
    bounds = between(estimate.low, estimate.high, percent)
    beside = "" if bounds == UNDEFINED else f", {bounds}"
    return Cell(written, f"{counted(estimate.n, 'item')}{beside}")
