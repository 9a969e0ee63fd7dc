"""Does going first decide?"""

from dataclasses import dataclass, replace

import numpy as np

from caveat.errors import InputError
from caveat.kernels.counts import VoteCells
from caveat.results.ranking import Position, Ranking
from caveat.results.stress.position import BothOrders, FirstShown
from caveat.stats.ranking.board_change import board_change
from caveat.stats.ranking.dependence import COLUMNS
from caveat.stats.ranking.fitted import FittedBoard, fit_board
from caveat.stats.ranking.rate import (
    PLAIN,
    Errors,
    Floats,
    covariance_of,
    position_of,
    rate_fitted,
)
from caveat.stats.ranking.rated_votes import has_values
from caveat.stats.ranking.sharing import clusters_of
from caveat.stats.robustness.both_orders import both_orders


def first_shown(
    board: FittedBoard, *, anchor: str | None = None, errors: Errors = PLAIN
) -> FirstShown:
    """Estimate the advantage of the answer shown first, and rate without it.

    Use it wherever the order of display is known. Judges, models above all, prefer one position;
    where each model is shown first equally often that costs precision, and elsewhere ranks.

    Parameters
    ----------
    board : FittedBoard
        With its source.
    anchor : str, optional
    errors : Errors
        Its level and seed; clusters are those of battle, item and voter that make the error of the
        advantage largest.

    Returns
    -------
    FirstShown

    Raises
    ------
    InputError
        If the order of display is not known, no two models were shown in both orders, or the votes
        cannot tell the advantage from the ratings.

    References
    ----------
    Davidson and Beaver (1977), https://doi.org/10.2307/2529467.

    Examples
    --------
    >>> import caveat
    >>> from caveat.stats.ranking.counting import count_votes
    >>> from caveat.stats.ranking.fitted import fit_board
    >>> rows = {"model_a": ["x", "y"] * 40, "model_b": ["y", "x"] * 40,
    ...         "winner": (["a"] * 6 + ["b"] * 2) * 10}
    >>> found = first_shown(fit_board(count_votes(caveat.read_votes(rows))))
    >>> round(found.advantage.win_probability, 2), found.first_share
    (0.75, 0.75)
    """
    turned = _turned_share(board.cells)
    if board.votes.order_known and not turned:
        raise InputError(
            "no two models were shown in both orders: only the form of the model would tell an "
            "advantage of the answer shown first from their ratings"
        )
    plain = replace(errors, cluster=None, bootstrap=0)
    with_it = board
    if not board.position:
        with_it = fit_board(board.votes, method=board.method, position=True)
    else:
        board = fit_board(board.votes, method=board.method)
    before = rate_fitted(board, anchor=anchor, errors=plain)
    after = rate_fitted(with_it, anchor=before.anchor, errors=plain)
    worth = judged_position(with_it, level=errors.level)
    cells = board.cells
    decisive = cells.outcome < 2
    won = float(cells.count[cells.outcome == 0].sum())
    votes = float(cells.count[decisive].sum())
    pairs, why = _pairs(board, before, errors)
    return FirstShown(
        method=before.method,
        advantage=worth.position,
        cluster=worth.cluster,
        n_clusters=worth.n_clusters,
        n_decisive=round(votes),
        turned_share=turned,
        first_share=won / votes if votes else float("nan"),
        change=board_change(before, after),
        both_orders=pairs,
        why_not=why,
        level=errors.level,
    )


@dataclass(frozen=True, slots=True)
class JudgedPosition:
    """An advantage, and what its error counts together."""

    position: Position
    cluster: str | None
    n_clusters: int | None


def judged_position(board: FittedBoard, *, level: float) -> JudgedPosition:
    """Say what going first is worth, with the clusters that make its error largest.

    Parameters
    ----------
    board : FittedBoard
        Fitted with position.
    level : float
    """
    column, held, covariance = _widest(board)
    found = position_of(board.fit, covariance, n_clusters=held, level=level)
    return JudgedPosition(found, column, None if held is None else round(held))


def _pairs(board: FittedBoard, before: Ranking, errors: Errors) -> tuple[BothOrders | None, str]:
    try:
        return both_orders(board, before, anchor=before.anchor, errors=errors), ""
    except InputError as error:
        return None, str(error)


def _turned_share(cells: VoteCells) -> float:
    """Share of the votes that stand in the rarer order of their two models."""
    m = cells.n_models
    votes = np.zeros((m, m))
    np.add.at(votes, (cells.a, cells.b), cells.count)
    rarer = np.minimum(votes, votes.T)
    return float(np.triu(rarer).sum() / max(votes.sum(), 1.0))


def _widest(board: FittedBoard) -> tuple[str | None, float | None, Floats]:
    """Clusters that make the error of the advantage largest, their number, the covariance."""
    found: tuple[str | None, float | None, Floats] = (None, None, covariance_of(board, None))
    source = board.votes.source
    for name in COLUMNS:
        if source is None or not has_values(source.table, name):
            continue
        clusters = clusters_of(board, name)
        if 1 < clusters.n_clusters < clusters.n_votes:
            covariance = covariance_of(board, clusters)
            if covariance[-1, -1] > found[2][-1, -1]:
                found = (name, clusters.n_clusters, covariance)
    return found
