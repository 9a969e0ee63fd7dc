"""Means of many paired series of items, with bounds that hold where little happens.

Items or clusters are the independent units: a t interval as in Miller (2024),
https://arxiv.org/abs/2411.00640, with the variance and the degrees of freedom of
`kernels/cluster_sums.py` where there are clusters. Where a series is 0, 1, or -1 but for fewer than
`FEW` items, a t interval covers too little (none at all where all are equal). With shares p of
items at 1 and q at -1, the mean p - q lies between 2p - 1 and p, and between -q and 1 - 2q; p and q
are bounded by Clopper and Pearson (1934), https://doi.org/10.1093/biomet/26.4.404, so that bounds
can only be too wide.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, stdtrit

from caveat.kernels.cluster_sums import cluster_rows, cluster_variance, unless_flat
from caveat.kernels.means import FEW

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class SeriesMeans:
    """Means of s series.

    Attributes
    ----------
    mean, se, df : float array, shape (s,)
        `se` is 0 where all values are equal, nan with fewer than two units; `df` is units - 1,
        with clusters of unequal size less.
    n, units : float array, shape (s,)
        Items and independent units with a value.
    up, down : float array, shape (s,)
        Units at 1 and at -1 where all but a few are equal, else nan.
    """

    mean: Floats
    se: Floats
    df: Floats
    n: Floats
    units: Floats
    up: Floats
    down: Floats

    def bounds(self, level: float) -> tuple[Floats, Floats]:
        """Two-sided interval of each mean; nan where there is none.

        Parameters
        ----------
        level : float
            In (0, 1).
        """
        tail = (1.0 - level) / 2.0
        half = stdtrit(np.maximum(self.df, 1.0), 1.0 - tail) * self.se
        sparse = ~np.isnan(self.up)
        constant = (self.se == 0) & ~sparse  # all equal, at no value that has an exact bound
        half = np.where(constant | (self.df < 1), np.nan, half)
        n = self.units
        ones, minus = self.up > n / 2.0, self.down > n / 2.0
        most = np.where(minus, 1.0 - 2.0 * _lower(self.down, n, tail), _upper(self.up, n, tail))
        least = np.where(ones, 2.0 * _lower(self.up, n, tail) - 1.0, -_upper(self.down, n, tail))
        high = np.where(sparse, most, self.mean + half)
        low = np.where(sparse, least, self.mean - half)
        return low, high


def _upper(count: Floats, n: Floats, tail: float) -> Floats:
    """Upper limit of a share."""
    k = np.where(np.isnan(count), 0.0, count)
    with np.errstate(invalid="ignore"):
        return np.where(k < n, betaincinv(k + 1.0, np.maximum(n - k, 1.0), 1.0 - tail), 1.0)


def _lower(count: Floats, n: Floats, tail: float) -> Floats:
    """Lower limit of a share."""
    return 1.0 - _upper(n - count, n, tail)


def series_means(values: Floats, *, cluster: Codes | None) -> SeriesMeans:
    """Mean of each column over the items it has.

    Parameters
    ----------
    values : float array, shape (items, s)
        nan where a series has no value.
    cluster : int array, shape (items,), optional
        Codes of the units; every item its own by default.

    Returns
    -------
    SeriesMeans
    """
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    n = present.sum(axis=0).astype(np.float64)
    some = np.where(n > 0, n, np.nan)
    mean = filled.sum(axis=0) / some
    deviation = np.where(present, filled - mean, 0.0)
    squares = np.einsum("ij,ij->j", deviation, deviation)
    units, df = n, n - 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = squares / np.where(n > 1, n - 1.0, np.nan) / some
    if cluster is not None:
        units, df, variance = _by_cluster(deviation, present, cluster)
        variance = unless_flat(variance, squares, n)
    se = np.sqrt(variance)
    equal = squares <= 1e-20 * some
    up, down = (filled == 1.0).sum(axis=0), (filled == -1.0).sum(axis=0)
    moved = np.minimum(np.minimum(up + down, n - up), n - down)
    whole = np.count_nonzero(filled, axis=0) == up + down
    rare = (moved < FEW) & whole & (n > 0)
    if cluster is not None:
        rare &= moved == 0
        up, down = (np.where(count > 0, units, 0.0) for count in (up, down))
    return SeriesMeans(
        mean=mean,
        se=np.where(equal & (units > 1), 0.0, se),
        df=df,
        n=n,
        units=units,
        up=np.where(rare, up, np.nan),
        down=np.where(rare, down, np.nan),
    )


def _by_cluster(
    deviation: Floats, present: npt.NDArray[np.bool_], cluster: Codes
) -> tuple[Floats, Floats, Floats]:
    """Units, degrees of freedom and variances."""
    rows = cluster_rows(cluster)
    found = cluster_variance(rows.sums(deviation) ** 2, rows.sums(present.astype(np.float64)))
    units = found.n_clusters.astype(np.float64)
    return units, np.where(units > 1, found.df, units - 1.0), found.variance
