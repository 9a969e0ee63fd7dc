"""Items taken off a board from the top of a ranking, until the order of two models turns round."""

import itertools
import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from caveat.kernels.paired import Units
from caveat.kernels.warm_refit import Refit, islands

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

STRICT = 1e-8
"""Logits by which the order must be turned round: far more than a refit may be off, and far less
than what one vote of 10 million moves."""
_MANY = 20_000
_AMPLE = 8.0


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """The board when something was taken away.

    Attributes
    ----------
    gap : float
        Rating above less rating below, in logits; nan where the board has no fit.
    units : Units
    refit : Refit
    """

    gap: float
    units: Units
    refit: Refit

    @property
    def flipped(self) -> bool:
        """Whether the order is turned round."""
        return self.gap < -STRICT


class Removals(Protocol):
    """What can be taken away: kinds of votes, or clusters of votes."""

    @property
    def limit(self) -> Floats:
        """How often each item can be taken; shape (n,)."""

    def units(self, taken: Floats) -> Units:
        """Votes that are left."""

    def state(self, units: Units, near: Refit) -> State:
        """Fit connected votes."""

    def gains(self, state: State) -> Floats:
        """Return what the next of each item would take off the gap; shape (n,)."""

    def bridges(self, taken: Floats, label: npt.NDArray[np.integer]) -> Mask:
        """Items that, were one more of them left, would join islands; shape (n,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Fewest:
    """A removal that turns the order round, and that one item fewer of which does not.

    Attributes
    ----------
    number : int
        Items taken.
    taken : float array, shape (n,)
        Of each item.
    state : State
        The board without them.
    kept : bool
        Whether items were left in place because the board would have fallen apart without them.
    one_step : int or None
        What the first ranking alone says, without a refit; None where all of it does not suffice.
    """

    number: int
    taken: Floats
    state: State
    kept: bool
    one_step: int | None = None


class RemovalPath:
    """Items in the order of their gains, taken from the top.

    Parameters
    ----------
    items : Removals
    gains : float array, shape (n,)
        What each is worth; items worth nothing are never taken.
    start : State
        The board from which items are taken.
    taken : float array, shape (n,), optional
        What was taken before `start`.
    """

    def __init__(
        self, items: Removals, gains: Floats, start: State, *, taken: Floats | None = None
    ) -> None:
        self._items, self._gains, self._start = items, gains, start
        self._before = np.zeros(gains.size) if taken is None else taken
        self._limit = np.where(gains > 0, items.limit - self._before, 0.0)
        self._kept = False
        self._sort()

    def _sort(self) -> None:
        useful = self._useful()
        self._order = useful[np.argsort(-self._gains[useful], kind="stable")]
        limit = self._limit[self._order]
        self._number = np.concatenate([[0.0], np.cumsum(limit)])
        self._worth = np.concatenate([[0.0], np.cumsum(limit * self._gains[self._order])])

    def _useful(self) -> npt.NDArray[np.intp]:
        """Items worth something; of very many, the best that are worth several times the gap."""
        useful = np.flatnonzero(self._limit)
        if useful.size > _MANY:
            best = useful[np.argpartition(-self._gains[useful], _MANY)[:_MANY]]
            if self._limit[best] @ self._gains[best] > _AMPLE * max(self._start.gap, STRICT):
                return best
        return useful

    @property
    def all(self) -> int:
        """Items on the path."""
        return int(self._number[-1])

    @property
    def one_step(self) -> int | None:
        """Items that suffice if each is worth what its gain says."""
        worth = self._start.gap + STRICT
        return self._needed(worth) if self._worth[-1] >= worth else None

    def first_flip(self, *, near: Refit, guess: int | None) -> Fewest | None:
        """Find the number at which the order turns round, and before which it does not.

        Parameters
        ----------
        near : Refit
            A board like the one looked for.
        guess : int or None
            Number to begin with.
        """
        while True:
            before = self.all
            found = self._bracket(near, guess or self.all)
            if before == self.all:
                return found
            guess = found.number if found else self.all

    def _bracket(self, near: Refit, guess: int) -> Fewest | None:
        low, low_gap, high = 0, self._start.gap, None
        for turn in itertools.count(1):
            top = high.number if high else self.all + 1
            if top - low <= 1:
                break
            number = min(max(guess, low + 1), top - 1)
            taken, state = self.at(number, near=near)
            if state.flipped:
                high = Fewest(int(taken.sum()), taken, state, self._kept)
            else:
                low, low_gap = number, state.gap
            guess = self._next(low, low_gap, high)
            if high is None:
                guess = max(guess, low + 2 ** max(turn - 3, 0))  # never step by step
            elif turn % 4 == 0:
                guess = (low + high.number) // 2
        return high

    def _next(self, low: int, low_gap: float, high: Fewest | None) -> int:
        """Guess where the gap vanishes by the worth of the items in between."""
        if not math.isfinite(low_gap):
            return (low + (high.number if high else self.all)) // 2 + 1
        done = float(np.interp(low, self._number, self._worth))
        if high:
            rest = float(np.interp(high.number, self._number, self._worth)) - done
            return self._needed(done + rest * low_gap / (low_gap - high.state.gap))
        rate = (self._start.gap - low_gap) / done if done > 0 else 0.0
        return self._needed(done + low_gap / rate) + (low_gap <= 0) if rate > 0 else 2 * low + 1

    def _needed(self, worth: float) -> int:
        return max(1, math.ceil(float(np.interp(worth, self._worth, self._number)) - 1e-9))

    def at(self, number: int, *, near: Refit) -> tuple[Floats, State]:
        """Take `number` items, but leave those without which the board falls apart."""
        while True:
            taken = self._before + self._fill(number)
            units = self._items.units(taken)
            label = islands(units)
            if not label.any():
                return taken, self._items.state(units, near)
            more = taken > self._before
            bridges = np.flatnonzero(self._items.bridges(taken, label) & more)
            if not bridges.size:
                return taken, State(math.nan, units, near)
            least = bridges[np.argmin(self._gains[bridges])]
            self._limit[least] = taken[least] - self._before[least] - 1.0
            self._kept = True
            self._sort()

    def _fill(self, number: int) -> Floats:
        taken = np.zeros(self._limit.size)
        whole = int(np.searchsorted(self._number, number, side="right")) - 1
        full = self._order[:whole]
        taken[full] = self._limit[full]
        if whole < self._order.size:
            taken[self._order[whole]] = number - self._number[whole]
        return taken
