"""What the ratings do not explain."""

from caveat.reports.numbers import counted, decimal, one, percent, whole
from caveat.reports.tables.quality import probability
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.stress.fit import Cycles, Fit

MAX_MODELS = 20


def model_fit_table(found: Fit) -> Table:
    """Return the models whose votes fit worst."""
    return Table(
        caption="Models whose votes the ratings fit worst",
        columns=(
            Column("Model", text=True),
            Column("Votes"),
            Column("Opponents"),
            Column("Points off", help="Typical departure of its win shares, noise left out"),
            Column("Misfit", help="Sum of squared residuals by what noise would make it"),
            Column("p, adjusted", help="Holm's method, over all models"),
        ),
        rows=tuple(
            (
                Cell(model.model),
                Cell(whole(model.n_votes)),
                Cell(whole(model.n_pairs)),
                figure(decimal(100 * model.tau, 1)),
                figure(decimal(model.pearson / model.expected, 1) if model.expected else "–"),  # noqa: RUF001
                Cell(probability(model.p_adjusted)),
            )
            for model in found.models[:MAX_MODELS]
        ),
        note=f"{counted(len(found.models) - MAX_MODELS, 'model')} that fit better left out."
        if len(found.models) > MAX_MODELS
        else "",
    )


def pair_fit_table(found: Fit) -> Table:
    """Return the pairs whose votes fit worst."""
    return Table(
        caption="Pairs that the ratings fit worst; the first won more than they say",
        columns=(
            Column("Model", text=True),
            Column("against", text=True),
            Column("Votes"),
            Column("Won"),
            Column("Expected"),
            Column("z"),
            Column("p, adjusted", help="A bound for any number of votes; Holm's method, all pairs"),
        ),
        rows=tuple(
            (
                Cell(pair.a),
                Cell(pair.b),
                Cell(whole(pair.n_votes)),
                Cell(percent(pair.observed)),
                Cell(percent(pair.expected)),
                Cell(one(pair.z)),
                Cell(probability(pair.p_adjusted)),
            )
            for pair in found.pairs
        ),
        note=f"{counted(found.n_pairs, 'pair')} in all.",
    )


def cycle_table(found: Cycles) -> Table:
    """Return the circles of three that are beyond chance in every pair."""
    left = found.n_beyond_doubt - len(found.listed)
    return Table(
        caption="Circles of three, each pair beyond chance",
        columns=(
            Column("First", text=True),
            Column("beats", text=True),
            Column("which beats", text=True),
            Column("First wins"),
            Column("Second wins"),
            Column("Third wins"),
            Column("p, adjusted", help="Largest of the three; Holm's method, over all pairs"),
        ),
        rows=tuple(
            (
                *(Cell(model) for model in cycle.models),
                *(Cell(percent(share)) for share in cycle.shares),
                Cell(probability(cycle.p_adjusted)),
            )
            for cycle in found.listed
        ),
        note=f"{counted(left, 'circle')} more." if left else "",
    )
