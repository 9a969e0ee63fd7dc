"""The search behind drop-a-few: what is fitted once, and what each row takes."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from caveat.kernels.addition_contests import AdditionContests
from caveat.kernels.board_cut import cut_votes
from caveat.kernels.contests import BoardUnderTest, Contest, contests
from caveat.kernels.removal_contests import RemovalContests
from caveat.kernels.small_sets import MOST_SETS, Question, SmallSets, small_sets
from caveat.kernels.vote_kinds import VoteKinds
from caveat.results.stress.drop import Drop, Flip, Unit, VotesTaken
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

LISTED = 5
"""Kinds of votes listed for each removal."""
_NO_REMOVAL = "no removal that was tried and keeps the board together turns the two round"
_COLUMNS: dict[Unit, tuple[str, ...]] = {"voters": ("voter",), "prompts": ("item", "battle")}


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
    exact: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A boundary or a pair, and the contests that decide it."""

    boundary: int | None
    among: Sequence[Contest]
    question: Question


def _pair_line(contest: Contest) -> _Line:
    ends = np.array([contest.above]), np.array([contest.below])
    return _Line(None, (contest,), Question(*ends))


class DropSearch:
    """Everything that is fitted once for all rows.

    Parameters
    ----------
    board : FittedBoard
        With at least two rated models.
    boundaries : int
    pairs : sequence of Contest
    """

    def __init__(self, board: FittedBoard, boundaries: int, pairs: Sequence[Contest]) -> None:
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
        self._lines = [*self._boundaries(boundaries), *map(_pair_line, pairs)]
        self._small = {unit: self._small_sets(unit) for unit in self._shared}
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

    def _boundaries(self, most: int) -> Iterator[_Line]:
        for k in range(1, min(most, len(self.board.names) - 1) + 1):
            among = contests(self.tested, self.order, k)
            yield _Line(k, among, Question(self.order[:k], self.order[k:]))

    def _small_sets(self, unit: Unit) -> SmallSets:
        shared = self._shared[unit]
        questions = [line.question for line in self._lines]
        nobody = SmallSets(0, (None,) * len(questions))
        if not questions:
            return nobody
        # A refit takes as long as the board has pairs.
        most = round(MOST_SETS * min(1.0, 3_000 / shared.board.kinds.pairs.a.size))
        items = shared.items(self._lines[0].among[0])
        return small_sets(shared.board, items, questions, most=most)

    def rows(self) -> tuple[Drop, ...]:
        """Find what it takes for each boundary, and for each pair."""
        return tuple(self._row(line, place) for place, line in enumerate(self._lines))

    def _row(self, line: _Line, place: int) -> Drop:
        contest, flip, apart = self._drop_votes(line.among)
        flips = [flip]
        flips += [replace(flip, unit=unit, of=self._alone[unit]) for unit in self._alone]
        flips += [self._drop_clusters(unit, line, place) for unit in self._shared]
        flips.append(self._make_up(line.among))
        direct = self._added.direct(contest)
        gap = float(self.tested.contrast(contest) @ self.tested.refit.parameters)
        names = self.board.names
        return Drop(
            above=names[contest.above],
            below=names[contest.below],
            boundary=line.boundary,
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

    def _drop_clusters(self, unit: Unit, line: _Line, place: int) -> Flip:
        small, searches = self._small[unit], self._clusters[unit]
        answer = small.found[place]
        if answer is not None:
            one_step = searches.need(answer.contest)
            return self._clusters_gone(unit, answer.contest, answer.taken, one_step, exact=True)
        best = searches.cheapest(line.among)
        fewest = best.fewest
        if fewest is None:
            return self._flip(unit, best.contest, None)
        exact = fewest.number == small.size + 1
        flip = self._clusters_gone(unit, best.contest, fewest.taken, fewest.one_step, exact=exact)
        return replace(flip, spared=fewest.kept)

    def _clusters_gone(
        self, unit: Unit, contest: Contest, clusters: Floats, one_step: int | None, *, exact: bool
    ) -> Flip:
        shared = self._shared[unit]
        taken = shared.items(contest).votes_taken(clusters)
        gone = self._gone(contest, shared.board.kinds, taken, round(float(clusters.sum())))
        votes = float(shared.clusters.votes @ clusters)
        return self._flip(unit, contest, replace(gone, votes=votes, one_step=one_step, exact=exact))

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
            exact=bool(gone and (gone.exact or (gone.number == 1 and not gone.disconnects))),
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
