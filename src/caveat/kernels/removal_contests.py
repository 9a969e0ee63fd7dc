"""The contest that the fewest removals decide the other way."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from caveat.kernels.contests import BoardUnderTest, Contest
from caveat.kernels.fewest_removals import closer, first_ranking, quick_removals
from caveat.kernels.removal_path import Fewest, Removals

_SEARCHED = 3
_CLOSE = 1.25
"""Up to this multiple of the best, other contests are looked at closely too."""


@dataclass(frozen=True, slots=True, eq=False)
class Cheapest:
    """The contest that falls first.

    Attributes
    ----------
    contest : Contest
    fewest : Fewest or None
        None where nothing was found for any contest; then it is the most promising.
    """

    contest: Contest
    fewest: Fewest | None


class RemovalContests:
    """Contests over the same items; what was found for one is kept.

    Parameters
    ----------
    board : BoardUnderTest
    items : callable
        What can be taken away.
    """

    def __init__(self, board: BoardUnderTest, items: Callable[[Contest], Removals]) -> None:
        self._board, self._items = board, items
        self._needs: dict[Contest, int | None] = {}
        self._quick: dict[Contest, Fewest | None] = {}
        self._closer: dict[Contest, Fewest | None] = {}

    def cheapest(self, among: Sequence[Contest]) -> Cheapest:
        """Find the contest that the fewest removals decide the other way.

        Parameters
        ----------
        among : sequence of Contest
            At least one, the most promising first.
        """
        ranked = sorted(among, key=lambda one: _or_many(self.need(one)))[:_SEARCHED]
        limit = _CLOSE * min(_size(self._at_first(one)) for one in ranked)
        close = [one for one in ranked if _size(self._at_first(one)) <= limit]
        best = min(close, key=lambda one: _size(self.fewest(one)))
        return Cheapest(best, self.fewest(best))

    def fewest(self, contest: Contest) -> Fewest | None:
        """Search for the fewest removals that decide one contest the other way."""
        if contest not in self._closer:
            items, start = self._items(contest), self._board.start(contest)
            quick, need = self._at_first(contest), self.need(contest)
            self._closer[contest] = closer(items, start, quick, need=need)
        return self._closer[contest]

    def need(self, contest: Contest) -> int | None:
        """Items needed by the first ranking alone."""
        if contest not in self._needs:
            start = self._board.start(contest)
            self._needs[contest] = first_ranking(self._items(contest), start)
        return self._needs[contest]

    def _at_first(self, contest: Contest) -> Fewest | None:
        if contest not in self._quick:
            start, need = self._board.start(contest), self.need(contest)
            self._quick[contest] = quick_removals(self._items(contest), start, need=need)
        return self._quick[contest]


def _or_many(need: int | None) -> float:
    return math.inf if need is None else need


def _size(found: Fewest | None) -> float:
    return math.inf if found is None else found.number
