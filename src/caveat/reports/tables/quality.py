"""What is wrong with the responses of a benchmark, as tables; sound data gives none."""

from caveat.reports.numbers import counted, decimal, percent, whole
from caveat.reports.tables.table import Cell, Column, Table
from caveat.results.quality import ResponseQuality


def quality_tables(quality: ResponseQuality) -> tuple[Table, ...]:
    """Return one table per kind of finding that has any rows."""
    made = (_missing(quality), _unparsed(quality), _fills(quality), _gold(quality))
    return tuple(table for table in made if table.rows)


def degenerate_sentence(quality: ResponseQuality) -> str:
    """Say how many items cannot tell models apart; empty when there are none."""
    found = quality.degenerate
    if found is None or not (found.one_option or found.gold_outside):
        return ""
    return (
        f"Of {counted(found.n_items, 'item')}, {whole(found.one_option)} offer one option and "
        f"{whole(found.gold_outside)} have a gold answer outside their options."
    )


def _missing(quality: ResponseQuality) -> Table:
    return Table(
        caption="Items missing by model",
        columns=(
            Column("Model", text=True),
            Column("Missing"),
            Column("Of items"),
            Column("Tasks they fall in", text=True),
        ),
        rows=tuple(
            (
                Cell(row.model),
                Cell(whole(row.missing)),
                Cell(whole(row.items)),
                Cell("; ".join(f"{t} {whole(m)} of {whole(n)}" for t, m, n in row.tasks[:5])),
            )
            for row in quality.missing
            if row.missing
        ),
    )


def _unparsed(quality: ResponseQuality) -> Table:
    rows = sorted(quality.unparsed, key=lambda row: -row.share)
    return Table(
        caption="Answers without a readable choice",
        columns=(
            Column("Model", text=True),
            Column("Unparsed"),
            Column("Answers"),
            Column("Share"),
        ),
        rows=tuple(
            (Cell(r.model), Cell(whole(r.unparsed)), Cell(whole(r.n)), Cell(percent(r.share)))
            for r in rows
            if r.unparsed
        ),
    )


def _fills(quality: ResponseQuality) -> Table:
    return Table(
        caption="Answers that stand where the text holds none",
        columns=(
            Column("Model", text=True),
            Column("Without answer"),
            Column("Filled"),
            Column("Most frequent fill", text=True),
            Column("Share of fills"),
            Column("Expected"),
            Column("p", help="Fisher's exact test, adjusted over models and answers"),
            Column("Counted correct"),
        ),
        rows=tuple(
            (
                Cell(fill.model),
                Cell(whole(fill.unparseable)),
                Cell(whole(fill.filled)),
                Cell(fill.answer),
                Cell(percent(fill.n_answer / fill.filled)),
                Cell(percent(fill.expected)),
                Cell(probability(fill.p)),
                Cell(whole(fill.correct)),
            )
            for fill in quality.fills
            if fill.filled
        ),
    )


def probability(p: float) -> str:
    """Write a p value; very small ones as a bound."""
    return "< 0.001" if p < 0.001 else decimal(p, 3)


def _gold(quality: ResponseQuality) -> Table:
    found = quality.gold
    return Table(
        caption="Items whose gold answer differs between models",
        columns=(Column("Item", text=True), Column("Gold answers", text=True)),
        rows=tuple(
            (Cell(item), Cell(" | ".join(golds)))
            for item, golds in (found.examples if found else ())
        ),
        note=f"Examples; {counted(found.items, 'item')} of {whole(found.n_items)} in all."
        if found
        else "",
    )
