"""Clustered errors of models that few clusters have judged.

The votes of a model sum to a slope of zero, so where all of them come from one voter, the sum of
that voter's slopes is zero as well and says nothing of spread; from three or four voters it says
little. There the sum is mixed with what the board as a whole says: votes of one cluster on one
model are correlated as they are on other models (the intraclass correlation of Moulton 1986,
https://doi.org/10.1016/0304-4076(86)90021-7).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from caveat.kernels import paired
from caveat.kernels.clustered import ClusterCells, clustered_meat
from caveat.kernels.counts import VoteCells
from caveat.kernels.paired import PairedFit, Units

Floats = npt.NDArray[np.float64]

FEW_CLUSTERS = 30
"""Effective clusters of a model from which the sum over its clusters speaks for itself."""


@dataclass(frozen=True, slots=True, eq=False)
class ClustersOfModels:
    """How the votes of each model fall into clusters.

    Attributes
    ----------
    effective : float array, shape (m,)
        Squared sum over sum of squares of the (weighted) votes by cluster: the number of clusters
        where all are of one size, fewer where some are larger.
    squares : float array, shape (m,)
        Squared weights of single votes, added up.
    pairs : float array, shape (m,)
        Products of the weights of every two votes of one cluster, both ways round.
    """

    effective: Floats
    squares: Floats
    pairs: Floats


def clusters_of_models(cells: VoteCells, clusters: ClusterCells) -> ClustersOfModels:
    """Count the clusters behind each model.

    Parameters
    ----------
    cells : VoteCells
        Votes of m models.
    clusters : ClusterCells
        Of the same votes.
    """
    k, m = cells.a.size, cells.n_models
    takes_part = csr_array(
        (np.ones(2 * k), (np.tile(np.arange(k), 2), np.r_[cells.a, cells.b])), shape=(k, m)
    )
    by_cluster = clusters.members @ takes_part
    together = by_cluster.power(2).sum(axis=0) + clusters.single2 @ takes_part
    total, squares = cells.weight @ takes_part, cells.weight2 @ takes_part
    return ClustersOfModels(total**2 / together, squares, np.maximum(together - squares, 0.0))


def clustered_covariance(
    cells: VoteCells,
    units: Units,
    fitted: PairedFit,
    clusters: ClusterCells,
    *,
    few: float = FEW_CLUSTERS,
) -> Floats:
    """Covariance of all parameters with the votes of a cluster taken together; shape (p, p).

    Parameters
    ----------
    cells : VoteCells
        The votes the ratings were fitted to.
    units : Units
        The same, added up for the fit.
    fitted : PairedFit
    clusters : ClusterCells
        Of the same votes.
    few : float
        Effective clusters of a model below which the board is asked; 0 never asks it.

    Returns
    -------
    float array
        nan with fewer than two clusters.
    """
    m = cells.n_models
    slopes = paired.slopes(cells.a, cells.b, cells.outcome, fitted=fitted)
    meat = clustered_meat(slopes, clusters, n_models=m, has_tie=fitted.has_tie)
    behind = clusters_of_models(cells, clusters)
    if (behind.effective < few).any() and clusters.n_clusters > 1:
        plain = paired.meat(cells, fitted).diagonal()[:m]
        meat = steadied(meat, plain, behind, taken_away(cells))
    bread = paired.bread(units, fitted)
    covariance = bread @ meat @ bread
    return np.asarray((covariance + covariance.T) / 2.0, dtype=np.float64)


def taken_away(cells: VoteCells) -> Floats:
    """Say what a vote for each model takes from the others on average; shape (m, m)."""
    m = cells.n_models
    met = np.bincount(cells.a * m + cells.b, weights=cells.weight, minlength=m * m)
    met = met.reshape(m, m) + met.reshape(m, m).T
    return np.asarray(np.eye(m) - met / met.sum(axis=0), dtype=np.float64)


def steadied(meat: Floats, plain: Floats, behind: ClustersOfModels, away: Floats) -> Floats:
    """Bring the variance of each model's slope to where it is wanted.

    What a model gains or loses its opponents lose or gain: slopes of all models add up to zero.

    Parameters
    ----------
    meat : float array, shape (p, p)
        Squared slopes of clusters, ratings first.
    plain : float array, shape (m,)
        Squared slopes of single votes by each rating.
    behind : ClustersOfModels
    away : float array, shape (m, m)
        From `taken_away`.
    """
    m = plain.size
    seen = meat.diagonal()[:m]
    expected = _expected(seen, plain, behind)
    trust = np.minimum(1.0, behind.effective / FEW_CLUSTERS)
    wanted = trust * seen + (1.0 - trust) * expected
    less = 1.0 - np.sqrt(np.minimum(1.0, wanted / np.where(seen > 0, seen, np.inf)))
    less[seen <= 0] = 0.0
    shrink = np.eye(meat.shape[0])
    shrink[:m, :m] -= away * less
    more = np.maximum(0.0, wanted - seen)
    made = shrink @ meat @ shrink.T
    made[:m, :m] += (away * more) @ away.T
    return np.asarray(made, dtype=np.float64)


def _expected(seen: Floats, plain: Floats, behind: ClustersOfModels) -> Floats:
    """Squared slopes of each model if its clusters were as alike inside as those of the board."""
    each = plain / behind.squares
    enough = behind.effective >= FEW_CLUSTERS
    told = enough if enough.any() else behind.effective > 1.999
    most = each * behind.pairs
    if not most[told].sum() > 1e-9 * plain.sum():  # no two votes of one cluster
        return np.maximum(plain, seen)
    # Sums over g clusters that add up to zero fall short of their variance by (g - 1) / g.
    short = np.where(enough, 1.0, 1.0 - 1.0 / np.maximum(behind.effective, 2.0))
    correlation = float((seen / short - plain)[told].sum() / most[told].sum())
    return plain + min(max(correlation, 0.0), 1.0) * most
