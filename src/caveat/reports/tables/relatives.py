"""Families of models and how alike they are."""

from caveat.reports.numbers import counted, percent, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.relatives import KinshipTest, Relatives

MAX_PROPOSED = 200


def families_table(test: KinshipTest) -> Table:
    """Return one row per family, most alike first."""
    return Table(
        caption="Models of one family against unrelated models of such scores",
        columns=(
            Column("Family", text=True),
            Column("Models", text=True),
            Column("Pairs"),
            Column("More alike", help=f"{test.measure} beyond what scores explain"),
            Column("p", help="One-sided, by shuffling family names among models"),
            Column("p adjusted", help="By Holm over families"),
            Column("Disagree"),
            Column("Less than others", help="Than unrelated models of such scores"),
        ),
        rows=tuple(
            (
                Cell(row.family),
                Cell(", ".join(row.models)),
                Cell(whole(row.pairs)),
                figure(two(row.effect)),
                figure(p_value(row.p)),
                figure(p_value(row.p_adjusted)),
                figure(percent(row.disagree)),
                figure(percent(row.disagree_less)),
            )
            for row in test.families
        ),
    )


def p_value(p: float) -> str:
    """Write a p value with as many digits as tell it from 0."""
    return two(p) if not p < 0.095 else f"{p:.3f}" if p >= 0.0005 else "< 0.001"


def proposal_table(found: Relatives) -> Table:
    """Return one row per model whose name suggests a family."""
    rows = sorted(found.proposal.items(), key=lambda row: (row[1], row[0]))
    left = len(rows) - MAX_PROPOSED
    return Table(
        caption="Families that names suggest: a proposal for a table with columns model and family",
        columns=(Column("Model", text=True), Column("Family", text=True)),
        rows=tuple((Cell(model), Cell(family)) for model, family in rows[:MAX_PROPOSED]),
        note=f"{counted(left, 'model')} left out." if left > 0 else "",
    )
