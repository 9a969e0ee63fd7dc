"""The board: one row per model, best first."""

import math
from itertools import islice
from typing import Any

from caveat.reports.numbers import (
    UNDEFINED,
    between,
    counted,
    one,
    percent,
    ranks,
    rating_writer,
    whole,
)
from caveat.reports.shortening import cut
from caveat.reports.tables.quality import probability
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.ranking import Ranking, RatedModel

MAX_PAIRS = 2_000
"""Pairs in a table; each costs about 180 bytes of a page."""


def board_table(ranking: Ranking) -> Table:
    """Return rating, interval, ranks, tier and votes of each model."""
    level = percent(ranking.level).replace(".0", "")
    anchor = f" ({cut(ranking.anchor)} is fixed at 1,000)" if ranking.anchor else ""
    return Table(
        caption=f"Ratings with {level} intervals{anchor}, and the ranks the votes allow",
        columns=(
            Column("Model", text=True),
            Column("Rating"),
            Column(f"{level} interval"),
            Column("Ranks", help="Best and worst rank, simultaneously for all models"),
            Column("Tier", help="Tier 1 is not separable from the leader"),
            Column("Best", help="Probability that it is the best of the rated models"),
            *((Column("Wins", help=_wins(ranking.anchor)),) if ranking.anchor else ()),
            Column("Votes"),
            Column("Opponents"),
        ),
        rows=tuple(_board_row(model, ranking) for model in ranking.models),
    )


def _wins(anchor: str) -> str:
    return f"Chance to win a decisive vote against {cut(anchor)}"


def _board_row(model: RatedModel, ranking: Ranking) -> tuple[Cell, ...]:
    chance = figure(percent(model.win_probability), model.reason)
    write = rating_writer(ranking.unit)
    return (
        Cell(model.model),
        figure(write(model.rating), model.reason),
        figure(between(model.low, model.high, write), model.reason),
        figure(rank_range(model), model.reason),
        figure(UNDEFINED if model.tier is None else str(model.tier), model.reason),
        figure(percent(model.best), model.reason),
        *((chance,) if ranking.anchor else ()),
        Cell(whole(model.n_votes)),
        Cell(whole(model.n_opponents)),
    )


def rank_range(model: RatedModel) -> str:
    """Write the ranks of a model; undefined when it has no rating."""
    if not math.isfinite(model.rating):
        return UNDEFINED
    return ranks(model.rank_low, model.rank_high)


def chance_table(ranking: Ranking) -> Table:
    """Return each model against the next ones below it, at most `MAX_PAIRS` pairs."""
    found = ranking.comparisons
    rows = [] if found is None else list(islice(found.rows(), MAX_PAIRS))
    total = 0 if found is None else len(found.models) * (len(found.models) - 1) // 2
    return Table(
        caption="Rated models against each other, the better one first",
        columns=(
            Column("Model", text=True),
            Column("against", text=True),
            Column("Points apart"),
            Column("Error"),
            Column("Adjusted p", help="Of no difference, over all pairs by Holm's method"),
            Column("Settled", text=True, help="Beyond the simultaneous critical value"),
            Column("Win chance", help="Of the first model in a decisive vote"),
        ),
        rows=tuple(_chance_row(row) for row in rows),
        note=_left_out(total - len(rows)),
    )


def _left_out(n: int) -> str:
    if not n:
        return ""
    return f"{counted(n, 'pair')} further down left out to keep this file small."


def _chance_row(row: dict[str, Any]) -> tuple[Cell, ...]:
    def number(name: str) -> float:
        return float("nan") if row[name] is None else float(row[name])

    return (
        Cell(row["above"]),
        Cell(row["below"]),
        Cell(one(number("difference"))),
        figure(one(number("se")), "no variation among the votes"),
        figure(probability(number("p_adjusted")), "no variation among the votes"),
        Cell("yes" if row["separable"] else "no"),
        figure(percent(number("win_probability")), "not given by this rating system"),
    )


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
