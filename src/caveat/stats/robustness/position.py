"""Does going first decide?"""

from dataclasses import replace

from caveat.errors import TooFewError
from caveat.results.ranking import Ranking
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
        If the order of display is not known, or the votes cannot tell the advantage from the
        ratings.

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
    plain = replace(errors, cluster=None, bootstrap=0)
    with_it = board
    if not board.position:
        with_it = fit_board(board.votes, method=board.method, position=True)
    else:
        board = fit_board(board.votes, method=board.method)
    before = rate_fitted(board, anchor=anchor, errors=plain)
    after = rate_fitted(with_it, anchor=before.anchor, errors=plain)
    column, held, covariance = _widest(with_it)
    cells = board.cells
    decisive = cells.outcome < 2
    won = float(cells.count[cells.outcome == 0].sum())
    votes = float(cells.count[decisive].sum())
    pairs, why = _pairs(board, before, errors)
    return FirstShown(
        method=before.method,
        advantage=position_of(with_it.fit, covariance, n_clusters=held, level=errors.level),
        cluster=column,
        n_clusters=None if held is None else round(held),
        n_decisive=round(votes),
        first_share=won / votes if votes else float("nan"),
        change=board_change(before, after),
        both_orders=pairs,
        why_not=why,
        level=errors.level,
    )


def _pairs(board: FittedBoard, before: Ranking, errors: Errors) -> tuple[BothOrders | None, str]:
    try:
        return both_orders(board, before, anchor=before.anchor, errors=errors), ""
    except TooFewError as error:
        return None, str(error)


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
