"""Means of item scores and shares, with their intervals.

Standard errors follow Miller (2024), "Adding Error Bars to Evals", https://arxiv.org/abs/2411.00640,
with the small-sample corrections of `cluster_sums`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtri, stdtrit

from caveat.kernels.cluster_sums import cluster_rows, cluster_variance, unless_flat

Floats = npt.NDArray[np.float64]

FEW = 10
"""Right or wrong answers below which a t interval of a share covers less than it says."""


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """Means of columns.

    Attributes
    ----------
    mean, se : float array, shape (m,)
        nan where undefined: no row, or for `se` one cluster only or no variation at all. Where all
        clusters have the same mean, `se` is as if rows were independent.
    low, high : float array, shape (m,)
        t interval with `df` degrees of freedom, cut to 0..1 where all scores lie there.
        Where all scores are 0 or 1 and fewer than `FEW` of them are 0 or fewer are 1, the exact
        binomial interval: a t interval would be too narrow, or have no width at all. With
        clusters that is done only where all scores are equal, with `n_clusters` trials.
    n, n_clusters : int array, shape (m,)
    df : float array, shape (m,)
        `n` - 1 without clusters, fewer than `n_clusters` - 1 with uneven ones; nan with one only.
    exact : bool array, shape (m,)
        Where the exact interval stands.
    """

    mean: Floats
    se: Floats
    low: Floats
    high: Floats
    n: npt.NDArray[np.int64]
    n_clusters: npt.NDArray[np.int64]
    df: Floats
    exact: npt.NDArray[np.bool_]


def column_means(scores: Floats, *, cluster: npt.NDArray[np.integer] | None, level: float) -> Means:
    """Mean of each column with a cluster-robust t interval.

    Parameters
    ----------
    scores : float array, shape (n, m)
        nan where a column has no score in that row.
    cluster : int array, shape (n,), optional
        Cluster codes from 0; every row its own cluster by default.
    level : float
        In (0, 1).

    Returns
    -------
    Means
    """
    present = np.isfinite(scores)
    n = present.sum(axis=0)
    with np.errstate(invalid="ignore"):
        mean = np.where(present, scores, 0.0).sum(axis=0) / np.where(n > 0, n, np.nan)
    deviation = np.where(present, scores - mean, 0.0)
    if cluster is None:
        groups, df = n, np.where(n > 1, n - 1.0, np.nan)
        with np.errstate(invalid="ignore", divide="ignore"):
            variance = np.einsum("ij,ij->j", deviation, deviation) / df / n
    else:
        rows = cluster_rows(cluster)
        sizes = rows.sums(present.astype(np.float64))
        found = cluster_variance(rows.sums(deviation) ** 2, sizes)
        groups, df = found.n_clusters, found.df
        variance = unless_flat(found.variance, np.einsum("ij,ij->j", deviation, deviation), n)
    se = np.sqrt(variance)
    constant = ((scores == _first(scores, present)) | ~present).all(axis=0)
    se = np.where(constant, np.nan, se)
    half = stdtrit(df, (1.0 + level) / 2.0) * se
    right = ((scores == 1.0) & present).sum(axis=0)
    binary = right + ((scores == 0.0) & present).sum(axis=0) == n
    rare = constant if cluster is not None else np.minimum(right, n - right) < FEW
    exact = binary & rare & (n > 0)
    trials = np.where(constant, groups, n).astype(np.float64)
    low, high = exact_share(np.where(constant, mean * trials, right), trials, level=level)
    inside = ((scores >= 0.0) & (scores <= 1.0) | ~present).all(axis=0)
    return Means(
        mean,
        se,
        np.where(exact, low, np.where(inside, np.maximum(mean - half, 0.0), mean - half)),
        np.where(exact, high, np.where(inside, np.minimum(mean + half, 1.0), mean + half)),
        n,
        groups.astype(np.int64),
        df,
        exact,
    )


def _first(scores: Floats, present: npt.NDArray[np.bool_]) -> Floats:
    """First present score of each column (nan for an empty one)."""
    if not scores.shape[0]:
        return np.full(scores.shape[1], np.nan)
    first: Floats = scores[present.argmax(axis=0), np.arange(scores.shape[1])]
    return first


def exact_share(successes: Floats, n: Floats, *, level: float) -> tuple[Floats, Floats]:
    """Clopper-Pearson interval of a share; nan where `n` is 0.

    Clopper and Pearson (1934), https://doi.org/10.1093/biomet/26.4.404.
    """
    tail = (1.0 - level) / 2.0
    k, total = np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        low = np.where(k > 0, betaincinv(np.maximum(k, 1.0), total - k + 1.0, tail), 0.0)
        high = np.where(k < total, betaincinv(k + 1.0, np.maximum(total - k, 1.0), 1.0 - tail), 1.0)
    empty = total <= 0
    return np.where(empty, np.nan, low), np.where(empty, np.nan, high)


def wilson_share(
    share: Floats, n: Floats, *, level: float, df: Floats | None = None
) -> tuple[Floats, Floats]:
    """Wilson score interval of a share; nan where `n` is 0.

    With `df`, degrees of freedom of the variance that `n` was found by, the critical value is that
    of t and not of the normal distribution.

    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953.
    """
    tail = (1.0 + level) / 2.0
    z = np.asarray(ndtri(tail) if df is None else stdtrit(df, tail), dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        total = np.where(n > 0, n, np.nan)
        centre = (share + z**2 / (2.0 * total)) / (1.0 + z**2 / total)
        half = (
            z
            * np.sqrt(share * (1.0 - share) / total + z**2 / (4.0 * total**2))
            / (1.0 + z**2 / total)
        )
    # At 0 and 1 a limit is the share itself; rounding must not put it on the wrong side.
    return np.minimum(np.maximum(centre - half, 0.0), share), np.maximum(
        np.minimum(centre + half, 1.0), share
    )
