"""Does the lead survive when votes that share something count together?"""

import math

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from caveat.kernels import paired
from caveat.kernels.clustered import ClusterCells, clustered_variance
from caveat.kernels.few_clusters import FEW_CLUSTERS, clustered_covariance, clusters_of_models
from caveat.results.ranking import Dependence, Lead, Ranking
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.rated_votes import has_values
from caveat.stats.ranking.scale import POINTS
from caveat.stats.ranking.sharing import clusters_of

Floats = npt.NDArray[np.float64]

COLUMNS = ("battle", "item", "voter")
"""What votes may share."""
FEW = 20
"""Clusters below which an error from them is too uncertain to lean on."""


def dependence(board: Ranking, fitted: FittedBoard) -> tuple[Dependence, ...]:
    """Judge the lead again with the votes of one battle, of one item, of one voter together.

    Use it wherever the source names what votes share: the plain error takes every vote for an
    independent unit.

    Parameters
    ----------
    board : Ranking
    fitted : FittedBoard
        Its fit, with the votes as source.

    Returns
    -------
    tuple of Dependence
        One for each column in which fewer values than votes occur; empty without a lead.

    References
    ----------
    Liang and Zeger (1986), https://doi.org/10.1093/biomet/73.1.13; Cameron and Miller (2015),
    https://doi.org/10.3368/jhr.50.2.317.

    Examples
    --------
    >>> import caveat
    >>> rows = {"model_a": ["x"] * 60, "model_b": ["y"] * 60, "item": [i // 2 for i in range(60)],
    ...         "outcome": ["a", "a", "b", "b", "a", "a"] * 10}
    >>> (found,) = caveat.rank(caveat.read_votes(rows)).dependence
    >>> found.n_clusters, round(found.error_ratio ** 2 * 29 / 30, 6)
    (30, 2.0)
    """
    source, lead = fitted.votes.source, board.lead
    columns = [n for n in COLUMNS if source is not None and has_values(source.table, n)]
    if lead is None or not columns or not math.isfinite(lead.z):
        return ()
    contrast = np.zeros(fitted.fit.parameters.size)
    contrast[[fitted.code(lead.leader), fitted.code(lead.runner_up)]] = 1.0, -1.0
    cells = fitted.cells
    effect = paired.slopes(cells.a, cells.b, cells.outcome, fitted=fitted.fit).effect(
        paired.bread(fitted.units, fitted.fit) @ contrast,
        n_models=len(fitted.names),
        ties=fitted.fit.ties,
    )
    plain, critical = float(cells.weight2 @ effect**2), normal_critical(board)
    found = []
    for name in columns:
        clusters = clusters_of(fitted, name)
        if clusters.n_clusters < clusters.n_votes:
            variance = _variance(fitted, contrast, effect, clusters)
            found.append(dependent_lead(name, clusters, lead, critical, (variance, plain)))
    return tuple(found)


def normal_critical(board: Ranking) -> float:
    """Return the critical value of the board at normal tails, whatever its own errors are."""
    if board.n_clusters is None:
        return board.critical
    return -float(ndtri(stdtr(max(board.n_clusters - 1.0, 1.0), -board.critical)))


def _variance(
    fitted: FittedBoard, contrast: Floats, effect: Floats, clusters: ClusterCells
) -> float:
    behind = clusters_of_models(fitted.cells, clusters).effective[
        contrast[: len(fitted.names)] != 0
    ]
    if behind.min() >= FEW_CLUSTERS:
        return clustered_variance(effect, clusters)
    covariance = clustered_covariance(fitted.cells, fitted.units, fitted.fit, clusters)
    return float(contrast @ covariance @ contrast)


def dependent_lead(
    column: str,
    clusters: ClusterCells,
    lead: Lead,
    critical: float,
    variances: tuple[float, float],
) -> Dependence:
    """Judge a lead by the variance, in logits, that clusters give it; the plain one is second."""
    variance, plain = variances
    error = math.sqrt(variance) if variance > 0 else math.nan
    z = lead.difference / (POINTS * error)
    if clusters.n_clusters >= FEW:
        critical = -float(stdtrit(clusters.n_clusters - 1.0, ndtr(-critical)))
    return Dependence(
        column=column,
        n_votes=round(clusters.n_votes),
        n_clusters=round(clusters.n_clusters),
        votes_per_cluster=clusters.n_votes / clusters.n_clusters,
        largest=round(clusters.largest),
        se=float(POINTS * error),
        z=float(z),
        error_ratio=error / math.sqrt(plain) if plain > 0 else math.nan,
        critical=critical,
        separable=bool(z > critical),
    )
