"""Does the lead at equal style survive when votes that share something count together?"""

import numpy as np

from caveat.results.ranking import Dependence, Ranking
from caveat.stats.ranking.controlled import ControlledBoard
from caveat.stats.ranking.dependence import COLUMNS, dependent_lead, normal_critical
from caveat.stats.ranking.rated_votes import has_values
from caveat.stats.ranking.sharing import clusters_of


def controlled_dependence(board: Ranking, held: ControlledBoard) -> tuple[Dependence, ...]:
    """Judge the lead again with the votes of one battle, of one item, of one voter together.

    Parameters
    ----------
    board : Ranking
        From `rate_controlled`.
    held : ControlledBoard
        Its fit.

    Returns
    -------
    tuple of Dependence
        As `caveat.stats.ranking.dependence.dependence` has it.
    """
    source, lead = held.plain.votes.source, board.lead
    columns = [n for n in COLUMNS if source is not None and has_values(source.table, n)]
    if lead is None or not columns or not np.isfinite(lead.z):
        return ()
    contrast = np.zeros(held.fit.parameters.size)
    contrast[[held.plain.code(lead.leader), held.plain.code(lead.runner_up)]] = 1.0, -1.0
    plain = float(contrast @ held.covariance() @ contrast)
    found = []
    for name in columns:
        clusters = clusters_of(held.plain, name)
        if clusters.n_clusters < clusters.n_votes:
            variance = float(contrast @ held.covariance(name) @ contrast)
            told = (variance, plain)
            found.append(dependent_lead(name, clusters, lead, normal_critical(board), told))
    return tuple(found)
