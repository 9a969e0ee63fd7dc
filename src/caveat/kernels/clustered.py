"""Errors of ratings when votes come in clusters.

Slopes of votes are summed by cluster, squared and added: Liang and Zeger (1986),
https://doi.org/10.1093/biomet/73.1.13, with the factor G / (G - 1).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from caveat.kernels.counts import VoteCells
from caveat.kernels.paired import Slopes

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class ClusterCells:
    """How the votes of each cluster fall on k cells of counts.

    Attributes
    ----------
    members : sparse array, shape (g, k)
        (Weighted) votes of each cluster in each cell.
    votes : float array, shape (g,)
        Votes of each cluster.
    single, single2 : float array, shape (k,)
        Votes that are each a cluster of their own, and the sum of their squared weights.
    """

    members: csr_array
    votes: Floats
    single: Floats
    single2: Floats

    @property
    def n_clusters(self) -> float:
        """Clusters that hold a vote."""
        return float(np.count_nonzero(self.votes) + self.single.sum())

    @property
    def n_votes(self) -> float:
        """Votes in all clusters."""
        return float(self.votes.sum() + self.single.sum())

    @property
    def largest(self) -> float:
        """Votes of the largest cluster."""
        return max(float(self.votes.max(initial=0)), float(self.single.any()))

    @property
    def factor(self) -> float:
        """G / (G - 1); nan with fewer than two clusters."""
        g = self.n_clusters
        return g / (g - 1.0) if g > 1 else float("nan")


def cluster_cells(
    cells: VoteCells,
    cluster: Codes,
    *,
    place: Codes,
    count: Floats | None = None,
    weight: Floats | None = None,
) -> ClusterCells:
    """Add votes up by cluster and cell.

    Parameters
    ----------
    cells : VoteCells
        k cells.
    cluster : int array, shape (n,)
        Codes from 0; -1 for votes that are each a cluster of its own.
    place : int array, shape (n,)
        Cell of each vote.
    count, weight : float array, shape (n,), optional
        Identical votes a row stands for, all in the same cluster, and the weight of each of them;
        1 where absent.
    """
    k, together = cells.a.size, cluster >= 0
    code, cell = cluster[together], place[together]
    size = int(code.max(initial=-1)) + 1
    times = np.ones(cluster.size) if count is None else count
    each = np.ones(cluster.size) if weight is None else weight
    value = times * each
    members = csr_array((value[together], (code, cell)), shape=(size, k))
    members.sum_duplicates()
    alone = ~together
    return ClusterCells(
        members=members,
        votes=_summed(code, times[together], size),
        single=_summed(place[alone], times[alone], k),
        single2=_summed(place[alone], (value * each)[alone], k),
    )


def _summed(code: Codes, values: Floats, size: int) -> Floats:
    return np.bincount(code, weights=values, minlength=size).astype(np.float64)


def clustered_variance(effect: Floats, clusters: ClusterCells) -> float:
    """Variance of one contrast with the votes of a cluster taken together.

    Parameters
    ----------
    effect : float array, shape (k,)
        By how much a vote of each cell moves the contrast: `Slopes.effect` along bread @ contrast.
    clusters : ClusterCells
    """
    total = clusters.members @ effect
    return clusters.factor * float(total @ total + clusters.single2 @ effect**2)


def clustered_meat(
    slopes: Slopes, clusters: ClusterCells, *, n_models: int, has_tie: bool
) -> Floats:
    """Squared slopes of clusters for all parameters at once; shape (p, p).

    Parameters
    ----------
    slopes : Slopes
        Of one vote of each cell.
    clusters : ClusterCells
    n_models : int
    has_tie : bool
        Whether the model has a tie parameter.
    """
    by_cell = _by_parameter(slopes, n_models=n_models, has_tie=has_tie)
    total = (clusters.members @ by_cell).tocsr()
    alone = by_cell.multiply(clusters.single2[:, None]).tocsr()
    meat = (total.T @ total + by_cell.T @ alone).toarray()
    return np.asarray(clusters.factor * meat, dtype=np.float64)


def _by_parameter(slopes: Slopes, *, n_models: int, has_tie: bool) -> csr_array:
    """Slopes of each cell by each parameter, as a sparse array of shape (k, p)."""
    n, extra = slopes.eta.size, slopes.covariates.shape[1]
    columns = [slopes.a, slopes.b]
    values = [slopes.eta, -slopes.eta]
    if has_tie:
        columns.append(np.full(n, n_models))
        values.append(slopes.tie)
    for j in range(extra):
        columns.append(np.full(n, n_models + has_tie + j))
        values.append(slopes.eta * slopes.covariates[:, j])
    places = (np.tile(np.arange(n), len(columns)), np.concatenate(columns))
    return csr_array((np.concatenate(values), places), shape=(n, n_models + has_tie + extra))
