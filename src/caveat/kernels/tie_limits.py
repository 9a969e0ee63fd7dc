"""Whether a tie parameter has a finite estimate.

In both models of `caveat.kernels.ties` the likelihood rises for ever along a direction (delta, c)
of ratings and tie parameter exactly when delta_a - delta_b >= c for every win of a over b and
|delta_a - delta_b| <= c for every tie. With c = 0 that is a board that falls apart (see
`caveat.kernels.connectivity`); with c > 0 it is a system of difference constraints, which is
feasible exactly when no cycle of wins and ties holds more wins than ties.
"""

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import NegativeCycleError, bellman_ford, connected_components

from caveat.kernels.counts import VoteCells

Bools = npt.NDArray[np.bool_]


def tie_parameter_exists(cells: VoteCells) -> bool:
    """Whether ratings and tie parameter have a finite maximum likelihood estimate.

    Parameters
    ----------
    cells : VoteCells
        Votes of models that reach each other along wins and ties.

    Returns
    -------
    bool
        False without ties, without decisive votes, or where every model can be put at such a
        distance from the next that wins go one way and ties the other.
    """
    m = cells.n_models
    won, tied = np.zeros((2, m, m), dtype=bool)
    held = cells.weight > 0
    for outcome, first, second in ((0, cells.a, cells.b), (1, cells.b, cells.a)):
        chosen = held & (cells.outcome == outcome)
        won[first[chosen], second[chosen]] = True
    even = held & (cells.outcome >= 2)
    tied[cells.a[even], cells.b[even]] = tied[cells.b[even], cells.a[even]] = True
    return tie_bounded(won, tied)


def tie_bounded(won: Bools, tied: Bools) -> bool:
    """Whether a tie parameter exists, by who beat whom and who tied whom (both ways).

    Parameters
    ----------
    won, tied : bool array, shape (m, m)
    """
    if not won.any() or not tied.any():
        return False
    return _wins_in_a_circle(won) or _wins_outweigh_ties(won, tied)


def _wins_in_a_circle(won: Bools) -> bool:
    if (won & won.T).any():  # the usual case: two models that beat each other
        return True
    number, _ = connected_components(csr_array(won), directed=True, connection="strong")
    return bool(number < won.shape[0])


def _wins_outweigh_ties(won: Bools, tied: Bools) -> bool:
    # An arc u -> v of length w says delta_v <= delta_u + w.
    length = np.where(won, -1.0, np.where(tied, 1.0, 0.0))
    try:
        bellman_ford(csr_array(length), directed=True, indices=0)  # all can be reached from any
    except NegativeCycleError:
        return True
    return False
