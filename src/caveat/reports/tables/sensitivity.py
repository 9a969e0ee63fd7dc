"""Scores and places by prompt, parser, run or seed."""

from collections.abc import Mapping

from caveat.reports.numbers import counted, one, percent, ranks, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.sensitivity import VariantSensitivity

KINDS: Mapping[str, str] = {
    "repeat": "repeat",
    "run": "run",
    "prompt": "prompt",
    "filter": "reading of the answer",
    "metric": "metric",
    "host": "host",
}
MAX_MODELS = 60
MAX_VARIANTS = 8


def variants_table(found: VariantSensitivity) -> Table:
    """Return one row per variant: whom it puts first, and how close it is to the first one."""
    return Table(
        caption=f"The order of models by {KINDS[found.source]}; all are compared with the first",
        columns=(
            Column(KINDS[found.source].capitalize(), text=True),
            Column("First", text=True),
            Column("Tau", help="Kendall's tau-b with the first: 1 is the same order"),
            Column("Pairs turned", help="In the other order than under the first"),
            Column("Surely", help="Those in which both orders are beyond sampling error"),
        ),
        rows=tuple(
            (
                Cell(row.variant),
                Cell(row.first),
                figure(two(row.tau)),
                Cell(whole(row.turned)),
                Cell(whole(row.turned_surely)),
            )
            for row in found.variants
        ),
        note="; ".join(f"{name} left out: {why}" for name, why in found.left_out.items()),
    )


def spans_table(found: VariantSensitivity) -> Table:
    """Return one row per model, those whose score moves most first."""
    rows = sorted(found.models, key=lambda row: (-row.moved, row.model))
    shown = found.variants[:MAX_VARIANTS]
    notes = []
    if len(rows) > MAX_MODELS:
        notes.append(f"{counted(len(rows) - MAX_MODELS, 'model')} that move less left out.")
    if len(found.variants) > MAX_VARIANTS:
        notes.append(f"Scores under the first {MAX_VARIANTS} of {len(found.variants)}.")
    return Table(
        caption=f"Scores and places of models by {KINDS[found.source]}",
        columns=(
            Column("Model", text=True),
            Column("Places", help="Best and worst, on the items that all models have"),
            Column("Moves by", help="Largest less smallest score, in points"),
            *(Column(row.variant) for row in shown),
            Column("Items", help="Of the model, scored under all variants"),
        ),
        rows=tuple(
            (
                Cell(row.model),
                Cell(ranks(min(row.ranks), max(row.ranks))),
                figure(one(100 * row.moved)),
                *(figure(percent(score)) for score in row.scores[:MAX_VARIANTS]),
                Cell(whole(row.n)),
            )
            for row in rows[:MAX_MODELS]
        ),
        note=" ".join(notes),
    )
