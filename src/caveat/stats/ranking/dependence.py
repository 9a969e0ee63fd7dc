"""Does the lead survive when votes that share something count together?"""

import math

import numpy as np
from scipy.special import ndtr, stdtrit

from caveat.data.evidence import Evidence
from caveat.kernels.clustered import Clustered, clustered, influence, vote_scores
from caveat.results.ranking import Dependence, Lead, Ranking
from caveat.stats.ranking.bradley_terry import POINTS
from caveat.stats.ranking.rated_votes import clusters, has_values, rated_votes

COLUMNS = ("battle", "item", "voter")
"""What votes may share."""
FEW = 20
"""Clusters below which an error from them is too uncertain to lean on."""


def dependence(evidence: Evidence, board: Ranking) -> tuple[Dependence, ...]:
    """Judge the lead again with the votes of one battle, of one item, of one voter together.

    Use it wherever the source names what votes share: the plain error takes every vote for an
    independent unit.

    Parameters
    ----------
    evidence : Evidence
        The votes that `board` was fitted to.
    board : Ranking

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
    table, lead = evidence.table, board.lead
    columns = [name for name in COLUMNS if has_values(table, name)]
    if lead is None or not columns or not math.isfinite(lead.z):
        return ()
    votes = rated_votes(table, board)
    m = votes.theta.size
    contrast = np.zeros(m)
    names = [model.model for model in board.models[:m]]
    contrast[[names.index(lead.leader), names.index(lead.runner_up)]] = 1.0, -1.0
    score = vote_scores(
        votes.a,
        votes.b,
        votes.outcome,
        theta=votes.theta,
        influence=influence(board.votes[:m, :m], votes.theta, contrast),
        weight=votes.weight,
    )
    found = []
    for name in columns:
        got = clustered(score, clusters(table, name, votes), count=votes.count)
        if got.n_clusters < got.n_votes:
            found.append(_dependence(name, got, lead, board.critical))
    return tuple(found)


def _dependence(column: str, got: Clustered, lead: Lead, critical: float) -> Dependence:
    error = math.sqrt(got.variance) if got.variance > 0 else math.nan
    z = lead.difference / (POINTS * error)
    if got.n_clusters >= FEW:
        critical = -float(stdtrit(got.n_clusters - 1.0, ndtr(-critical)))
    return Dependence(
        column=column,
        n_votes=round(got.n_votes),
        n_clusters=round(got.n_clusters),
        votes_per_cluster=got.n_votes / got.n_clusters,
        largest=round(got.largest),
        se=float(POINTS * error),
        z=float(z),
        error_ratio=error / math.sqrt(got.plain) if got.plain > 0 else math.nan,
        critical=critical,
        separable=bool(z > critical),
    )
