"""The fewest removals after which a contrast of ratings changes its sign.

Huang, Shen, Wei and Broderick (2025), https://arxiv.org/abs/2508.11847, rank votes by what one step
of Newton's method says each is worth, and drop from the top. Here the number is found on exact
refits, the ranking is taken anew on the board without them, and so on while the number falls: where
it stops, what was dropped is what is worth most on the board that is left.
"""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from caveat.kernels.removal_path import Fewest, RemovalPath, Removals, State
from caveat.kernels.removal_swaps import swapped

Floats = npt.NDArray[np.float64]

FEW = 60
"""Items up to which it pays to look closer: one more or less is a percent and more."""
_ROUGH = 0.1
"""Share by which the first ranking may be wrong before another way is tried as well."""
_MANY = 50_000
"""Items beyond which looking closer takes longer than it is worth."""
_PARTS = 16
_MAX_ROUNDS = 12


def fewest_removals(items: Removals, start: State) -> Fewest | None:
    """Search for the fewest items whose removal turns the order round and keeps the board whole.

    Parameters
    ----------
    items : Removals
    start : State
        The connected board with everything in it; its gap is not negative.

    Returns
    -------
    Fewest or None
        None where nothing was found. The number is an upper bound: fewer may do.
    """
    need = first_ranking(items, start)
    return closer(items, start, quick_removals(items, start, need=need), need=need)


def first_ranking(items: Removals, start: State) -> int | None:
    """Items needed if each is worth what one step of Newton's method says; None if all are not."""
    return RemovalPath(items, items.gains(start), start).one_step


def quick_removals(items: Removals, start: State, *, need: int | None) -> Fewest | None:
    """Search along rankings taken anew; see `fewest_removals`.

    Parameters
    ----------
    need : int or None
        What `first_ranking` said.
    """
    found = _settled(items, start, start, guess=need)
    return replace(found, one_step=need) if found else None


def closer(
    items: Removals, start: State, quick: Fewest | None, *, need: int | None
) -> Fewest | None:
    """Look closer at what `quick_removals` found.

    Where the first ranking was far out, another way there is taken as well, and items are
    exchanged.
    """
    if not _is_rough(quick, need) or (quick is not None and items.limit.size > _MANY):
        return quick
    half_way = _in_parts(items, start)
    other = _settled(items, start, half_way, guess=None) if half_way else None
    best = min((found for found in (quick, other) if found), key=_number, default=None)
    if best is not None and best.number <= FEW:
        best = swapped(items, best)
    return replace(best, one_step=need) if best else None


def _number(found: Fewest) -> int:
    return found.number


def _is_rough(best: Fewest | None, one_step: int | None) -> bool:
    """Whether the board changes so much on the way that another way may be shorter."""
    if best is None or best.kept or one_step is None:
        return True
    return abs(one_step - best.number) > (0 if best.number <= FEW else _ROUGH * best.number)


def _settled(items: Removals, start: State, state: State, *, guess: int | None) -> Fewest | None:
    """Rank items on a board, search, rank on the board found, and so on while that helps."""
    found = None
    for _ in range(_MAX_ROUNDS):
        path = RemovalPath(items, items.gains(state), start)
        again = path.first_flip(near=state.refit, guess=guess or path.one_step)
        if again is None or (found and _key(again) >= _key(found)):
            break
        found, state, guess = again, again.state, again.number
    return found


def _key(found: Fewest) -> tuple[int, float]:
    return found.number, found.state.gap


def _in_parts(items: Removals, start: State) -> State | None:
    """Take a part of what is wanting, rank the rest anew, and so on until the order turns."""
    state, taken = start, np.zeros(items.limit.size)
    while not state.flipped:
        path = RemovalPath(items, items.gains(state), state, taken=taken)
        if not path.all:
            return None
        part = max(1, (path.one_step or path.all) // _PARTS)
        more, state = path.at(part, near=state.refit)
        if not (math.isfinite(state.gap) and more.sum() > taken.sum()):
            return None
        taken = more
    return state
