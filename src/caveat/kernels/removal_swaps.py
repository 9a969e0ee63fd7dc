"""Fewer items by exchange: one item less, and others in the place of some."""

import numpy as np
import numpy.typing as npt

from caveat.kernels.removal_path import STRICT, Fewest, Removals, State
from caveat.kernels.warm_refit import islands

Floats = npt.NDArray[np.float64]

_WIDTH = 8
_TRIES = 32
_MAX_REFITS = 150


def swapped(items: Removals, found: Fewest) -> Fewest:
    """Try to do with fewer items than a search along a ranking found.

    The least worthy item is put back. Then items taken are exchanged for others, the most promising
    exchanges first, each on an exact refit and only where the gap falls, until the order turns
    round (and then with one item less) or no exchange tried helps.
    """
    left = _MAX_REFITS
    while found.number > 1 and left > 0:
        taken, state = _one_less(items, found)
        while not state.flipped and left > 0:
            refits, better = _exchange(items, taken, state)
            left -= refits
            if better is None:
                return found
            taken, state = better
        if not state.flipped:
            return found
        found = Fewest(found.number - 1, taken, state, found.kept)
    return found


def _one_less(items: Removals, found: Fewest) -> tuple[Floats, State]:
    gains = items.gains(found.state)
    there = np.flatnonzero(found.taken)
    taken = found.taken.copy()
    taken[there[np.argmin(gains[there])]] -= 1.0
    return taken, items.state(items.units(taken), found.state.refit)


def _exchange(
    items: Removals, taken: Floats, state: State
) -> tuple[int, tuple[Floats, State] | None]:
    """Find an exchange of one item that brings the gap down, and count the refits it took."""
    gains = items.gains(state)
    inside, outside = np.flatnonzero(taken), np.flatnonzero(taken < items.limit)
    inside = inside[np.argsort(gains[inside], kind="stable")][:_WIDTH]
    outside = outside[np.argsort(-gains[outside], kind="stable")][:_WIDTH]
    promise = (gains[outside][:, None] - gains[inside][None, :]).ravel()
    refits = 0
    for place in np.argsort(-promise, kind="stable")[:_TRIES]:
        out, back = outside[place // inside.size], inside[place % inside.size]
        if out == back:
            continue
        changed = taken.copy()
        changed[back] -= 1.0
        changed[out] += 1.0
        units = items.units(changed)
        if islands(units).any():
            continue
        there = items.state(units, state.refit)
        refits += 1
        if there.gap < state.gap - STRICT:
            return refits, (changed, there)
    return max(refits, 1), None
