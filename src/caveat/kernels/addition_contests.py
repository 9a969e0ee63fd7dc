"""The contest that the fewest made-up votes decide the other way."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from caveat.kernels.contests import BoardUnderTest, Contest
from caveat.kernels.fewest_additions import Additions, Wins, fewest_additions, first_offer

_SEARCHED = 3


@dataclass(frozen=True, slots=True, eq=False)
class CheapestAddition:
    """The contest that falls first.

    Attributes
    ----------
    contest : Contest
    additions : Additions or None
        None where nothing was found for any contest.
    """

    contest: Contest
    additions: Additions | None


class AdditionContests:
    """Contests by made-up votes; what was found for one is kept.

    Parameters
    ----------
    board : BoardUnderTest
    position : bool
        Whether being shown first has a coefficient.
    """

    def __init__(self, board: BoardUnderTest, *, position: bool) -> None:
        self._board, self._position = board, position
        self._needs: dict[Contest, float] = {}
        self._found: dict[Contest, Additions | None] = {}

    def cheapest(self, among: Sequence[Contest]) -> CheapestAddition:
        """Find the contest that the fewest added votes decide the other way.

        Parameters
        ----------
        among : sequence of Contest
            At least one, the most promising first.
        """
        best = CheapestAddition(among[0], None)
        for contest in sorted(among, key=self._need)[:_SEARCHED]:
            if self._need(contest) >= _size(best.additions):
                break  # further votes of a kind are worth less, not more
            found = self.fewest(contest)
            if _size(found) < _size(best.additions):
                best = CheapestAddition(contest, found)
        return best

    def fewest(self, contest: Contest) -> Additions | None:
        """Search for the fewest added votes that decide one contest the other way."""
        if contest not in self._found:
            board = self._board
            self._found[contest] = fewest_additions(
                board.start(contest),
                board.contrast(contest),
                ties=board.ties,
                position=self._position,
            )
        return self._found[contest]

    def direct(self, contest: Contest) -> Additions | None:
        """Use votes for the one below over the one above, and no others."""
        board = self._board
        return fewest_additions(
            board.start(contest),
            board.contrast(contest),
            ties=board.ties,
            position=self._position,
            only=Wins(contest.below, contest.above),
        )

    def _need(self, contest: Contest) -> float:
        if contest not in self._needs:
            board = self._board
            self._needs[contest] = first_offer(
                board.start(contest),
                board.contrast(contest),
                ties=board.ties,
                position=self._position,
            )
        return self._needs[contest]


def _size(found: Additions | None) -> float:
    return math.inf if found is None else found.number
