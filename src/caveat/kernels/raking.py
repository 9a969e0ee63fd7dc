"""Weights that give a sample the margins of a population.

Raking is iterative proportional fitting: the weights are brought to one margin after the other
until all of them hold (Deming and Stephan 1940, https://doi.org/10.1214/aoms/1177731829). With one
margin it is post-stratification and done after one step. With a cap it is the raking ratio method
with an upper bound (Deville and Sarndal 1992, https://doi.org/10.1080/01621459.1992.10475217): of
all weights under the cap that hold the margins, those closest to equal ones.

Notation: a cell of n voters has the weight w = min(cap, u), and u is a product of one factor for
each margin. Weights have mean 1 over voters.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.errors import InputError

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]

TOLERANCE = 1e-10
"""Largest gap between a weighted share and its target at which the margins hold."""
MAX_ROUNDS = 5_000
STANDSTILL = 1e-13
"""Relative change of all weights in one round below which nothing more will happen."""
RUNAWAY = 1e-30
"""Smallest factor that is not taken for one on its way to zero: margins that no weights under the
cap can hold together drive the factors apart without end."""


@dataclass(frozen=True, slots=True, eq=False)
class Margin:
    """Shares of the levels of one attribute, or of the joint levels of several.

    Attributes
    ----------
    level : int array, shape (c,)
        Level of each cell, 0 to L - 1.
    target : float array, shape (L,)
        Shares of the population; positive, sum one.
    """

    level: Codes
    target: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Raked:
    """Weights of the voters of each cell.

    Attributes
    ----------
    weight : float array, shape (c,)
        Mean 1 over voters.
    capped : bool array, shape (c,)
        Whether the weight is the cap.
    target : tuple of float arrays
        Shares asked for, margin by margin: those given, except where not even capped weights could
        reach one; what is then left over is spread over the other levels in proportion.
    gap : float
        Largest difference between a weighted share and its `target`.
    rounds : int
    converged : bool
        Whether `gap` is within the tolerance. If not, the margins contradict each other or the
        sample, and the weights mean nothing.
    """

    weight: Floats
    capped: npt.NDArray[np.bool_]
    target: tuple[Floats, ...]
    gap: float
    rounds: int
    converged: bool


def rake(
    count: Floats,
    margins: Sequence[Margin],
    *,
    cap: float | None = None,
    tolerance: float = TOLERANCE,
    max_rounds: int = MAX_ROUNDS,
) -> Raked:
    """Find weights under which the sample has the margins of the population.

    Parameters
    ----------
    count : float array, shape (c,)
        Voters of each cell; positive.
    margins : sequence of Margin
        At least one; every level holds a voter.
    cap : float, optional
        Largest weight, in multiples of the mean weight; above 1.
    tolerance : float
    max_rounds : int
        One round goes over all margins once.

    Returns
    -------
    Raked

    Raises
    ------
    InputError
        If a margin breaks one of the requirements above.
    """
    _check(count, margins, cap)
    share = count / count.sum()
    targets = tuple(_reachable(m, share, cap) for m in margins)
    limit = np.inf if cap is None else cap
    factor = np.ones(count.size)
    weight = np.ones(count.size)
    rounds, gap = 0, np.inf
    while rounds < max_rounds:
        rounds += 1
        before = weight
        for margin, target in zip(margins, targets, strict=True):
            if factor.min() >= RUNAWAY:
                factor = _fitted(factor, share, margin.level, target, limit)
        weight = np.minimum(factor, limit)
        gap = _gap(weight, share, margins, targets)
        stands = bool((np.abs(weight - before) <= STANDSTILL * before).all())
        if gap <= tolerance or stands or factor.min() < RUNAWAY:
            break
    return Raked(weight, weight >= limit, targets, gap, rounds, converged=gap <= tolerance)


def _check(count: Floats, margins: Sequence[Margin], cap: float | None) -> None:
    if not margins:
        raise InputError("margins must hold at least one margin, got none")
    if count.size == 0 or not (count > 0).all():
        raise InputError("count must be positive in every cell")
    if cap is not None and not (1.0 < cap < np.inf):
        raise InputError(f"cap must be above 1, the mean weight, got {cap!r}")
    for margin in margins:
        target = margin.target
        if not (np.isfinite(target).all() and (target > 0).all()):
            raise InputError(f"shares of a margin must be positive, got {target.min():g}")
        if abs(float(target.sum()) - 1.0) > 1e-9:
            raise InputError(f"shares of a margin must add up to 1, got {target.sum():.10g}")
        held = np.bincount(margin.level, minlength=target.size)
        if held.size > target.size or not held.all():
            raise InputError(
                f"levels of a margin must be the {target.size} of its shares, each with a voter, "
                f"got {np.count_nonzero(held)} with a voter"
            )


def _reachable(margin: Margin, share: Floats, cap: float | None) -> Floats:
    """Shares of a margin that weights under the cap can reach, as near as may be to its own."""
    target: Floats = margin.target / margin.target.sum()
    if cap is None:
        return target
    most: Floats = cap * _sums(margin.level, share, np.ones(share.size, dtype=bool), target.size)
    one = np.zeros(target.size, dtype=np.int64)
    reached: Floats = np.minimum(_fitted(target, np.ones(target.size), one, np.ones(1), most), most)
    return reached


def _fitted(
    factor: Floats, share: Floats, level: Codes, target: Floats, limit: "Floats | float"
) -> Floats:
    """Multiply each level's factors by what makes `share @ min(limit, factor)` its target.

    That sum is concave and piecewise linear in the multiplier, so Newton's method from below meets
    it after as many steps as cells reach the limit in turn. A level that holds its target only
    with every cell at the limit is put there for good.
    """
    limit = np.broadcast_to(np.asarray(limit, dtype=np.float64), factor.shape)
    capped = np.isinf(factor)
    while True:
        loose = _sums(level, share[~capped] * factor[~capped], ~capped, target.size)
        held = _sums(level, share[capped] * limit[capped], capped, target.size)
        scale = np.full(target.size, np.inf)
        np.divide(np.maximum(target - held, 0.0), loose, out=scale, where=loose > 0)
        moved = np.full(factor.size, np.inf)
        np.multiply(factor, scale[level], out=moved, where=~capped | np.isfinite(factor))
        more = moved >= limit
        if not (more & ~capped).any():
            return moved
        capped = capped | more


def _sums(level: Codes, values: Floats, where: npt.NDArray[np.bool_], size: int) -> Floats:
    return np.bincount(level[where], weights=values, minlength=size).astype(np.float64)


def _gap(
    weight: Floats, share: Floats, margins: Sequence[Margin], targets: Sequence[Floats]
) -> float:
    return max(
        float(np.abs(np.bincount(m.level, weights=share * weight, minlength=t.size) - t).max())
        for m, t in zip(margins, targets, strict=True)
    )
