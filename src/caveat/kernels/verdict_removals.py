"""The fewest items without which a paired test says something else.

Right or wrong answers: the exact test of McNemar. With a items that only the one solves and b that
only the other does, p = 2 P(Bin(a + b, 1/2) >= a) for a > b rises with each of the a that goes
(P(Bin(n) >= a) is the mean of P(Bin(n - 1) >= a) and P(Bin(n - 1) >= a - 1), hence at most the
latter), falls with each of the b, and does not move with the rest: taking from one side is exact.

Other scores: Student's t of the differences. With S their sum, Q the sum of their squares and n
items, |t| is above its limit c exactly if S^2 / Q is above n c^2 / (n - 1 + c^2). For S - g sqrt(Q)
to be small, the sets of k items that minimise S - mu Q are tried over a grid of mu: each is a sort
and gives an upper bound, and a lower one by duality; the two mostly meet.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from caveat.kernels.mcnemar import mcnemar
from caveat.kernels.unit_removals import NONE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_GRID = 24


@dataclass(frozen=True, slots=True, eq=False)
class VerdictRemoval:
    """What changes the verdict of a paired test.

    Attributes
    ----------
    p : float
        Two-sided, with all items; nan where undefined.
    significant : bool
        Whether `p` is below the level: then `number` counts until it is not, else until it is.
    number : int
        `NONE` where nothing does it.
    at_least : int
        No fewer do.
    items : int array, shape (number,)
    binary : bool
        Whether the test is McNemar's.
    """

    p: float
    significant: bool
    number: int
    at_least: int
    items: Ints
    binary: bool


def fewest_for_verdict(difference: Floats, *, alpha: float) -> VerdictRemoval:
    """Find the fewest items whose removal moves a paired test over its level.

    Parameters
    ----------
    difference : float array, shape (n,)
        Of the scores of two models, item by item.
    alpha : float
        In (0, 1).

    Returns
    -------
    VerdictRemoval
    """
    ahead = difference if difference.sum() >= 0 else -difference
    if np.isin(ahead, (-1.0, 0.0, 1.0)).all():
        return _mcnemar(ahead, alpha)
    return _student(ahead, alpha)


def _mcnemar(d: Floats, alpha: float) -> VerdictRemoval:
    won, lost = np.flatnonzero(d > 0), np.flatnonzero(d < 0)
    p = float(_p(won.size, lost.size))
    significant = p < alpha
    if significant:
        found = _p(won.size - np.arange(won.size + 1), lost.size) >= alpha
        number, items = int(found.argmax()), won
    else:
        found = _p(won.size, lost.size - np.arange(lost.size + 1)) < alpha
        number, items = (int(found.argmax()), lost) if found.any() else (NONE, lost[:0])
    return VerdictRemoval(p, significant, number, number, items[: max(number, 0)], binary=True)


def _p(won: Ints | int, lost: Ints | int) -> Floats:
    both = np.broadcast_arrays(
        np.asarray(won, dtype=np.float64), np.asarray(lost, dtype=np.float64)
    )
    return mcnemar(*both).p


def _student(d: Floats, alpha: float) -> VerdictRemoval:
    n = d.size
    if n < 2 or np.ptp(d) == 0:
        none = np.zeros(0, dtype=np.int64)
        return VerdictRemoval(
            float("nan"), significant=False, number=NONE, at_least=NONE, items=none, binary=False
        )
    t = d.mean() / (d.std(ddof=1) / np.sqrt(n))
    p = float(2.0 * stdtr(n - 1, -abs(t)))
    number, at_least, items = _weaken(d, alpha) if p < alpha else _strengthen(d, alpha)
    return VerdictRemoval(p, p < alpha, number, at_least, items, binary=False)


def _limits(n: int, alpha: float) -> Floats:
    """Limit of S / sqrt(Q) with k = 0 .. n - 2 items gone."""
    left = n - np.arange(n - 1, dtype=np.float64)
    c = stdtrit(left - 1.0, 1.0 - alpha / 2.0)
    limits: Floats = np.sqrt(left * c**2 / (left - 1.0 + c**2))
    return limits


def _grid(d: Floats, limits: Floats) -> Floats:
    """Slopes g / 2 sqrt(Q) from all items to a thousandth of their squares."""
    top = limits[0] / (2.0 * np.sqrt(d @ d))
    grid: Floats = np.concatenate([[0.0], top * np.geomspace(0.5, 32.0, _GRID)])
    return grid


def _path(d: Floats, key: Floats) -> tuple[Ints, Floats, Floats]:
    """Sum and squares of what is left as the items go by `key`, largest first; k = 0 .. n - 2."""
    order = np.argsort(-key, kind="stable")
    gone = np.r_[0.0, np.cumsum(d[order])][: d.size - 1]
    squares = np.r_[0.0, np.cumsum(d[order] ** 2)][: d.size - 1]
    return order, d.sum() - gone, np.maximum(d @ d - squares, 0.0)


def _weaken(d: Floats, alpha: float) -> tuple[int, int, Ints]:
    limits = _limits(d.size, alpha)
    best, chosen = d.size, np.zeros(0, dtype=np.int64)
    bound = np.full(limits.size, -np.inf)
    for mu in _grid(d, limits):
        order, total, squares = _path(d, d - mu * d**2)
        done = total <= limits * np.sqrt(squares)
        if done.any() and (k := int(done.argmax())) < best:
            best, chosen = k, order[:k]
        if mu:  # sqrt(Q) <= Q mu / g + g / 4 mu, with equality at mu = g / 2 sqrt(Q)
            np.maximum(bound, total - mu * squares - limits**2 / (4.0 * mu), out=bound)
    return _bounded(best, chosen, bound <= 1e-9, d.size)


def _strengthen(d: Floats, alpha: float) -> tuple[int, int, Ints]:
    limits = _limits(d.size, alpha)
    grid = _grid(d, limits)
    best, chosen, heights = d.size, np.zeros(0, dtype=np.int64), []
    for mu in grid:
        order, total, squares = _path(d, mu * d**2 - d)
        done = total > limits * np.sqrt(squares)
        if done.any() and (k := int(done.argmax())) < best:
            best, chosen = k, order[:k]
        heights.append(total - mu * squares)
    least = np.maximum(_path(d, d**2)[2], 0.0)
    # S - g sqrt(Q) is convex: its largest value lies in a corner of S <= h_j + mu_j Q, Q >= least
    reach = heights[-1] + grid[-1] * least - limits * np.sqrt(least)
    for j in range(grid.size - 1):
        corner = np.maximum((heights[j] - heights[j + 1]) / (grid[j + 1] - grid[j]), least)
        height = heights[j] + grid[j] * corner - limits * np.sqrt(corner)
        np.maximum(reach, height, out=reach)
    return _bounded(best, chosen, reach > -1e-9, d.size)


def _bounded(
    best: int, chosen: Ints, possible: npt.NDArray[np.bool_], n: int
) -> tuple[int, int, Ints]:
    if best == n:
        return NONE, NONE, chosen
    return best, min(best, int(possible.argmax()) if possible.any() else best), chosen
