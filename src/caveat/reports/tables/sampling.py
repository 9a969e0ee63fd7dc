"""How often models and providers were shown."""

from caveat.reports.numbers import UNDEFINED, counted, percent, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.stress.sampling import Sampling

_RELATIVE = (
    "Votes by what the model would have had if all models on the board were shown equally often"
)


def sampling_table(found: Sampling) -> Table:
    """Return one row per model, most votes first."""
    times = (Column("First", text=True), Column("Last", text=True)) if found.dated else ()
    return Table(
        caption="Votes by model",
        columns=(
            Column("Model", text=True),
            Column("Provider", text=True),
            Column("Votes"),
            Column("Share", help="Of all votes; a vote counts for both of its models"),
            Column("Times even", help=_RELATIVE),
            *times,
        ),
        rows=tuple(
            (
                Cell(one.model),
                Cell(one.provider or UNDEFINED),
                Cell(whole(one.n_votes)),
                Cell(percent(one.share)),
                figure(two(one.relative), "on the board for fewer than 7 days"),
                *((Cell(one.first or UNDEFINED), Cell(one.last or UNDEFINED)) if times else ()),
            )
            for one in found.models
        ),
        note=f"{counted(found.n_undated, 'vote')} without a time."
        if found.dated and found.n_undated
        else "",
    )


def provider_table(found: Sampling) -> Table:
    """Return one row per provider that a table of models names."""
    return Table(
        caption="Votes by provider",
        columns=(
            Column("Provider", text=True),
            Column("Models"),
            Column("Places in votes"),
            Column("Share"),
            Column("Times even", help=_RELATIVE),
        ),
        rows=tuple(
            (
                Cell(one.provider),
                Cell(whole(one.n_models)),
                Cell(whole(one.n_votes)),
                Cell(percent(one.share)),
                figure(two(one.relative), "on the board for fewer than 7 days"),
            )
            for one in found.providers
        ),
        note=f"{counted(found.n_unknown, 'model')} of unknown provider left out."
        if found.n_unknown
        else "",
    )
