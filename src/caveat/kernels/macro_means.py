"""Means over groups that count alike, however many rows each has.

The groups are fixed: the error is that of other items of the same groups, added up over groups,
with the degrees of freedom of Welch (1947), https://doi.org/10.1093/biomet/34.1-2.28, and
Satterthwaite (1946), https://doi.org/10.2307/3002019. Where clusters reach over groups, or a group
is one cluster, it is that of a weighted mean of clusters (`cluster_sums`, with weights for rows).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from caveat.kernels.cluster_sums import ClusterVariance, cluster_rows, cluster_variance

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class MacroMeans:
    """Means over groups; nan where undefined.

    Attributes
    ----------
    mean, se, df, low, high : float array, shape (m,)
        Limits are cut to 0..1 where all scores lie there.
    n, n_clusters : int array, shape (m,)
        Rows with a score in a group, and their clusters.
    lacking : int array, shape (m,)
        Groups in which a column has no score though another has: its mean is undefined.
    """

    mean: Floats
    se: Floats
    df: Floats
    low: Floats
    high: Floats
    n: npt.NDArray[np.int64]
    n_clusters: npt.NDArray[np.int64]
    lacking: npt.NDArray[np.int64]


def macro_means(scores: Floats, *, group: Codes, cluster: Codes | None, level: float) -> MacroMeans:
    """Mean of the means by group of each column.

    Parameters
    ----------
    scores : float array, shape (n, m)
        nan where a column has no score.
    group : int array, shape (n,)
        Codes from 0; rows below 0 are left out.
    cluster : int array, shape (n,), optional
        Every row its own by default.
    level : float
        In (0, 1).
    """
    present = np.isfinite(scores)
    inside = (group >= 0) & present.any(axis=1)  # what nobody has a score for says nothing
    scores, present, group = scores[inside], present[inside], group[inside]
    cluster = None if cluster is None else cluster[inside]
    place, means, sizes = _group_means(scores, present, group)
    lacking = (sizes == 0).sum(axis=0)
    k = max(sizes.shape[0], 1)
    mean = means.sum(axis=0) / k if sizes.size else np.full(scores.shape[1], np.nan)
    if cluster is None:
        found = _of_rows(scores, present, means, place)
    elif _nested(place, cluster):
        found = _of_clusters(scores, present, means, place, cluster)
    else:
        found = _of_weights(np.where(present, scores - mean, 0.0), present, sizes[place], cluster)
    variance = np.where((found.variance > 0) & (lacking == 0), found.variance, np.nan)
    se = np.sqrt(variance)
    half = stdtrit(found.df, (1.0 + level) / 2.0) * se
    unit = ((scores >= 0.0) & (scores <= 1.0) | ~present).all(axis=0)
    return MacroMeans(
        mean,
        se,
        found.df,
        np.where(unit, np.maximum(mean - half, 0.0), mean - half),
        np.where(unit, np.minimum(mean + half, 1.0), mean + half),
        present.sum(axis=0),
        found.n_clusters,
        lacking,
    )


def _group_means(scores: Floats, present: Bools, group: Codes) -> tuple[Codes, Floats, Floats]:
    """Renumber groups from 0 without gaps; mean and size of each by column."""
    rows = cluster_rows(group)
    place = np.empty(group.size, dtype=np.int64)
    lengths = np.diff(np.r_[rows.starts, group.size])
    place[rows.order] = np.repeat(np.arange(rows.starts.size), lengths)
    sizes = rows.sums(present.astype(np.float64))
    sums = rows.sums(np.where(present, scores, 0.0))
    return place, sums / np.where(sizes > 0, sizes, np.nan), sizes


def _nested(group: Codes, cluster: Codes) -> bool:
    """Whether every cluster lies in one group and every group has two clusters or more."""
    pairs = np.unique(np.stack([cluster.astype(np.int64), group.astype(np.int64)]), axis=1)
    once = np.unique(pairs[0]).size == pairs.shape[1]
    return once and bool((np.bincount(pairs[1]) > 1).all())


def _of_rows(scores: Floats, present: Bools, means: Floats, group: Codes) -> ClusterVariance:
    """Independent rows, added up over groups."""
    off = np.where(present, scores - means[group], 0.0)
    rows = cluster_rows(group)
    n = rows.sums(present.astype(np.float64))
    df = np.where(n > 1, n - 1.0, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = rows.sums(off**2) / df / n
    return _summed(variance, df, present.sum(axis=0))


def _of_clusters(
    scores: Floats, present: Bools, means: Floats, group: Codes, cluster: Codes
) -> ClusterVariance:
    """Clusters within groups, added up over groups."""
    off = np.where(present, scores - means[group], 0.0)
    parts = []
    for k in range(means.shape[0]):
        mine = group == k
        rows = cluster_rows(cluster[mine])
        sizes = rows.sums(present[mine].astype(np.float64))
        parts.append(cluster_variance(rows.sums(off[mine]) ** 2, sizes))
    return _summed(
        np.stack([part.variance for part in parts]),
        np.stack([part.df for part in parts]),
        np.sum([part.n_clusters for part in parts], axis=0),
    )


def _of_weights(off: Floats, present: Bools, size: Floats, cluster: Codes) -> ClusterVariance:
    """Clusters that reach over groups, or groups of one cluster: rows weigh 1 / size of group."""
    weight = np.where(present, 1.0 / np.maximum(size, 1.0), 0.0)
    rows = cluster_rows(cluster)
    return cluster_variance(rows.sums(off * weight) ** 2, rows.sums(weight))


def _summed(variance: Floats, df: Floats, n: npt.NDArray[np.int64]) -> ClusterVariance:
    total = variance.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        freedom = total**2 / (variance**2 / df).sum(axis=0)
    freedom = np.where(total > 0, freedom, np.nan)
    return ClusterVariance(total / max(variance.shape[0], 1) ** 2, freedom, n)
