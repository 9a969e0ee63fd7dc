"""Whether the advantage of the answer shown first has a finite estimate.

The likelihood rises for ever, or stays level, along a direction (delta, c, g) of ratings, tie
parameter and advantage exactly when delta_a - delta_b + g >= c for every win of a shown before b,
<= -c for every win of b, and between -c and c for every tie: see `caveat.kernels.tie_limits`. Under
half-win c is 0. Directions with g = c = 0 only are those of a board that falls apart.
"""

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import NegativeCycleError, bellman_ford

from caveat.kernels.counts import VoteCells
from caveat.kernels.ties import TieModel

Bools = npt.NDArray[np.bool_]
_NONE = 1e-6
"""Of a direction of length 1: what a linear program makes of nothing."""


def position_exists(cells: VoteCells, *, ties: TieModel) -> bool:
    """Whether ratings, tie parameter and first-shown advantage have a finite, unique estimate.

    Parameters
    ----------
    cells : VoteCells
        Votes of models that reach each other along wins and ties.
    ties : str
        With a tie parameter there must be ties, and `tie_parameter_exists`.

    Returns
    -------
    bool
        False where each model is always shown on the same side of the same opponents, so that
        advantage and ratings cannot be told apart, or where going first settles everything.
    """
    m = cells.n_models
    won, lost, tied = np.zeros((3, m, m), dtype=bool)
    held = cells.weight > 0
    for outcome, found in ((0, won), (1, lost)):
        chosen = held & (cells.outcome == outcome)
        found[cells.a[chosen], cells.b[chosen]] = True
    even = held & (cells.outcome >= 2)
    tied[cells.a[even], cells.b[even]] = True
    return position_bounded(won, lost, tied, ties=ties)


def position_bounded(won: Bools, lost: Bools, tied: Bools, *, ties: TieModel) -> bool:
    """Whether an advantage exists, by results of the row shown first against the column.

    Parameters
    ----------
    won, lost, tied : bool array, shape (m, m)
    ties : str
    """
    # A pair that goes either way leaves eta >= c and eta <= -c, so c = 0.
    either_way = won & lost
    if ties != "half-win" and not either_way.any():
        return not _recedes(won, lost, tied)
    level = either_way | tied  # delta_a - delta_b + g = 0
    if (level & level.T).any():  # the usual case: level in both orders
        return True
    return not any(_fits(won | tied, lost | tied, way) for way in (1.0, -1.0))


def _fits(won: Bools, lost: Bools, way: float) -> bool:
    """Look for a direction with c = 0 and g = `way`: a system of difference constraints."""
    # An arc u -> v of length w says delta_v <= delta_u + w; the shorter of two arcs counts.
    length = np.where(won, way, np.inf)
    length = np.minimum(length, np.where(lost.T, -way, np.inf))
    try:
        bellman_ford(csr_array(np.where(np.isfinite(length), length, 0.0)), indices=0)
    except NegativeCycleError:
        return False
    return True


def _recedes(won: Bools, lost: Bools, tied: Bools) -> bool:
    """Look for a direction by linear programs: the largest c + g, and the largest c - g."""
    from scipy.optimize import linprog

    m = won.shape[0]
    # A win, a loss, and both sides of a tie, each with the signs of eta and of c.
    kinds = ((won, 1.0, -1.0), (lost, -1.0, -1.0), (tied, 1.0, 1.0), (tied, -1.0, 1.0))
    a, b = (np.concatenate([np.nonzero(kind)[side] for kind, _, _ in kinds]) for side in (0, 1))
    number = [np.count_nonzero(kind) for kind, _, _ in kinds]
    sign, by_tie = (np.repeat([float(kind[k]) for kind in kinds], number) for k in (1, 2))
    n = np.arange(a.size)
    # sign (delta_a - delta_b + g) + by_tie c >= 0
    matrix = csr_array(
        (
            -np.concatenate([sign, -sign, by_tie, sign]),
            (np.tile(n, 4), np.concatenate([a, b, np.full(n.size, m), np.full(n.size, m + 1)])),
        ),
        shape=(n.size, m + 2),
    )
    bounds = [(0.0, 0.0), *[(None, None)] * (m - 1), (0.0, 1.0), (-1.0, 1.0)]
    for way in (1.0, -1.0):
        aim = np.r_[np.zeros(m), -1.0, -way]
        found = linprog(aim, A_ub=matrix, b_ub=np.zeros(n.size), bounds=bounds, method="highs")
        if found.status != 0 or -found.fun > _NONE:
            return True
    return False
