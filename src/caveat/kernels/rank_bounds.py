"""Ranks that paired scores allow: simultaneous, for one model alone, and by the plain bootstrap.

Mogstad, Romano, Shaikh and Wilhelm (2024), "Inference for Ranks with Applications to Mobility
across Neighbourhoods and Academic Achievement across Countries",
https://doi.org/10.1093/restud/rdad006. All ordered pairs (k, j) are tested for theta_k <= theta_j
by (theta_k - theta_j) / error; what is rejected is left out and the rest tested anew with a smaller
critical value (the stepdown of Romano and Wolf). A model's rank lies between one plus the number of
models surely better, and m minus the number of models surely worse. The critical value is that of
the largest statistic over all pairs under a Gaussian multiplier of the units, which is exactly a
normal draw with their covariance.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

Floats = npt.NDArray[np.float64]
Draws = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

DRAWS, FEWEST_DRAWS = 10_000, 1_000
_WORK = 400_000_000  # pairs x draws at which the number of draws is cut
_ALONE = 300  # models beyond which intervals of one model alone take a single step
_BLOCK = 250


@dataclass(frozen=True, slots=True, eq=False)
class RankBounds:
    """Best and worst ranks, 1 for the highest score.

    Attributes
    ----------
    low, high : int array, shape (m,)
        All true ranks lie within, together, at the level.
    alone_low, alone_high : int array, shape (m,)
        Each by itself at the level.
    plain_low, plain_high : int array, shape (m,)
        Percentiles of the ranks in a bootstrap: too narrow near ties.
    best : bool array, shape (m,)
        Models that no other surely beats, each tested alone: the true best is among them at the
        level.
    first : float array, shape (m,)
        Share of bootstrap draws in which the model is first.
    critical : float
        First critical value of |difference| / error; nan where no difference has an error.
    steps : int
        Steps taken down.
    draws : int
    """

    low: Ints
    high: Ints
    alone_low: Ints
    alone_high: Ints
    plain_low: Ints
    plain_high: Ints
    best: Bools
    first: Floats
    critical: float
    steps: int
    draws: int


def unit_effects(scores: Floats, starts: Ints | None) -> Floats:
    """Return what each unit adds to the error of each mean; shape (units, m).

    The sum over units of products of two columns is the covariance of their means, with the
    correction of `caveat.kernels.cluster_sums`.

    Parameters
    ----------
    scores : float array, shape (n, m)
        Without gaps, clusters one after the other.
    starts : int array, shape (units,), optional
        First row of each cluster; every row is one by default.
    """
    n = scores.shape[0]
    centred = scores - scores.mean(axis=0)
    if starts is None:
        effect: Floats = centred / np.sqrt(n * (n - 1.0))
        return effect
    sizes = np.diff(np.r_[starts, n])
    rest = n * np.sqrt(1.0 - sizes / n)
    return np.asarray(np.add.reduceat(centred, starts, axis=0) / rest[:, None])


def rank_bounds(
    theta: Floats,
    covariance: Floats,
    *,
    level: float,
    units: int,
    degrees: float,
    rng: np.random.Generator,
) -> RankBounds:
    """Bound the ranks of correlated means.

    Parameters
    ----------
    theta : float array, shape (m,)
    covariance : float array, shape (m, m)
    level : float
        In (0, 1).
    units : int
        Independent units behind the means. A pair whose difference is the same in all of them has
        no error; it counts by the sign test.
    degrees : float
        Degrees of freedom: critical values are those of Student's t at the same tail probability.
    rng : Generator

    Returns
    -------
    RankBounds
    """
    m = theta.size
    draws = int(np.clip(_WORK // m**2, FEWEST_DRAWS, DRAWS))
    errors = _errors(covariance)
    statistic = _statistics(theta, errors, units)
    inverse = (1.0 / np.where(np.isfinite(errors), errors, np.inf)).astype(np.float32)
    noise = _noise(covariance, draws, rng)
    desk = _Desk(statistic, inverse, noise, level, degrees)
    up, down = _largest(noise, inverse)
    either = np.maximum(up, down)
    critical = desk.limit(either.max(axis=0)) if np.isfinite(errors).any() else float("nan")
    better, steps = desk.simultaneous(critical)
    alone_low, alone_high = desk.alone(either)
    behind = np.array([desk.limit(row) for row in up])
    plain_low, plain_high, first = _plain(theta, noise, level)
    return RankBounds(
        1 + better.sum(axis=0),
        m - better.sum(axis=1),
        alone_low,
        alone_high,
        plain_low,
        plain_high,
        np.asarray(~(statistic > behind[None, :]).any(axis=0)),
        first,
        critical,
        steps,
        draws,
    )


def _errors(covariance: Floats) -> Floats:
    """Errors of all differences; nan where there is no variation but rounding."""
    variance = np.diag(covariance)
    squared = variance[:, None] + variance[None, :] - 2.0 * covariance
    floor = 1e-12 * float(variance.max(initial=0.0))
    return np.asarray(np.sqrt(np.where(squared > floor, squared, np.nan)))


def _statistics(theta: Floats, errors: Floats, units: int) -> Floats:
    """(theta_k - theta_j) / error at [k, j]; without an error the z value of all signs alike."""
    gap = theta[:, None] - theta[None, :]
    scale = float(np.abs(theta).max(initial=0.0))
    sure = -float(ndtri(max(0.5**units, 1e-300)))
    alike = np.where(np.abs(gap) > 1e-12 * scale, np.sign(gap) * sure, 0.0)
    return np.where(np.isfinite(errors), gap / np.where(np.isfinite(errors), errors, 1.0), alike)


def _noise(covariance: Floats, draws: int, rng: np.random.Generator) -> Draws:
    """Draw the means around their common average; shape (m, draws)."""
    centre = covariance - covariance.mean(axis=0)
    centre -= centre.mean(axis=1, keepdims=True)
    values, vectors = np.linalg.eigh((centre + centre.T) / 2.0)
    root = ((vectors * np.sqrt(np.clip(values, 0.0, None))) @ vectors.T).astype(np.float32)
    drawn: Draws = root @ rng.standard_normal((root.shape[1], draws), dtype=np.float32)
    return drawn


def _largest(noise: Draws, inverse: Draws) -> tuple[Draws, Draws]:
    """Largest statistic of any other over each model, and of each model over any other."""
    m, draws = noise.shape
    up, down = np.zeros((m, draws), np.float32), np.zeros((m, draws), np.float32)
    for start in range(0, draws, _BLOCK):
        part = slice(start, start + _BLOCK)
        drawn, over, under = noise[:, part], up[:, part], down[:, part]
        for i in range(m - 1):
            gap = (drawn[i + 1 :] - drawn[i]) * inverse[i, i + 1 :, None]
            np.maximum(over[i], gap.max(axis=0), out=over[i])
            np.maximum(under[i], -gap.min(axis=0), out=under[i])
            np.maximum(under[i + 1 :], gap, out=under[i + 1 :])
            np.maximum(over[i + 1 :], -gap, out=over[i + 1 :])
    return up, down


@dataclass(frozen=True, slots=True, eq=False)
class _Desk:
    statistic: Floats
    inverse: Draws
    noise: Draws
    level: float
    degrees: float

    def limit(self, largest: Draws) -> float:
        """Quantile of the largest statistic, brought to Student's t."""
        normal = float(np.quantile(largest, self.level))
        return -float(stdtrit(self.degrees, ndtr(-normal)))

    def simultaneous(self, critical: float) -> tuple[Bools, int]:
        """Ordered pairs surely apart, [k, j] where k is better than j; and the steps taken."""
        better = self.statistic > critical
        steps = 1
        while better.any():
            found = self.statistic > self.limit(self._over(~better))
            if not (found & ~better).any():
                break
            better |= found
            steps += 1
        return np.asarray(better), steps

    def _over(self, active: Bools) -> Draws:
        """Largest statistic over the ordered pairs that are left."""
        made = np.zeros(self.noise.shape[1], np.float32)
        for start in range(0, made.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            drawn = self.noise[:, part]
            for j in range(active.shape[0]):
                rows = np.flatnonzero(active[:, j])
                gap = (drawn[rows] - drawn[j]) * self.inverse[rows, j, None]
                np.maximum(made[part], gap.max(axis=0, initial=0.0), out=made[part])
        return made

    def alone(self, either: Draws) -> tuple[Ints, Ints]:
        """Ranks of each model by itself."""
        m = self.statistic.shape[0]
        low, high = np.ones(m, dtype=np.int64), np.full(m, m, dtype=np.int64)
        for j in range(m):
            ahead, behind = self.statistic[:, j], self.statistic[j]
            over = under = np.zeros(m, dtype=bool)
            largest = either[j]
            while True:
                limit = self.limit(largest)
                grown = over.sum() + under.sum()
                over, under = over | (ahead > limit), under | (behind > limit)
                if over.sum() + under.sum() == grown or m > _ALONE:
                    break
                gap = (self.noise - self.noise[j]) * self.inverse[:, j, None]
                largest = np.maximum(
                    gap[~over].max(axis=0, initial=0.0), -gap[~under].min(axis=0, initial=0.0)
                )
            low[j], high[j] = 1 + over.sum(), m - under.sum()
        return low, high


def _plain(theta: Floats, noise: Draws, level: float) -> tuple[Ints, Ints, Floats]:
    """Percentile intervals of the ranks, and shares of first places."""
    m, draws = noise.shape
    order = np.argsort(-(theta[:, None] + noise), axis=0, kind="stable")
    rank = np.empty((m, draws), dtype=np.int64)
    np.put_along_axis(rank, order, np.arange(1, m + 1)[:, None], axis=0)
    ends = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
    low, high = np.quantile(rank, ends, axis=1, method="inverted_cdf").astype(np.int64)
    return low, high, np.bincount(order[0], minlength=m) / draws
