"""The board: one row per model, best first."""

import math

from caveat.reports.numbers import UNDEFINED, between, counted, percent, ranks, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.ranking import Ranking, RatedModel

MAX_PAIRS = 10_000


def board_table(ranking: Ranking) -> Table:
    """Return rating, interval, ranks, tier and votes of each model."""
    level = percent(ranking.level).replace(".0", "")
    return Table(
        caption=f"Ratings with {level} intervals, and the ranks the votes allow",
        columns=(
            Column("Model", text=True),
            Column("Rating"),
            Column(f"{level} interval"),
            Column("Ranks", help="Best and worst rank, simultaneously for all models"),
            Column("Tier", help="Tier 1 is not separable from the leader"),
            Column("Votes"),
            Column("Opponents"),
        ),
        rows=tuple(_board_row(model) for model in ranking.models),
    )


def _board_row(model: RatedModel) -> tuple[Cell, ...]:
    return (
        Cell(model.model),
        figure(whole(model.rating), model.reason),
        figure(between(model.low, model.high, whole), model.reason),
        figure(rank_range(model), model.reason),
        figure(UNDEFINED if model.tier is None else str(model.tier), model.reason),
        Cell(whole(model.n_votes)),
        Cell(whole(model.n_opponents)),
    )


def rank_range(model: RatedModel) -> str:
    """Write the ranks of a model; undefined when it has no rating."""
    if not math.isfinite(model.rating):
        return UNDEFINED
    return ranks(model.rank_low, model.rank_high)


def met_table(ranking: Ranking) -> Table:
    """Return one row per pair that met, most votes first, at most `MAX_PAIRS`."""
    import numpy as np

    above, below = np.triu_indices(len(ranking.models), k=1)
    votes = ranking.votes[above, below]
    order = np.argsort(-votes, kind="stable")[: int((votes > 0).sum())]
    shown = order[:MAX_PAIRS]
    names = [model.model for model in ranking.models]
    rows = tuple(
        (
            Cell(names[i]),
            Cell(names[j]),
            Cell(whole(ranking.votes[i, j])),
            Cell(percent(ranking.wins[i, j] / ranking.votes[i, j])),
        )
        for i, j in zip(above[shown].tolist(), below[shown].tolist(), strict=True)
    )
    return Table(
        caption="Pairs that met, most votes first; ties count half",
        columns=(
            Column("Model", text=True),
            Column("against", text=True),
            Column("Votes"),
            Column("Win share", help="Share of these votes won by the first model"),
        ),
        rows=rows,
        note=_cut(len(rows), len(order)),
    )


def _cut(shown: int, total: int) -> str:
    if shown == total:
        return ""
    return (
        f"The {whole(shown)} pairs with most votes are listed; "
        f"{counted(total - shown, 'pair')} with fewer are left out to keep this file small."
    )
