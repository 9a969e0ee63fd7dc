"""Errors of means from sums over clusters, unbiased where items are alike, with few clusters too.

CR2 and its degrees of freedom: Bell and McCaffrey (2002), "Bias reduction in standard errors for
linear regression with multi-stage samples", Survey Methodology 28; Pustejovsky and Tipton (2018),
https://doi.org/10.1080/07350015.2016.1247004, whose working model is that of independent items of
one variance. For a mean both have a closed form in h_g, the share of the items that cluster g has,
and S_g, the sum of its deviations from the mean:

    variance = sum_g S_g^2 / (1 - h_g) / n^2
    degrees of freedom = 1 / (sum h^2 + (sum q)^2 - sum q^2),   q_g = h_g^2 / (1 - h_g).

With clusters of one size these are the factor G / (G - 1) and G - 1.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_NOTHING = 1e-12  # a variance between clusters this small beside that of rows is rounding


@dataclass(frozen=True, slots=True, eq=False)
class ClusterRows:
    """Rows in the order of their clusters.

    Attributes
    ----------
    order : int array, shape (n,)
    starts : int array, shape (G,)
        Where each cluster starts in that order.
    """

    order: Ints
    starts: Ints

    def sums(self, values: Floats) -> Floats:
        """Sum rows by cluster; shape (n, ...) to (G, ...)."""
        if not self.order.size:
            return np.zeros((0, *values.shape[1:]))
        return np.asarray(np.add.reduceat(values[self.order], self.starts, axis=0))


def cluster_rows(cluster: npt.NDArray[np.integer]) -> ClusterRows:
    """Sort rows by cluster.

    Parameters
    ----------
    cluster : int array, shape (n,)
        Codes of any kind.
    """
    order = np.argsort(cluster, kind="stable")
    changed = np.diff(cluster[order]) != 0
    return ClusterRows(order, np.flatnonzero(np.r_[cluster.size > 0, changed]))


@dataclass(frozen=True, slots=True, eq=False)
class ClusterVariance:
    """Variance of means, and how well it is known; nan with fewer than two clusters.

    Attributes
    ----------
    variance, df : float array
        `df` as if the variance came from df + 1 clusters of one size.
    n_clusters : int array
        Clusters that hold a row.
    """

    variance: Floats
    df: Floats
    n_clusters: Ints


def cluster_variance(squares: Floats, sizes: Floats) -> ClusterVariance:
    """CR2 variance of means from sums over clusters.

    Parameters
    ----------
    squares : float array, shape (G, ...)
        Squared sums of deviations from the mean, S_g^2.
    sizes : float array, shape (G, ...)
        Rows in each cluster, or their weights.
    """
    total = sizes.sum(axis=0)
    groups = (sizes > 0).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = sizes / total
        rest = np.where(groups > 1, 1.0 - share, np.nan)
        variance = (squares / rest).sum(axis=0) / total**2
        square = share**2
        pull = square / rest
        df = 1.0 / (square.sum(axis=0) + pull.sum(axis=0) ** 2 - (pull**2).sum(axis=0))
    return ClusterVariance(variance, np.maximum(df, 1.0), groups.astype(np.int64))


def unless_flat(variance: Floats, squares: Floats, n: npt.NDArray[np.integer] | Floats) -> Floats:
    """Take rows for independent where all clusters have the same mean, which claims no certainty.

    Parameters
    ----------
    variance : float array
        Of means by clusters; nan stays nan.
    squares : float array
        Squared deviations of single rows, added up.
    n : array
        Rows.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        plain = squares / (n - 1.0) / n
    return np.asarray(np.where(variance <= _NOTHING * plain, plain, variance))
