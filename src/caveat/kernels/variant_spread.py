"""Do scores and their order depend on the variant they were measured with?

Notation: S_mv is the mean score of model m under variant v over the same n items, C the covariance
of all S_mv by sampling of items (or clusters of them). Over V variants, the variance of S_mv of one
model has the expectation of its true variance plus tr(P C_m) / (V - 1), P the centring matrix, so
the latter is taken off. With the mean over models, the former splits into a part that all models
share, which changes no order, and the rest, which does.

Whether variants do anything to models differently is tested by the sum of squares of
S_mv - S_m. - S_.v, the interaction, against its distribution when S has covariance C and there is
none. Were the order the same under all variants, orders would still differ by chance: how much is
found by drawing S* with covariance C around each model's mean over variants.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]
_EQUAL = 1e-9
"""Difference of scores below which they are equal but for rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class VariantSpread:
    """Scores of m models under v variants.

    Attributes
    ----------
    score : float array, shape (m, v)
    covariance : float array, shape (m, v, m, v)
        Of the scores, by sampling of items; nan with fewer than two units.
    sampling, common, own : float
        Variances of a score: by items (mean over models and variants), by variants in all models
        alike, and by variants in each model. The latter two are unbiased and may be below 0.
    """

    score: Floats
    covariance: Floats
    sampling: float
    common: float
    own: float


@dataclass(frozen=True, slots=True)
class OrderTest:
    """Whether variants do something to models differently, and to their order.

    Attributes
    ----------
    concordance, expected : float
        Kendall's tau-b between two variants, the mean over all pairs of them; observed, and mean
        over draws from one order.
    p : float
        Chance of so large an interaction of models and variants, were there none; at least
        1 / (draws + 1).
    firsts, firsts_expected : float
        Models first under some variant; observed, and mean over draws.
    changes : float
        Share of draws in which two variants or more have different firsts.
    draws : int
    """

    concordance: float
    expected: float
    p: float
    firsts: int
    firsts_expected: float
    changes: float
    draws: int


def variant_spread(values: Floats, *, cluster: Codes | None) -> VariantSpread:
    """Means, their covariance and the components of their variance.

    Parameters
    ----------
    values : float array, shape (items, m, v)
        Scores, complete.
    cluster : int array, shape (items,), optional
        Codes of independent groups of items; every item its own by default.
    """
    n, m, v = values.shape
    flat = values.reshape(n, m * v)
    mean = flat.mean(axis=0)
    units = flat - mean
    if cluster is not None:
        order = np.argsort(cluster, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(cluster[order]) != 0])
        units = np.add.reduceat(units[order], starts, axis=0)
    g = units.shape[0]
    factor = g / (g - 1.0) if g > 1 else float("nan")
    covariance = factor * (units.T @ units) / n**2
    four = covariance.reshape(m, v, m, v)
    score = mean.reshape(m, v)
    own_covariance = np.einsum("avaw->avw", four)
    total = _above_chance(score, own_covariance).mean()
    common = float(_above_chance(score.mean(axis=0)[None], four.mean(axis=(0, 2))[None])[0])
    return VariantSpread(
        score=score,
        covariance=four,
        sampling=float(np.diagonal(covariance).mean()),
        common=common,
        own=float(total - common),
    )


def _above_chance(score: Floats, covariance: Floats) -> Floats:
    """Variance over variants in each row, less what sampling alone gives."""
    v = score.shape[1]
    if v < 2:
        return np.full(score.shape[0], np.nan)
    trace = np.trace(covariance, axis1=1, axis2=2) - covariance.sum(axis=(1, 2)) / v
    return np.asarray(score.var(axis=1, ddof=1) - trace / (v - 1.0), dtype=np.float64)


def order_test(spread: VariantSpread, *, draws: int, rng: np.random.Generator) -> OrderTest:
    """Test the interaction; set the agreement of orders against what chance leaves of it.

    Parameters
    ----------
    spread : VariantSpread
        Two models and two variants or more.
    draws : int
    rng : Generator
    """
    m, v = spread.score.shape
    values, vectors = np.linalg.eigh(spread.covariance.reshape(m * v, m * v))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    normal = rng.standard_normal((draws, root.shape[1]))
    error = (normal @ root.T).reshape(draws, m, v)
    reached = _interaction(error) >= _interaction(spread.score[None]) * (1.0 - 1e-9) - 1e-18
    drawn = error + spread.score.mean(axis=1)[:, None]
    observed = float(_concordance(spread.score[None])[0])
    chance = _concordance(drawn)
    firsts = drawn.argmax(axis=1)
    distinct = (np.diff(np.sort(firsts, axis=1), axis=1) > 0).sum(axis=1) + 1
    return OrderTest(
        concordance=observed,
        expected=float(chance.mean()),
        p=(1.0 + int(reached.sum())) / (1.0 + draws),
        firsts=int(np.unique(spread.score.argmax(axis=0)).size),
        firsts_expected=float(distinct.mean()),
        changes=float((distinct > 1).mean()),
        draws=draws,
    )


def _interaction(score: Floats) -> Floats:
    """Sum of squares of what neither model nor variant explains; score of shape (draws, m, v)."""
    left = score - score.mean(axis=1, keepdims=True)
    left = left - left.mean(axis=2, keepdims=True)
    return np.asarray((left**2).sum(axis=(1, 2)), dtype=np.float64)


def _concordance(score: Floats) -> Floats:
    """Mean tau-b over pairs of variants; score of shape (draws, m, v)."""
    draws, _, v = score.shape
    told = sum((sign**2).sum(axis=1) for sign in _signs(score))
    scale = 1.0 / np.sqrt(np.maximum(told, 1.0))
    total = np.zeros(draws)
    for sign in _signs(score):
        scaled = sign * scale[:, None, :]
        total += (scaled.sum(axis=2) ** 2 - (scaled**2).sum(axis=2)).sum(axis=1)
    return np.asarray(total / (v * (v - 1.0)), dtype=np.float64)


def _signs(score: Floats) -> Iterator[Floats]:
    """Order of each model and those after it, a model at a time: not all pairs of all draws fit."""
    for k in range(score.shape[1] - 1):
        gap = score[:, [k], :] - score[:, k + 1 :, :]
        yield np.where(np.abs(gap) > _EQUAL, np.sign(gap), 0.0)


def turned_pairs(spread: VariantSpread, *, critical: float) -> tuple[Codes, Codes]:
    """Count pairs of models that some variants put in one order and others in the other.

    Parameters
    ----------
    spread : VariantSpread
    critical : float
        z value from which an order counts as sure.

    Returns
    -------
    turned, sure : int array, shape (v,)
        Against the first variant: pairs in the other order under each variant, and those in
        which both orders are sure.
    """
    one, other = np.triu_indices(spread.score.shape[0], k=1)
    gap = spread.score[one] - spread.score[other]
    variance = np.einsum("avbv->abv", spread.covariance)
    diagonal = np.einsum("aav->av", variance)
    error = diagonal[one] + diagonal[other] - 2.0 * variance[one, other]
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.where(error > 1e-18, gap / np.sqrt(np.maximum(error, 1e-300)), np.sign(gap) * 1e9)
    gap = np.where(np.abs(gap) > _EQUAL, gap, 0.0)
    turned = np.sign(gap) * np.sign(gap[:, :1]) < 0
    sure = turned & (np.abs(z) >= critical) & (np.abs(z[:, :1]) >= critical)
    return turned.sum(axis=0), sure.sum(axis=0)
