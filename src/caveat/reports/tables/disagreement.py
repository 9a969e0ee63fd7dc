"""How models of equal score disagree."""

from collections.abc import Mapping

from caveat.reports.numbers import between, counted, percent, two, whole
from caveat.reports.tables.pairs import BY_CHANCE
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.disagreement import Disagreement, PairRow
from caveat.results.comparison.group_agreement import Bounded, GroupAgreement

POLICIES: Mapping[str, str] = {
    "drop": "left out",
    "as-disagreement": "unlike any other",
    "as-option": "alike among themselves",
}
TASK_PAIRS, TASK_COLUMNS = 30, 20
_NO_SCORES = "right and wrong are unknown"
_ONE_ANSWER = "all answers are the same, as they would be by chance alone"
_NO_INTERVAL = "nothing varies"


def policy_table(found: Disagreement) -> Table:
    """Return one row per policy for unparsed answers."""
    return Table(
        caption=f"What unparsed answers count as, and how far {pairs_of(found)} disagree",
        columns=(
            Column("Unparsed answers", text=True),
            Column("Pairs"),
            Column("Items a pair", help="Fewest and most that count"),
            Column("Least"),
            Column("Median"),
            Column("Most"),
            Column("Pair that disagrees most", text=True),
        ),
        rows=tuple(
            (
                Cell(
                    POLICIES.get(row.policy, row.policy)
                    + (" (here)" if row.policy == found.policy else ""),
                    f"--policy {row.policy}",
                ),
                Cell(whole(row.n_pairs)),
                Cell(_span(row.fewest, row.most)),
                *(
                    figure(percent(value), "no item counts for both")
                    for value in (row.lowest, row.median, row.highest)
                ),
                Cell(" and ".join(row.highest_pair)),
            )
            for row in found.policies
        ),
    )


def pairs_of(found: Disagreement) -> str:
    """Say which pairs a table is about."""
    if found.over == "matched":
        return f"pairs within {100 * found.points:g} points of score"
    return "all pairs"


def _span(low: int, high: int) -> str:
    return whole(low) if low == high else f"{whole(low)} to {whole(high)}"


def pair_rows(found: Disagreement, why: Mapping[str, str]) -> Table:
    """Return one row per pair looked at, most disagreement first.

    Parameters
    ----------
    found : Disagreement
    why : mapping of str to str
        Why figures of all pairs are undefined.
    """
    rows = tuple(_pair(row, why) for row in found.pairs)
    total = found.n_matched if found.over == "matched" else found.n_pairs
    note = ""
    if len(rows) < total:
        note = f"{whole(len(rows))} of {whole(total)} pairs"
        if found.n_judged < total:
            note += f", the most disagreement among the {whole(found.n_judged)} of highest score"
        note += "; the file that --json writes has the figures of all pairs."
    return Table(
        caption=f"{pairs_of(found).capitalize()}, most disagreement first",
        columns=(
            Column("Model", text=True),
            Column("and", text=True),
            Column("Items"),
            Column("Scores", help="On the items both have"),
            Column("Disagree"),
            Column("Interval"),
            Column(
                "Can be",
                help="Least and most disagreement that two models of these scores can have",
            ),
            Column("Place", help="Where the disagreement lies between these, 0 to 1"),
            Column("One right", help="Exactly one of the two is right"),
            Column("Both wrong"),
            Column("Same wrong answer"),
            Column("Kappa", help="Cohen's kappa of the answers"),
            Column("CAPA", help="Agreement beyond that of two models of these scores"),
            Column("Error consistency", help="Right or wrong together, beyond chance"),
        ),
        rows=rows,
        note=note,
    )


def _pair(row: PairRow, why: Mapping[str, str]) -> tuple[Cell, ...]:
    return (
        Cell(row.a),
        Cell(row.b),
        Cell(whole(row.n)),
        Cell(f"{percent(row.score_a)} / {percent(row.score_b)}"),
        figure(percent(row.disagree)),
        figure(between(row.low, row.high, percent)),
        figure(between(row.feasible_low, row.feasible_high, percent), _NO_SCORES),
        figure(two(row.position), "the scores leave one value, or are unknown"),
        figure(percent(row.one_right), _NO_SCORES),
        figure(percent(row.both_wrong), _NO_SCORES),
        figure(percent(row.same_wrong), _NO_SCORES),
        _bounded(row.kappa, why.get("kappa", BY_CHANCE)),
        _bounded(row.capa, why.get("capa", BY_CHANCE)),
        _bounded(row.error_consistency, why.get("both_wrong", BY_CHANCE)),
    )


def _bounded(value: Bounded, why: str) -> Cell:
    """Return the figure; its interval, or why it is undefined, on a closer look."""
    if value.value != value.value:
        return figure(two(value.value), why)
    limits = between(value.low, value.high, two)
    return Cell(two(value.value), limits if limits != two(float("nan")) else "no interval")


def task_range_table(found: Disagreement) -> Table:
    """Return one row per task, most disagreement first."""
    return Table(
        caption=f"Disagreement of {pairs_of(found)} by task",
        columns=(
            Column("Task", text=True),
            Column("Items"),
            Column("Least"),
            Column("Median"),
            Column("Most"),
            Column("Of all differences", help="Share of all differing answers of these pairs"),
            Column("Of all items", help="Share of all items that count for these pairs"),
        ),
        rows=tuple(
            (
                Cell(row.task),
                Cell(whole(row.n_items)),
                *(
                    figure(percent(value), f"no pair has {found.min_task_items} items of it")
                    for value in (row.lowest, row.median, row.highest)
                ),
                figure(percent(row.share), "nothing differs"),
                figure(percent(row.share_items)),
            )
            for row in found.tasks
        ),
    )


def pair_task_table(found: Disagreement) -> Table | None:
    """Return pairs by tasks; None with fewer than two tasks."""
    known = [row.task for row in found.tasks if row.n_pairs]
    tasks = known[:TASK_COLUMNS]
    if len(tasks) < 2 or not found.pairs:
        return None
    shown = found.pairs[:TASK_PAIRS]
    left = len(found.pairs) - len(shown), len(known) - len(tasks)
    return Table(
        caption="The same pairs, task by task",
        columns=(
            Column("Model", text=True),
            Column("and", text=True),
            Column("All"),
            *(Column(task) for task in tasks),
        ),
        rows=tuple(
            (
                Cell(row.a),
                Cell(row.b),
                Cell(percent(row.disagree)),
                *(
                    figure(
                        percent(row.tasks.get(task, float("nan"))),
                        f"fewer than {found.min_task_items} items",
                    )
                    for task in tasks
                ),
            )
            for row in shown
        ),
        note=" and ".join(
            counted(number, word)
            for number, word in zip(left, ("more pair", "more task"), strict=True)
            if number
        )
        + (" in the file that --json writes." if any(left) else ""),
    )


def group_table(found: Disagreement) -> Table:
    """Return one row per group of models."""
    return Table(
        caption="Agreement of groups of models",
        columns=(
            Column("Group", text=True),
            Column("Models"),
            Column("Items", help="With two answers or more"),
            Column("Agree", help="Share of pairs of answers to an item that are the same"),
            Column("Interval"),
            Column("Alpha", help="Krippendorff's alpha"),
            Column("Interval"),
            Column("AC1", help="Gwet's AC1"),
            Column("Interval"),
            Column("Fleiss' kappa"),
            Column("Interval"),
        ),
        rows=tuple(_group(group) for group in found.groups),
    )


def _group(group: GroupAgreement) -> tuple[Cell, ...]:
    name = group.group if group.kind in ("all", "tier", "named") else f"{group.kind} {group.group}"
    return (
        Cell(name, ", ".join(group.models)),
        Cell(whole(len(group.models))),
        Cell(whole(group.n_items)),
        figure(percent(group.observed.value), group.reason),
        figure(between(group.observed.low, group.observed.high, percent), group.reason),
        *(
            cell
            for value in (group.alpha, group.gwet, group.fleiss)
            for cell in (
                figure(two(value.value), group.reason or _ONE_ANSWER),
                figure(between(value.low, value.high, two), group.reason or _NO_INTERVAL),
            )
        ),
    )


def alike_table(found: Disagreement) -> Table | None:
    """Return the pairs whose errors are most alike; None where that is unknown."""
    if found.shared is None or not found.shared.most_alike:
        return None
    return Table(
        caption="Pairs whose errors are most alike",
        columns=(
            Column("Model", text=True),
            Column("and", text=True),
            Column("CAPA"),
            Column("Interval"),
            Column("Error consistency"),
            Column("Interval"),
            Column("Both wrong"),
            Column("Same wrong answer"),
        ),
        rows=tuple(
            (
                Cell(row.a),
                Cell(row.b),
                figure(two(row.capa.value), "number of options unknown"),
                figure(between(row.capa.low, row.capa.high, two), "number of options unknown"),
                figure(two(row.error_consistency.value)),
                figure(between(row.error_consistency.low, row.error_consistency.high, two)),
                Cell(percent(row.both_wrong)),
                Cell(percent(row.same_wrong)),
            )
            for row in found.shared.most_alike
        ),
    )
