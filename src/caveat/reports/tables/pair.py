"""Tables about two models."""

import math

from caveat.reports.numbers import UNDEFINED, between, counted, decimal, percent, whole
from caveat.reports.tables.paired import p_value, points
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.pair import DifferingItem, PairComparison, TaskDifference

NO_ANSWER = "no readable answer"


def figures_table(found: PairComparison) -> Table:
    """Return one row per figure of the comparison."""
    test, level = found.test, percent(found.level).replace(".0", "")
    power = percent(found.power).replace(".0", "")
    rows = [
        ("Items with a score for both", Cell(whole(test.n))),
        ("Difference, points", figure(points(test.difference), test.reason)),
        (f"{level} interval, points", figure(between(test.low, test.high, points), test.reason)),
        ("Standard error, points", figure(decimal(100 * test.se, 2), test.reason)),
        (f"p of no difference ({found.method})", figure(p_value(test.p), test.reason)),
        (
            f"p of {points(found.margin)} points or more apart",
            figure(p_value(test.p_equivalent), test.reason),
        ),
        ("Difference in standard deviations", figure(decimal(test.dz, 2), test.reason)),
        ("Cohen's g", figure(decimal(test.cohen_g, 2), test.reason or "no item tells them apart")),
        ("Odds ratio", _odds(found)),
        (
            f"Points found {power} of the time",
            figure(points(test.detectable), test.reason),
        ),
        (
            f"Items to find the observed difference {power} of the time",
            figure(whole(test.needed), test.reason),
        ),
        (
            f"Items to show it is under {points(found.margin)} points",
            figure(whole(found.needed_equivalent), "the observed difference is not under it"),
        ),
    ]
    if test.n_clusters != test.n:
        rows.insert(1, ("Clusters they fall in", Cell(whole(test.n_clusters))))
        rows.insert(5, ("Plain standard error, points", Cell(decimal(100 * test.se_plain, 2))))
    return Table(
        caption="Figures",
        columns=(Column("What", text=True, whole=True), Column("Value")),
        rows=tuple((Cell(name), value) for name, value in rows),
        note=f"Figures are of {found.a} less {found.b}.",
    )


def _odds(found: PairComparison) -> Cell:
    if math.isinf(found.odds_ratio):
        return Cell("infinite", f"no item that only {found.b} gets right")
    return figure(decimal(found.odds_ratio, 2), found.test.reason or "no item tells them apart")


def right_and_wrong_table(found: PairComparison) -> Table | None:
    """Return the two by two table of McNemar; None for scores other than 0 and 1."""
    if not math.isfinite(found.both_right):
        return None
    test = found.test
    return Table(
        caption="Items by who gets them right",
        columns=(
            Column("", text=True),
            Column(f"{found.b} right"),
            Column(f"{found.b} wrong"),
        ),
        rows=(
            (Cell(f"{found.a} right"), Cell(whole(found.both_right)), Cell(whole(test.only_a))),
            (Cell(f"{found.a} wrong"), Cell(whole(test.only_b)), Cell(whole(found.neither_right))),
        ),
    )


def task_differences_table(found: PairComparison) -> Table:
    """Return one row per task, the largest advantage of the first model on top."""
    level = percent(found.level).replace(".0", "")
    return Table(
        caption="Differences by task",
        columns=(
            Column("Task", text=True),
            Column("Items", help="With a score for both"),
            Column(found.a),
            Column(found.b),
            Column("Points"),
            Column(f"{level} interval"),
            Column("p"),
            Column("Holm p", help="Adjusted over the tasks"),
        ),
        rows=tuple(_task_row(row) for row in found.tasks),
    )


def _task_row(row: TaskDifference) -> tuple[Cell, ...]:
    return (
        Cell(row.task),
        Cell(whole(row.n)),
        figure(percent(row.score_a), row.reason),
        figure(percent(row.score_b), row.reason),
        figure(points(row.difference), row.reason),
        figure(between(row.low, row.high, points), row.reason),
        figure(p_value(row.p), row.reason),
        figure(p_value(row.p_holm), row.reason),
    )


def items_table(found: PairComparison) -> Table | None:
    """Return the items the two differ on, as many as the result names; None without any."""
    if not found.items:
        return None
    left = found.n_differing - len(found.items)
    return Table(
        caption="Items on which they differ",
        columns=(
            Column("Item", text=True),
            Column("Task", text=True),
            Column(found.a, text=True),
            Column(found.b, text=True),
            Column("Target", text=True),
            Column(f"Score of {found.a}"),
            Column(f"Score of {found.b}"),
        ),
        rows=tuple(_item_row(item) for item in found.items),
        note=f"{counted(left, 'more item')} on which they differ left out." if left else "",
    )


def _item_row(item: DifferingItem) -> tuple[Cell, ...]:
    return (
        Cell(item.item),
        Cell(item.task or ""),
        *(
            Cell(UNDEFINED, NO_ANSWER) if answer is None else Cell(answer)
            for answer in (item.answer_a, item.answer_b)
        ),
        Cell(item.target or ""),
        *(
            figure(decimal(score, 2).removesuffix(".00"), "no score")
            for score in (item.score_a, item.score_b)
        ),
    )
