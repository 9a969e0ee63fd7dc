"""A fitted board as drop-a-few searches it: what can be taken away, and what that is called."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from caveat._blas import single_threaded
from caveat.kernels.clustered import ClusterCells
from caveat.kernels.contests import BoardUnderTest, Contest
from caveat.kernels.counts import VoteCells
from caveat.kernels.drop_clusters import ClusterRemovals
from caveat.kernels.vote_kinds import SortedVotes, VoteKinds, sort_votes
from caveat.kernels.warm_refit import Refit, inverse_information
from caveat.results.stress.drop import VotesTaken
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.rated_votes import votes_between

Floats = npt.NDArray[np.float64]


def tested_board(board: FittedBoard) -> BoardUnderTest:
    """Return a board whose votes can be taken away one by one, each with its own weight."""
    return _tested(board, sort_votes(_single_votes(board), position=board.position).kinds)


def _tested(board: FittedBoard, kinds: VoteKinds) -> BoardUnderTest:
    x, ties = board.fit.parameters, board.fit.ties
    with single_threaded():
        inverse = inverse_information(kinds.pairs, x, ties=ties)
    return BoardUnderTest(kinds, Refit(x, inverse, converged=True, exact=True), ties)


def _single_votes(board: FittedBoard) -> VoteCells:
    """Votes as rows in each of which all weigh the same."""
    source = board.votes.source
    if not board.votes.weighted or source is None:
        return board.cells
    votes = votes_between(source.table, board.names, theta=board.fit.theta)
    count = np.ones(votes.a.size) if votes.count is None else votes.count
    each = np.ones(votes.a.size) if votes.weight is None else votes.weight
    m, held = len(board.names), count > 0
    return VoteCells(
        m,
        votes.a[held].astype(np.int64),
        votes.b[held].astype(np.int64),
        votes.outcome[held].astype(np.int64),
        count[held],
        (count * each)[held],
        (count * each**2)[held],
    )


@dataclass(frozen=True, slots=True, eq=False)
class ClustersUnderTest:
    """A board whose clusters of votes can be taken away.

    Attributes
    ----------
    board : BoardUnderTest
        Its kinds count weights, not votes.
    held : sparse array, shape (g, k)
        What each cluster holds of each kind.
    clusters : ClusterCells
    """

    board: BoardUnderTest
    held: csr_array
    clusters: ClusterCells

    def items(self, contest: Contest) -> ClusterRemovals:
        """Return its clusters as items."""
        return ClusterRemovals(self.board.votes(contest), self.held)


def tested_clusters(board: FittedBoard, clusters: ClusterCells) -> ClustersUnderTest:
    """Return a board whose clusters can be taken away whole."""
    cells = board.cells
    weighs = np.flatnonzero(cells.weight > 0)
    each = cells.weight[weighs]
    a, b, outcome = cells.a[weighs], cells.b[weighs], cells.outcome[weighs]
    mass = VoteCells(cells.n_models, a, b, outcome, each, each, each)
    made: SortedVotes = sort_votes(mass, position=board.position)
    size = (cells.a.size, made.kinds.count.size)
    into = csr_array((np.ones(weighs.size), (weighs, made.place)), shape=size)
    return ClustersUnderTest(
        _tested(board, made.kinds), (clusters.members @ into).tocsr(), clusters
    )


def kinds_taken(kinds: VoteKinds, number: Floats, names: tuple[str, ...]) -> tuple[VotesTaken, ...]:
    """Name the kinds of votes of which some go or come, most votes first; both orders together."""
    first, second = kinds.pairs.a[kinds.pair], kinds.pairs.b[kinds.pair]
    turned = (kinds.result == 1) | ((kinds.result == 2) & (first > second))
    winner, loser = np.where(turned, second, first), np.where(turned, first, second)
    key = (winner * len(names) + loser) * 2 + (kinds.result == 2)
    keys, place = np.unique(key, return_inverse=True)
    gone = np.bincount(place, weights=number, minlength=keys.size)
    there = np.bincount(place, weights=kinds.count, minlength=keys.size)
    made = [
        VotesTaken(
            model=names[int(keys[k]) // 2 // len(names)],
            over=names[int(keys[k]) // 2 % len(names)],
            tie=bool(keys[k] % 2),
            number=float(gone[k]),
            of=float(there[k]) if there[k] else None,
        )
        for k in np.flatnonzero(gone)
    ]
    return tuple(sorted(made, key=lambda one: (-one.number, one.model, one.over, one.tie)))


def votes_with(kinds: VoteKinds, number: Floats, model: int) -> float:
    """Votes in which a model took part, among those that go or come."""
    part = (kinds.pairs.a[kinds.pair] == model) | (kinds.pairs.b[kinds.pair] == model)
    return float(number[part].sum())
