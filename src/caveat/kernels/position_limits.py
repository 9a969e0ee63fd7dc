"""Whether the advantage of the answer shown first has a finite estimate.

The likelihood rises for ever, or stays level, along a direction (delta, c, g) of ratings, tie
parameter and advantage exactly when delta_a - delta_b + g >= c for every win of a shown before b,
<= -c for every win of b, and between -c and c for every tie: see `caveat.kernels.tie_limits`. Under
half-win c is 0. Directions with g = c = 0 only are those of a board that falls apart.
"""

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

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
    return _plainly(won, lost, tied, ties) or not _recedes(won, lost, tied, ties)


def _plainly(won: Bools, lost: Bools, tied: Bools, ties: TieModel) -> bool:
    """Tell the usual case: a pair that goes either way in both orders."""
    either_way = won & lost
    if ties != "half-win" and not either_way.any():
        return False
    level = either_way | tied  # delta_a - delta_b + g = 0, once c is known to be 0
    return bool((level & level.T).any())


def _recedes(won: Bools, lost: Bools, tied: Bools, ties: TieModel) -> bool:
    """Look for a direction by linear programs: the largest c + g, and the largest c - g."""
    from scipy.optimize import linprog

    m = won.shape[0]
    rows = [(*np.nonzero(won), 1.0, -1.0), (*np.nonzero(lost), -1.0, -1.0)]
    rows += [(*np.nonzero(tied), 1.0, 1.0), (*np.nonzero(tied), -1.0, 1.0)]
    a, b = (np.concatenate([row[side] for row in rows]) for side in (0, 1))
    sign, by_tie = (
        np.concatenate([np.full(row[0].size, row[value]) for row in rows]) for value in (2, 3)
    )
    n = np.arange(a.size)
    # sign (delta_a - delta_b + g) + by_tie c >= 0
    matrix = csr_array(
        (
            -np.concatenate([sign, -sign, by_tie, sign]),
            (np.tile(n, 4), np.concatenate([a, b, np.full(n.size, m), np.full(n.size, m + 1)])),
        ),
        shape=(n.size, m + 2),
    )
    most = 0.0 if ties == "half-win" else 1.0
    bounds = [(0.0, 0.0), *[(None, None)] * (m - 1), (0.0, most), (-1.0, 1.0)]
    for way in (1.0, -1.0):
        aim = np.r_[np.zeros(m), -1.0, -way]
        found = linprog(aim, A_ub=matrix, b_ub=np.zeros(n.size), bounds=bounds, method="highs")
        if found.status != 0 or -found.fun > _NONE:
            return True
    return False
