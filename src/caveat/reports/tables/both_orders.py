"""Verdicts before and after the order is turned."""

from caveat.reports.numbers import counted, percent, whole
from caveat.reports.tables.table import Cell, Column, Table
from caveat.results.stress.position import BothOrders


def both_orders_table(pairs: BothOrders) -> Table:
    """Return what became of the pairs of verdicts."""
    rows = (
        ("the same model wins both times", pairs.same_model),
        ("a tie both times", pairs.same_tie),
        ("the first shown wins both times", pairs.first_both),
        ("the second shown wins both times", pairs.second_both),
        ("the first shown wins once, a tie once", pairs.first_half),
        ("the second shown wins once, a tie once", pairs.second_half),
    )
    notes = [
        f"{counted(pairs.n_single, 'more judgement')} in one order only" if pairs.n_single else "",
        f"{whole(pairs.n_repeated)} made more than once in an order" if pairs.n_repeated else "",
    ]
    left = [note for note in notes if note]
    return Table(
        caption="Verdicts of one judge on the same two answers in both orders",
        columns=(Column("Verdicts", text=True), Column("Pairs"), Column("Share")),
        rows=tuple(
            (Cell(text), Cell(whole(n)), Cell(percent(n / pairs.n_pairs))) for text, n in rows
        ),
        note=f"Left out: {'; '.join(left)}." if left else "",
    )
