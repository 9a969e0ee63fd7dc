"""How few votes, voters, prompts or made-up votes carry an order."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat._blas import single_threaded
from caveat.errors import InputError, TooFewError
from caveat.kernels.addition_contests import AdditionContests
from caveat.kernels.board_cut import cut_votes
from caveat.kernels.contests import BoardUnderTest, Contest, contests
from caveat.kernels.removal_contests import RemovalContests
from caveat.kernels.vote_kinds import VoteKinds
from caveat.results.stress.drop import Drop, DropAFew, Flip, Unit, VotesTaken
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.rate import covariance_of
from caveat.stats.ranking.rated_votes import has_values
from caveat.stats.ranking.scale import POINTS
from caveat.stats.ranking.sharing import clusters_of
from caveat.stats.robustness.dropping import (
    ClustersUnderTest,
    kinds_taken,
    tested_board,
    tested_clusters,
    votes_with,
)

Floats = npt.NDArray[np.float64]

BOUNDARIES = 10
LISTED = 5
"""Kinds of votes listed for each removal."""
_NO_REMOVAL = "no removal that was tried and keeps the board together turns the two round"
_COLUMNS: dict[Unit, tuple[str, ...]] = {"voters": ("voter",), "prompts": ("item", "battle")}


def drop_a_few(
    board: FittedBoard,
    *,
    boundaries: int = BOUNDARIES,
    pairs: Sequence[tuple[str, str]] = (),
) -> DropAFew:
    """Find how few votes, voters, prompts or made-up votes change the first k or turn a pair.

    Use it on any board before its order is believed: a lead that counts by its standard error may
    rest on fewer votes than one person casts in an afternoon.

    Parameters
    ----------
    board : FittedBoard
        With its source, where voters and prompts are to be removed.
    boundaries : int
        Boundaries of the first k to look at, from k = 1 down; 0 for none.
    pairs : sequence of pairs of str
        Rated models whose order is to be turned round, in any order.

    Returns
    -------
    DropAFew
        Every number is at most: it is confirmed by a refit, and fewer may do.

    Raises
    ------
    TooFewError
        If fewer than two models are rated.
    InputError
        If a pair does not name two rated models.

    References
    ----------
    Huang, Shen, Wei and Broderick (2025), https://arxiv.org/abs/2508.11847; Broderick, Giordano and
    Meager (2020), https://arxiv.org/abs/2011.14999.

    Examples
    --------
    >>> import caveat
    >>> from caveat.stats.ranking.counting import count_votes
    >>> from caveat.stats.ranking.fitted import fit_board
    >>> rows = {"model_a": ["x"] * 50, "model_b": ["y"] * 50, "outcome": ["a"] * 30 + ["b"] * 20}
    >>> found = drop_a_few(fit_board(count_votes(caveat.read_votes(rows))))
    >>> first = found.first_place
    >>> first.by("votes").number, first.by("fabricated").number
    (11, 11)
    """
    if len(board.names) < 2:
        raise TooFewError("rated models", got=len(board.names), need=2)
    _validate.at_least("boundaries", boundaries, 0)
    asked = contests_of(board, pairs)
    with single_threaded():
        search = _Search(board)
        rows = [
            search.row(contests(search.tested, search.order, k), boundary=k)
            for k in range(1, min(boundaries, len(board.names) - 1) + 1)
        ]
        rows += [search.row((contest,), boundary=None) for contest in asked]
    return DropAFew(
        method=board.method,
        n_models=len(board.names),
        n_votes=round(board.cells.n_votes),
        n_voters=search.number("voters"),
        n_prompts=search.number("prompts"),
        unnamed_voters=search.unnamed("voters"),
        unnamed_prompts=search.unnamed("prompts"),
        prompt_column=search.columns.get("prompts"),
        weighted=board.votes.weighted,
        rows=tuple(rows),
        reasons=search.reasons,
    )


def contests_of(board: FittedBoard, pairs: Sequence[tuple[str, str]]) -> list[Contest]:
    """Turn pairs of names into contests, the model rated above first.

    Raises
    ------
    InputError
        If a pair does not name two rated models.
    """
    found = []
    for pair in pairs:
        for name in pair:
            if name not in board.names:
                why = "it has no rating" if name in board.votes.models else "no vote names it"
                raise InputError(f"pair must name two rated models, got {name!r}: {why}")
        if pair[0] == pair[1]:
            raise InputError(f"pair must name two models, got {pair[0]!r} twice")
        above, below = sorted(pair, key=lambda name: (-board.fit.theta[board.code(name)], name))
        found.append(Contest(board.code(above), board.code(below)))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Gone:
    """Votes that go or come, however they were chosen."""

    number: int
    votes: float
    own: float
    kinds: tuple[VotesTaken, ...]
    one_step: int | None = None
    spared: bool = False
    disconnects: bool = False


class _Search:
    """Everything that is fitted once for all rows."""

    def __init__(self, board: FittedBoard) -> None:
        self.board = board
        self.order = np.array(
            sorted(range(len(board.names)), key=lambda k: (-board.fit.theta[k], board.names[k]))
        )
        self.tested: BoardUnderTest = tested_board(board)
        self._votes = RemovalContests(self.tested, self.tested.votes)
        self._added = AdditionContests(self.tested, position=board.position)
        self._held: Floats = _votes_of_models(board)
        self.columns: dict[Unit, str] = {}
        self.reasons: dict[str, str] = {}
        self._alone: dict[Unit, int] = {}
        self._shared: dict[Unit, ClustersUnderTest] = {}
        self._clusters: dict[Unit, RemovalContests] = {}
        for unit in _COLUMNS:
            self._find(unit)
        self._covariance: dict[Unit | None, Floats] = {None: covariance_of(board, None)}
        for unit, shared in self._shared.items():
            self._covariance[unit] = covariance_of(board, shared.clusters)

    def _find(self, unit: Unit) -> None:
        source = self.board.votes.source
        there = [c for c in _COLUMNS[unit] if source is not None and has_values(source.table, c)]
        if not there:
            names = " or ".join(_COLUMNS[unit])
            self.reasons[unit] = f"the votes have no column {names}"
            return
        self.columns[unit] = there[0]
        clusters = clusters_of(self.board, there[0])
        if clusters.n_clusters == clusters.n_votes:
            self._alone[unit] = round(clusters.n_votes)
            return
        self._shared[unit] = made = tested_clusters(self.board, clusters)
        self._clusters[unit] = RemovalContests(made.board, made.items)

    def number(self, unit: Unit) -> int | None:
        """Clusters that hold a vote."""
        if unit in self._alone:
            return self._alone[unit]
        found = self._shared.get(unit)
        return int(np.count_nonzero(found.clusters.votes)) if found else None

    def unnamed(self, unit: Unit) -> int:
        """Votes that no cluster holds."""
        found = self._shared.get(unit)
        return round(float(found.clusters.single.sum())) if found else 0

    def row(self, among: Sequence[Contest], *, boundary: int | None) -> Drop:
        """Find what it takes to decide one of some contests the other way."""
        contest, flip, apart = self._drop_votes(among)
        flips = [flip]
        flips += [replace(flip, unit=unit, of=self._alone[unit]) for unit in self._alone]
        flips += [self._drop_clusters(unit, among) for unit in self._shared]
        flips.append(self._make_up(among))
        direct = self._added.direct(contest)
        gap = float(self.tested.contrast(contest) @ self.tested.refit.parameters)
        names = self.board.names
        return Drop(
            above=names[contest.above],
            below=names[contest.below],
            boundary=boundary,
            n_top=round(self._held[contest.above]),
            difference=POINTS * gap,
            z=self._z(contest, gap, None),
            z_voters=self._z_by(contest, gap, "voters"),
            z_prompts=self._z_by(contest, gap, "prompts"),
            flips=tuple(flips),
            apart=apart,
            direct=direct.number if direct else None,
        )

    def _drop_votes(self, among: Sequence[Contest]) -> tuple[Contest, Flip, int | None]:
        best = self._votes.cheapest(among)
        contest, fewest, kinds = best.contest, best.fewest, self.tested.kinds
        cut = cut_votes(kinds, contest.above, contest.below)
        if fewest is not None:
            gone = self._gone(contest, kinds, fewest.taken, fewest.number)
            gone = replace(gone, one_step=fewest.one_step, spared=fewest.kept)
            apart = cut.number if cut and cut.number < fewest.number else None
            return contest, self._flip("votes", contest, gone), apart
        if cut is None:
            return contest, self._flip("votes", contest, None), None
        gone = replace(self._gone(contest, kinds, cut.taken, cut.number), disconnects=True)
        return contest, self._flip("votes", contest, gone), cut.number

    def _drop_clusters(self, unit: Unit, among: Sequence[Contest]) -> Flip:
        shared = self._shared[unit]
        best = self._clusters[unit].cheapest(among)
        contest, fewest = best.contest, best.fewest
        if fewest is None:
            return self._flip(unit, contest, None)
        taken = shared.items(contest).votes_taken(fewest.taken)
        gone = self._gone(contest, shared.board.kinds, taken, fewest.number)
        votes = float(shared.clusters.votes @ fewest.taken)
        gone = replace(gone, votes=votes, one_step=fewest.one_step, spared=fewest.kept)
        return self._flip(unit, contest, gone)

    def _make_up(self, among: Sequence[Contest]) -> Flip:
        best = self._added.cheapest(among)
        contest, added = best.contest, best.additions
        if added is None:
            return self._flip("fabricated", contest, None)
        gone = self._gone(contest, added.kinds, added.added, added.number)
        return self._flip("fabricated", contest, replace(gone, one_step=added.one_step))

    def _gone(self, contest: Contest, kinds: VoteKinds, taken: Floats, number: int) -> _Gone:
        own = votes_with(kinds, taken, contest.above)
        named = kinds_taken(kinds, taken, self.board.names)
        return _Gone(number, float(number), own, named)

    def _flip(self, unit: Unit, contest: Contest, gone: _Gone | None) -> Flip:
        names, n_votes = self.board.names, self.board.cells.n_votes
        votes = gone.votes if gone else math.nan
        return Flip(
            unit=unit,
            above=names[contest.above],
            below=names[contest.below],
            number=gone.number if gone else None,
            of=self.number(unit) or round(n_votes),
            votes=round(votes) if gone else None,
            share_of_board=votes / n_votes,
            share_of_top=votes / float(self._held[contest.above]),
            own_share=gone.own / float(self._held[contest.above]) if gone else math.nan,
            one_step=gone.one_step if gone else None,
            disconnects=gone.disconnects if gone else False,
            spared=gone.spared if gone else False,
            kinds=gone.kinds[:LISTED] if gone else (),
            n_kinds=len(gone.kinds) if gone else 0,
            reason="" if gone else _NO_REMOVAL,
        )

    def _z_by(self, contest: Contest, gap: float, unit: Unit) -> float | None:
        if unit in self._alone:
            return self._z(contest, gap, None)
        return self._z(contest, gap, unit) if unit in self._shared else None

    def _z(self, contest: Contest, gap: float, unit: Unit | None) -> float:
        contrast = self.tested.contrast(contest)
        variance = float(contrast @ self._covariance[unit] @ contrast)
        return gap / math.sqrt(variance) if variance > 0 else math.nan


def _votes_of_models(board: FittedBoard) -> Floats:
    cells, m = board.cells, len(board.names)
    first = np.bincount(cells.a, weights=cells.count, minlength=m)
    second = np.bincount(cells.b, weights=cells.count, minlength=m)
    return np.asarray(first + second, dtype=np.float64)
