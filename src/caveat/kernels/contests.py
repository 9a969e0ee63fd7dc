"""Which two models would change places most easily, and what that takes.

A model outside the first k enters them exactly when it comes to stand above one inside. So a
boundary falls with the cheapest of the contests between an inner and an outer model.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.drop_votes import VoteRemovals
from caveat.kernels.removal_path import State
from caveat.kernels.ties import TieModel
from caveat.kernels.vote_kinds import VoteKinds
from caveat.kernels.warm_refit import Refit

Floats = npt.NDArray[np.float64]

SCREENED = 8
"""Contests of a boundary that are weighed by the first ranking."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Two models, by code: the one rated above and the one rated below."""

    above: int
    below: int


@dataclass(frozen=True, slots=True, eq=False)
class BoardUnderTest:
    """A fitted board.

    Attributes
    ----------
    kinds : VoteKinds
    refit : Refit
        Its parameters and inverse information.
    ties : str
    """

    kinds: VoteKinds
    refit: Refit
    ties: TieModel

    def contrast(self, contest: Contest) -> Floats:
        """Rating above less rating below, as a direction of the parameters."""
        made = np.zeros(self.refit.parameters.size)
        made[contest.above], made[contest.below] = 1.0, -1.0
        return made

    def start(self, contest: Contest) -> State:
        """Return the board as it is."""
        gap = float(self.contrast(contest) @ self.refit.parameters)
        return State(gap, self.kinds.pairs, self.refit)

    def votes(self, contest: Contest) -> VoteRemovals:
        """Return its votes as items that can be taken away."""
        return VoteRemovals(self.kinds, self.contrast(contest), self.ties)


def contests(
    board: BoardUnderTest, order: npt.NDArray[np.intp], k: int, *, most: int = SCREENED
) -> tuple[Contest, ...]:
    """Contests over a place among the first k, the most promising first.

    The distance of two models is compared with what a surprising vote between them would be worth.
    The contest of the k-th with the next is always among them.

    Parameters
    ----------
    board : BoardUnderTest
    order : int array, shape (m,)
        Models, best first.
    k : int
        At least 1, less than m.
    most : int
    """
    x, inverse = board.refit.parameters, board.refit.inverse
    inside, outside = order[:k], order[k:]
    size = np.diag(inverse)
    own = size[inside][:, None] + size[outside] - 2.0 * inverse[np.ix_(inside, outside)]
    need = (x[inside][:, None] - x[outside]) / own
    best = np.argsort(need, axis=None, kind="stable")[:most]
    found = [Contest(int(inside[p // outside.size]), int(outside[p % outside.size])) for p in best]
    neighbours = Contest(int(order[k - 1]), int(order[k]))
    return tuple(dict.fromkeys([*found, neighbours]))
