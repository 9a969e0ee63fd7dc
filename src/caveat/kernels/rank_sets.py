"""Which ranks the ratings allow, simultaneously for all models.

Mogstad, Romano, Shaikh and Wilhelm (2024), "Inference for Ranks with Applications to Mobility
across Neighbourhoods and Academic Achievement across Countries",
https://doi.org/10.1093/restud/rdad006: compare all pairs with one critical value of the largest
|difference| / error; a model's rank lies between one plus the number of models surely better and m
minus the number of models surely worse.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtrit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

DRAWS = 10_000
_CHUNK = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class RankSets:
    """Simultaneous rank intervals.

    Attributes
    ----------
    low, high : int array, shape (m,)
        Best and worst rank (1 is best) at the joint level.
    tier : int array, shape (m,)
        1 for the leader and all models not separable from it; then the best model left over and
        all not separable from that one; and so on.
    critical : float
        Value that |difference| / error must exceed to count; nan for fewer than two models.
    best : float array, shape (m,)
        Share of simulated boards on which the model is first; nan where no difference has an error.
    """

    low: Ints
    high: Ints
    tier: Ints
    critical: float
    best: Floats


def difference_errors(covariance: Floats) -> Floats:
    """Errors of all differences; nan on the diagonal and where there is no variation."""
    variance = np.diag(covariance)
    squared = variance[:, None] + variance[None, :] - 2.0 * covariance
    # Rounding leaves about 1e-16 of the largest variance where the true value is zero; the two
    # summands themselves may be rounding.
    floor = 1e-12 * float(variance.max(initial=0.0))
    errors: Floats = np.sqrt(np.where(squared > floor, squared, np.nan))
    return errors


def critical_value(
    covariance: Floats, *, level: float, rng: np.random.Generator, draws: int = DRAWS
) -> float:
    """Quantile of the largest |difference| / error over all pairs, for normal estimates.

    Parameters
    ----------
    covariance : float array, shape (m, m)
    level : float
        Joint coverage, in (0, 1).
    rng : Generator
    draws : int
        Simulated boards; at 10,000 the quantile is known to about 0.02.

    Returns
    -------
    float
        nan when no difference has an error.
    """
    drawn = _simulate(np.zeros(covariance.shape[0]), covariance, rng=rng, draws=draws)
    return float(np.quantile(drawn.largest, level)) if drawn.largest.size else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """Simulated boards: the largest |difference| / error of each, and how often each is first."""

    largest: Floats
    best: Floats


def _simulate(theta: Floats, covariance: Floats, *, rng: np.random.Generator, draws: int) -> _Drawn:
    errors = difference_errors(covariance)
    if not np.isfinite(errors).any():
        return _Drawn(np.zeros(0), np.full(theta.size, np.nan))
    inverse = (1.0 / np.where(np.isfinite(errors), errors, np.inf)).astype(np.float32)
    # Neither the model that is held fixed nor its rounding may move the draws: differences have
    # the same distribution under the centred covariance, and its symmetric root is unique.
    centre = covariance - covariance.mean(axis=0)
    centre -= centre.mean(axis=1, keepdims=True)
    values, vectors = np.linalg.eigh((centre + centre.T) / 2.0)
    root = ((vectors * np.sqrt(np.clip(values, 0.0, None))) @ vectors.T).astype(np.float32)
    largest, first = [], np.zeros(theta.size)
    for start in range(0, draws, _CHUNK):
        size = min(_CHUNK, draws - start)
        noise = root @ rng.standard_normal((root.shape[1], size), dtype=np.float32)
        largest.append(_largest_difference(noise, inverse))
        winner = (theta[:, None] + noise).argmax(axis=0)
        first += np.bincount(winner, minlength=theta.size)
    return _Drawn(np.concatenate(largest), first / draws)


def _largest_difference(noise: npt.NDArray[np.float32], inverse: npt.NDArray[np.float32]) -> Floats:
    """Largest |difference| / error of each column of `noise`, pair by pair without storing all."""
    best = np.zeros(noise.shape[1], dtype=np.float32)
    for i in range(noise.shape[0] - 1):
        gap = np.abs(noise[i + 1 :] - noise[i]) * inverse[i, i + 1 :, None]
        np.maximum(best, gap.max(axis=0), out=best)
    return best.astype(np.float64)


def rank_sets(
    theta: Floats,
    covariance: Floats,
    *,
    level: float,
    rng: np.random.Generator,
    degrees: float | None = None,
) -> RankSets:
    """Rank intervals and tiers at a joint level.

    Parameters
    ----------
    theta : float array, shape (m,)
    covariance : float array, shape (m, m)
    level : float
        In (0, 1): probability that all intervals hold their true rank together.
    rng : Generator
    degrees : float, optional
        Degrees of freedom of the errors: the critical value is brought to Student's t at the same
        tail probability. Normal where absent.

    Returns
    -------
    RankSets
    """
    m = theta.size
    drawn = _simulate(theta, covariance, rng=rng, draws=DRAWS)
    critical = float(np.quantile(drawn.largest, level)) if drawn.largest.size else float("nan")
    if degrees is not None:
        critical = -float(stdtrit(degrees, ndtr(-critical)))
    errors = difference_errors(covariance)
    with np.errstate(invalid="ignore"):
        better = (theta[:, None] - theta[None, :]) / errors > critical
    low = 1 + better.sum(axis=0)
    high = m - better.sum(axis=1)
    return RankSets(low, high, _tiers(theta, better), critical, drawn.best)


def _tiers(theta: Floats, better: npt.NDArray[np.bool_]) -> Ints:
    tier = np.zeros(theta.size, dtype=np.int64)
    number = 0
    order = np.argsort(-theta, kind="stable")
    while (left := order[tier[order] == 0]).size:
        number += 1
        tier[left[~better[left[0], left]]] = number
    return tier
