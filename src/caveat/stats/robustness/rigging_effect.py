"""A board again, without the votes of some voters."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from caveat.errors import CaveatError, InputError, TooFewError
from caveat.results.stress.rigging import WithoutFlagged
from caveat.stats.ranking.board_change import board_change
from caveat.stats.ranking.counting import CountedVotes, count_votes
from caveat.stats.ranking.fitted import FittedBoard, fit_board
from caveat.stats.ranking.rate import Errors, rate_fitted


def without_rows(
    board: FittedBoard, rows: npt.NDArray[np.int64], *, errors: Errors
) -> WithoutFlagged:
    """Fit a board again without some rows of its source.

    Parameters
    ----------
    board : FittedBoard
        With its source.
    rows : int array
        Rows of the source to leave out.
    errors : Errors
        Of both boards.
    """
    source = board.votes.source
    assert source is not None  # noqa: S101 - the caller read voters from it
    keep = np.ones(len(source), dtype=bool)
    keep[rows] = False
    try:
        rest = count_votes(replace(source, table=source.table.filter(pa.array(keep)), places=None))
        again = _refit(rest, board)
    except CaveatError as error:
        return WithoutFlagged(n_votes=0, change=None, unrated=board.names, reason=str(error))
    unrated = tuple(name for name in board.names if name not in again.names)
    after = rate_fitted(again, errors=errors)
    shared = after.anchor if after.anchor in board.names else None
    try:
        change = board_change(rate_fitted(board, anchor=shared, errors=errors), after)
    except TooFewError:
        why = "no two models are tied together without these votes"
        return WithoutFlagged(n_votes=after.n_votes, change=None, unrated=unrated, reason=why)
    return WithoutFlagged(n_votes=after.n_votes, change=change, unrated=unrated)


def _refit(votes: CountedVotes, board: FittedBoard) -> FittedBoard:
    """Fit as the board was, without a model of ties where too few are left for it."""
    try:
        return fit_board(votes, method=board.method, position=board.position, start=board)
    except InputError:
        if board.method == "bradley-terry":
            raise
        return fit_board(votes, method="bradley-terry", position=board.position)
