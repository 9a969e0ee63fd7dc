"""A board again, without the votes of some voters."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from caveat.errors import CaveatError, InputError
from caveat.results.stress.rigging import RankMove, WithoutFlagged
from caveat.stats.ranking.counting import CountedVotes, count_votes
from caveat.stats.ranking.fitted import FittedBoard, fit_board
from caveat.stats.ranking.scale import POINTS

TOP = 10
"""Ranks that are shown."""


def without_rows(board: FittedBoard, rows: npt.NDArray[np.int64]) -> WithoutFlagged:
    """Fit a board again without some rows of its source.

    Parameters
    ----------
    board : FittedBoard
        With its source.
    rows : int array
        Rows of the source to leave out.
    """
    source = board.votes.source
    assert source is not None  # noqa: S101 - the caller read voters from it
    keep = np.ones(len(source), dtype=bool)
    keep[rows] = False
    before = _ranks(board)
    leader = min(before, key=lambda name: before[name], default=None)
    try:
        rest = count_votes(replace(source, table=source.table.filter(pa.array(keep)), places=None))
        again = _refit(rest, board)
    except CaveatError as error:
        return _no_board(leader, str(error))
    if len(again.names) < 2:
        return _no_board(leader, "no two models are tied together without these votes")
    after = _ranks(again)
    first = min(after, key=lambda name: after[name])
    moved = [name for name, rank in before.items() if after.get(name) != rank]
    top = sorted(before, key=lambda name: before[name])[:TOP]
    entering = sorted((n for n in after if after[n] <= TOP and n not in top), key=after.__getitem__)
    gap = _shifts(board, again)
    return WithoutFlagged(
        n_votes=round(rest.cells.n_votes),
        leader=first,
        leader_before=leader,
        first_changes=first != leader,
        n_moved=len(moved),
        n_moved_top=sum(before[name] <= TOP for name in moved),
        moves=tuple(
            RankMove(
                model=name,
                before=before.get(name),
                after=after.get(name),
                points=gap.get(name, float("nan")),
            )
            for name in [*top, *entering]
        ),
    )


def _refit(votes: CountedVotes, board: FittedBoard) -> FittedBoard:
    """Fit as the board was, without a model of ties where too few are left for it."""
    try:
        return fit_board(votes, method=board.method, position=board.position, start=board)
    except InputError:
        if board.method == "bradley-terry":
            raise
        return fit_board(votes, method="bradley-terry", position=board.position)


def _ranks(board: FittedBoard) -> dict[str, int]:
    order = sorted(range(len(board.names)), key=lambda k: (-board.fit.theta[k], board.names[k]))
    return {board.names[k]: place for place, k in enumerate(order, start=1)}


def _shifts(before: FittedBoard, after: FittedBoard) -> dict[str, float]:
    """Change of each rating against the mean of the models on both boards, in points."""
    old = dict(zip(before.names, before.fit.theta.tolist(), strict=True))
    new = dict(zip(after.names, after.fit.theta.tolist(), strict=True))
    both = [name for name in old if name in new]
    change = np.array([new[name] - old[name] for name in both])
    change = POINTS * (change - change.mean()) if both else change
    return dict(zip(both, change.tolist(), strict=True))


def _no_board(leader: str | None, why: str) -> WithoutFlagged:
    return WithoutFlagged(
        n_votes=0,
        leader=None,
        leader_before=leader,
        first_changes=leader is not None,
        n_moved=0,
        n_moved_top=0,
        moves=(),
        reason=why,
    )
