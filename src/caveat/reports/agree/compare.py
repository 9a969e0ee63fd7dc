"""Two models side by side, as sections."""

import math
from collections.abc import Iterator

from caveat.reports.numbers import UNDEFINED, between, counted, percent, whole
from caveat.reports.plots.task_slopes import task_slopes
from caveat.reports.section import Section
from caveat.reports.tables.pair import (
    figures_table,
    items_table,
    right_and_wrong_table,
    task_differences_table,
)
from caveat.reports.tables.paired import p_value, points
from caveat.results.comparison.pair import PairComparison, TaskVariation


def sections_of(found: PairComparison) -> tuple[Section, ...]:
    """Return the comparison as sections: the scores, the tasks, the items.

    Parameters
    ----------
    found : PairComparison
    """
    return tuple(
        section
        for section in (_scores(found), tasks_of(found), _items(found))
        if section is not None
    )


def _scores(found: PairComparison) -> Section:
    table = right_and_wrong_table(found)
    return Section(
        name="pair",
        title="Scores",
        sentences=(verdict_of(found), *_reading(found), *_answers(found), *_settle(found)),
        tables=(figures_table(found),) if table is None else (table, figures_table(found)),
        finding=verdict_of(found).removesuffix("."),
    )


def verdict_of(found: PairComparison) -> str:
    """Say in one sentence what the comparison shows."""
    test = found.test
    if test.p != test.p:
        return f"Nothing can be said of {found.a} and {found.b} by score: {test.reason}."
    figures = (
        f"{points(test.difference)} points on {counted(test.n, 'common item')}, "
        f"{percent(found.level).replace('.0', '')} interval {between(test.low, test.high, points)}"
    )
    margin = f"{points(found.margin)} points"
    if found.verdict in ("a is better", "b is better"):
        better, other = (found.a, found.b) if found.verdict[0] == "a" else (found.b, found.a)
        small = f", though by less than {margin}" if found.within_margin else ""
        said = f"{better} is better than {other}{small}"
    elif found.verdict == "equivalent":
        said = f"{found.a} and {found.b} are less than {margin} apart"
    else:
        said = (
            f"The items neither tell {found.a} and {found.b} apart nor show that they are less "
            f"than {margin} apart"
        )
    return f"{said} ({figures}; {_p(test.p)})."


def _p(value: float) -> str:
    written = p_value(value)
    return f"p {written}" if written.startswith("under") else f"p = {written}"


def _reading(found: PairComparison) -> Iterator[str]:
    test, own_a, own_b = found.test, found.own_a, found.own_b
    if not (math.isfinite(own_a.score) and math.isfinite(own_b.score) and test.n):
        return
    own = own_a.score - own_b.score
    if own_a.n == own_b.n == test.n:
        return
    turned = ", the other way round" if own * test.difference < 0 else ""
    yield (
        f"Over all of their own items the scores are {percent(own_a.score)} of "
        f"{whole(own_a.n)} and {percent(own_b.score)} of {whole(own_b.n)}{turned}; on the items "
        f"both have, {percent(test.score_a)} and {percent(test.score_b)}."
    )


def _answers(found: PairComparison) -> Iterator[str]:
    answers = found.answers
    if answers is None:
        return
    wrong = ""
    if math.isfinite(answers.both_wrong):
        wrong = (
            f"; both are wrong on {percent(answers.both_wrong)}, in the same way on "
            f"{percent(answers.same_wrong)}"
        )
    yield (
        f"They answer differently on {percent(answers.disagree)} of the "
        f"{counted(answers.n, 'item')} that both answered readably "
        f"({percent(found.level).replace('.0', '')} interval "
        f"{between(answers.low, answers.high, percent)}){wrong}."
    )


def _settle(found: PairComparison) -> Iterator[str]:
    test, power = found.test, percent(found.power).replace(".0", "")
    if found.verdict != "undecided" or test.p != test.p:
        return
    said = []
    if whole(test.needed) != UNDEFINED:
        said.append(f"about {counted(int(test.needed), 'item')} would find the observed difference")
    if whole(found.needed_equivalent) != UNDEFINED:
        said.append(
            f"about {counted(int(found.needed_equivalent), 'item')} would show that it is under "
            f"{points(found.margin)} points"
        )
    if said:
        yield f"What would settle it: {', and '.join(said)}, each {power} of the time."
    else:
        yield "No number of such items would settle it: the scores are equal."


def tasks_of(found: PairComparison) -> Section | None:
    """Return the differences by task; None where the source names fewer than two."""
    variation = found.variation
    if variation is None:
        return None
    return Section(
        name="pair-tasks",
        title="By task",
        sentences=(
            _ahead(found, variation),
            _varies(variation, found.level),
        ),
        tables=(task_differences_table(found),),
        plots=(task_slopes(found),),
    )


def _ahead(found: PairComparison, variation: TaskVariation) -> str:
    how = "(95% over all tasks together, by Holm's method)".replace(
        "95%", percent(found.level).replace(".0", "")
    )
    tasks = counted(len(found.tasks), "task")
    if not variation.a_ahead and not variation.b_ahead:
        return f"On none of {tasks} is either model significantly better {how}."
    return (
        f"Of {tasks}, {found.a} is significantly better on {whole(variation.a_ahead)} and "
        f"{found.b} on {whole(variation.b_ahead)} {how}."
    )


def _varies(variation: TaskVariation, level: float) -> str:
    if variation.p != variation.p:
        return (
            "Whether the difference varies by task cannot be tested: too few tasks have an error."
        )
    test = f"(Welch's test over {counted(variation.n_tasks, 'task')}, {_p(variation.p)})"
    if not variation.p < 1.0 - level:
        return f"The difference is not shown to vary by task {test}."
    meaning = "how much better one is depends on the mix of tasks"
    if variation.a_ahead and variation.b_ahead:
        meaning = "which model is better depends on the task, and on the mix of tasks"
    return f"The difference varies by task {test}: {meaning}."


def _items(found: PairComparison) -> Section | None:
    table = items_table(found)
    if table is None:
        return None
    same = (
        f"; {whole(found.n_same_score)} of them are answered differently with one score"
        if found.n_same_score
        else ""
    )
    return Section(
        name="pair-items",
        title="Items on which they differ",
        sentences=(f"They differ on {counted(found.n_differing, 'item')}{same}.",),
        tables=(table,),
    )
