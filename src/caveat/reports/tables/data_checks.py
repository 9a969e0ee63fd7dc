"""Signs that responses are not what they seem, as tables; a check without findings gives none."""

from collections.abc import Iterator

from caveat.reports.numbers import between, counted, one, percent, whole
from caveat.reports.tables.quality import probability
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.data_checks import DataChecks

_NOTE = "The first are listed."


def data_tables(found: DataChecks) -> tuple[Table, ...]:
    """Return one table for each check that found something to list."""
    made = (
        *_readings(found),
        *_lost(found),
        *_missing(found),
        *_repeated(found),
        *_revised(found),
        *_copies(found),
        *_contradicted(found),
        *_published(found),
        *_breaks(found),
    )
    return tuple(made)


def _readings(found: DataChecks) -> Iterator[Table]:
    if len(found.readings) < 2 or all(one.used == one.rows for one in found.readings):
        return
    yield Table(
        caption="Scores of one answer: which count",
        columns=(
            Column("Metric", text=True),
            Column("Filter", text=True),
            Column("Rows"),
            Column("Counted"),
        ),
        rows=tuple(
            (
                Cell(read.metric or "(unnamed)"),
                Cell(read.filter or "(unnamed)"),
                Cell(whole(read.rows)),
                Cell(whole(read.used)),
            )
            for read in found.readings
        ),
    )


def _lost(found: DataChecks) -> Iterator[Table]:
    if found.lost:
        yield Table(
            caption="Models whose format the reading in use misses",
            columns=(
                Column("Model", text=True),
                Column("Items"),
                Column("Score"),
                Column("Other reading", text=True),
                Column("Score by it"),
                Column("Usual gain", help="Of the median model, in points"),
            ),
            rows=tuple(
                (
                    Cell(lost.model),
                    Cell(whole(lost.n)),
                    Cell(percent(lost.score)),
                    Cell(lost.reading),
                    Cell(percent(lost.other_score)),
                    Cell(one(100 * lost.usual)),
                )
                for lost in found.lost
            ),
        )


def _missing(found: DataChecks) -> Iterator[Table]:
    if found.not_at_random:
        yield Table(
            caption="Items without a score that are not like the others",
            columns=(
                Column("Model", text=True),
                Column("Items without"),
                Column("Of items"),
                Column("Others there", help="Mean score of the other models on these items"),
                Column("Others elsewhere", help="Mean score of the other models on the rest"),
                Column("Spread over tasks", help="p value that chance spread them like this"),
                Column("Tasks with most", text=True),
            ),
            rows=tuple(
                (
                    Cell(row.model),
                    Cell(whole(row.missing)),
                    Cell(whole(row.items)),
                    figure(percent(row.score_missing), "no other model has them"),
                    figure(percent(row.score_present)),
                    Cell(probability(row.p_tasks))
                    if row.p_tasks == row.p_tasks
                    else figure(percent(row.p_tasks), "no tasks are named"),
                    Cell("; ".join(f"{t} {whole(m)} of {whole(n)}" for t, m, n in row.tasks[:5])),
                )
                for row in found.not_at_random
            ),
        )


def _repeated(found: DataChecks) -> Iterator[Table]:
    for kind in found.repeated:
        by = "answers of all models" if kind.by == "answers" else kind.by
        yield Table(
            caption="Items that stand under several ids",
            columns=(Column("Ids", text=True), Column("Found by", text=True)),
            rows=tuple((Cell(", ".join(group)), Cell(by)) for group in kind.groups),
            note=_NOTE if kind.items > sum(len(group) - 1 for group in kind.groups) else "",
        )


def _revised(found: DataChecks) -> Iterator[Table]:
    rows = [
        (Cell(item), Cell("options"), Cell(f"{whole(low)} to {whole(high)}"))
        for item, low, high in (found.options.examples if found.options else ())
    ]
    rows += [
        (Cell(item), Cell(kind.by), Cell(counted(n, "content")))
        for kind in found.revised
        for item, n in kind.examples
    ]
    total = sum(kind.items for kind in found.revised)
    total += found.options.items if found.options else 0
    if rows:
        yield Table(
            caption="Items that are not the same for all models",
            columns=(
                Column("Item", text=True),
                Column("What differs", text=True),
                Column("How", text=True),
            ),
            rows=tuple(rows),
            note=_NOTE if total > len(rows) else "",
        )


def _copies(found: DataChecks) -> Iterator[Table]:
    if found.alike:
        yield Table(
            caption="Models with one file of answers",
            columns=(
                Column("Model", text=True),
                Column("Other model", text=True),
                Column("Items"),
                Column("Alike"),
                Column("Both wrong"),
            ),
            rows=tuple(
                (
                    Cell(pair.a),
                    Cell(pair.b),
                    Cell(whole(pair.n)),
                    Cell(whole(pair.same)),
                    Cell(whole(pair.both_wrong)),
                )
                for pair in found.alike
            ),
        )


def _contradicted(found: DataChecks) -> Iterator[Table]:
    if found.contradicted:
        yield Table(
            caption="Scores that prediction and target contradict",
            columns=(
                Column("Model", text=True),
                Column("Answers"),
                Column("Right, scored 0"),
                Column("Another option, scored 1"),
            ),
            rows=tuple(
                (
                    Cell(row.model),
                    Cell(whole(row.n)),
                    Cell(whole(row.right_scored_wrong)),
                    Cell(whole(row.wrong_scored_right)),
                )
                for row in found.contradicted
            ),
        )


def _published(found: DataChecks) -> Iterator[Table]:
    if found.unmatched:
        yield Table(
            caption="Published scores beside what the items give",
            columns=(
                Column("Model", text=True),
                Column("Task", text=True),
                Column("Metric", text=True),
                Column("Published"),
                Column("From the items", help="The nearest of the usual readings"),
                Column("Range of readings"),
                Column("Nearest reading", text=True),
                Column("Items"),
            ),
            rows=tuple(
                (
                    Cell(row.model),
                    Cell(row.task),
                    Cell(row.metric),
                    Cell(percent(row.published)),
                    Cell(percent(row.computed)),
                    Cell(between(row.low, row.high, percent)),
                    Cell(row.reading),
                    Cell(whole(row.n)),
                )
                for row in found.unmatched
            ),
        )


def _breaks(found: DataChecks) -> Iterator[Table]:
    if found.breaks:
        yield Table(
            caption="Models whose lead is another on one part of the items",
            columns=(
                Column("Model", text=True),
                Column("Part", text=True),
                Column("Items"),
                Column("Other items"),
                Column("Gain", help="Lead over the others there less that elsewhere, in points"),
                Column("Interval"),
                Column("Above the line", help="Points above what its score elsewhere predicts"),
                Column("p", help="Adjusted over models by Holm"),
            ),
            rows=tuple(
                (
                    Cell(row.model),
                    Cell(row.part),
                    Cell(whole(row.n)),
                    Cell(whole(row.n_rest)),
                    Cell(one(100 * row.gain)),
                    Cell(between(100 * row.low, 100 * row.high, one)),
                    figure(one(100 * row.excess), "no line can be drawn"),
                    Cell(probability(row.p_adjusted)),
                )
                for row in found.breaks
            ),
        )
