"""When a figure is beyond doubt within a limit, or beyond doubt outside it."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from caveat.kernels.series_means import SeriesMeans
from caveat.kernels.task_profile import TaskProfile
from caveat.results.comparison.interchange import Criterion, State

Floats = npt.NDArray[np.float64]
Name = Literal["score", "disagreement", "tasks"]
MOST_ITEMS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judged:
    """One criterion for p pairs.

    Attributes
    ----------
    name : str
    estimate, low, high : float array, shape (p,)
        `low` and `high` as in `Criterion`.
    met, failed : bool array, shape (p,)
    items : float array, shape (p,)
        Items that would decide; nan where none can be told.
    limit : float
    untested, open_because : str
        Why no pair is tested, or none can be met; empty otherwise.
    """

    name: Name
    estimate: Floats
    low: Floats
    high: Floats
    met: npt.NDArray[np.bool_]
    failed: npt.NDArray[np.bool_]
    items: Floats
    limit: float
    untested: str = ""
    open_because: str = ""

    def at(self, k: int) -> Criterion:
        """Return the criterion of one pair."""
        undefined = not math.isfinite(self.estimate[k])
        state: State = "met" if self.met[k] else "failed" if self.failed[k] else "open"
        reason = self.open_because
        if self.untested:
            state, reason = "untested", self.untested
        elif undefined:
            state, reason = "open", "no items to tell"
        items = self.items[k]
        told = state == "open" and not reason and math.isfinite(items) and items <= MOST_ITEMS
        return Criterion(
            name=self.name,
            state=state,
            estimate=float(self.estimate[k]),
            low=float(self.low[k]),
            high=float(self.high[k]),
            limit=self.limit,
            items=math.ceil(items) if told else None,
            reason=reason,
        )


def untested(name: Name, pairs: int, *, limit: float, why: str) -> Judged:
    """Return a criterion that no pair is tested for."""
    nothing, never = np.full(pairs, np.nan), np.zeros(pairs, dtype=bool)
    return Judged(
        name=name,
        estimate=nothing,
        low=nothing,
        high=nothing,
        met=never,
        failed=never,
        items=nothing,
        limit=limit,
        untested=why,
    )


def judge_mean(
    name: Name,
    means: SeriesMeans,
    *,
    limit: float,
    level: float,
    tested: int,
    sides: Literal["both", "above"],
) -> Judged:
    """Judge a mean against a limit, by two one-sided tests.

    Parameters
    ----------
    name : str
    means : SeriesMeans
    limit : float
    level : float
        One less the chance that a mean at the limit counts as within it.
    tested : int
        Criteria among which the chance of failing falsely is shared.
    sides : str
        `both`: within -limit..limit; `above`: not above the limit.
    """
    alpha = 1.0 - level
    low, high = means.bounds(1.0 - 2.0 * alpha)
    beyond_low, beyond_high = means.bounds(1.0 - 2.0 * alpha / tested)
    with np.errstate(invalid="ignore", divide="ignore"):
        met, failed = high <= limit, beyond_low > limit
        distance = limit - means.mean
        if sides == "both":
            met &= low >= -limit
            failed |= beyond_high < -limit
            distance = limit - np.abs(means.mean)
        z = np.where(distance > 0, ndtri(1.0 - alpha), ndtri(1.0 - alpha / tested))
        items = means.n * (z * means.se / np.abs(distance)) ** 2
    return Judged(
        name=name,
        estimate=means.mean,
        low=low,
        high=high,
        met=met,
        failed=failed & ~met,
        items=np.where(items > 0, np.maximum(items, means.n + 1.0), np.nan),
        limit=limit,
    )


def judge_spread(
    profile: TaskProfile, means: SeriesMeans, *, limit: float, level: float, tested: int
) -> Judged:
    """Judge the standard deviation over tasks of a difference against a limit.

    Where no item differs, the share of items that might bounds it: its square is at most that.

    Parameters
    ----------
    profile : TaskProfile
        Of the differences.
    means : SeriesMeans
        Of the same.
    limit, level, tested
        See `judge_mean`.
    """
    alpha = 1.0 - level
    with np.errstate(invalid="ignore"):
        none = means.up + means.down == 0
    low, high = means.bounds(1.0 - 2.0 * alpha)
    with np.errstate(invalid="ignore"):
        largest = np.sqrt(np.maximum(high, 0.0) + np.maximum(-low, 0.0))
    estimate, within = profile.spread, profile.spread_bound(alpha)
    blank = np.isnan(profile.f) & none
    estimate = np.where(blank, 0.0, estimate)
    within = np.where(blank, largest, within)
    below = np.where(blank, 0.0, profile.spread_bound(level))
    beyond = profile.spread_bound(1.0 - alpha / tested)
    with np.errstate(invalid="ignore"):
        return Judged(
            name="tasks",
            estimate=estimate,
            low=below,
            high=within,
            met=within <= limit,
            failed=(beyond > limit) & ~(within <= limit),
            items=_items_for_spread(profile, limit=limit, z=float(ndtri(level))),
            limit=limit,
        )


def _items_for_spread(profile: TaskProfile, *, limit: float, z: float) -> Floats:
    """Items at which the bound would reach the limit, tasks as now and spread as estimated.

    Noncentral chi-square of df1 degrees and noncentrality N k tau^2, k = df1 / W, with variance
    2 df1 + 4 N k tau^2: N k |limit^2 - tau^2| = z sqrt(2 df1 + 4 N k tau^2) is quadratic in N.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        k, square = profile.df1 / profile.within, profile.spread**2
        gap = k * np.abs(limit**2 - square)
        half = 2.0 * z**2 * k * square
        root = np.sqrt(half**2 + 2.0 * profile.df1 * (z * gap) ** 2)
        items = (half + root) / gap**2
    return np.maximum(items, profile.n + 1.0)
