"""How a board reacts along a contrast of its ratings."""

import numpy as np
import numpy.typing as npt
from scipy.sparse.linalg import cg

from caveat.kernels.paired import Units, evaluate, filled, information
from caveat.kernels.ties import TieModel
from caveat.kernels.vote_kinds import Pull
from caveat.kernels.warm_refit import Refit, inverse_information

Floats = npt.NDArray[np.float64]

WIDE = 200
"""Models from which a whole inverse takes longer than everything else."""
_PRECISE = 1e-10


def pull_of(units: Units, refit: Refit, contrast: Floats, *, ties: TieModel) -> Pull:
    """Solve for the direction in which votes move a contrast.

    On a board of many models the inverse near by stands for the leverage of single votes, and the
    direction is solved for by conjugate gradients that start from it.

    Parameters
    ----------
    units : Units
    refit : Refit
        The fit of these votes.
    contrast : float array, shape (p,)
    ties : str
    """
    x, inverse = refit.parameters, refit.inverse
    if refit.exact:
        return Pull(x, inverse, inverse @ contrast, ties)
    if units.n_models < WIDE:
        inverse = inverse_information(units, x, ties=ties)
        return Pull(x, inverse, inverse @ contrast, ties)
    matrix = filled(information(units, evaluate(units, x, ties=ties), ties=ties), units)
    direction, failed = cg(matrix, contrast, inverse @ contrast, rtol=_PRECISE, M=inverse)
    if failed:
        direction = np.linalg.solve(matrix, contrast)
    return Pull(x, inverse, np.asarray(direction, dtype=np.float64), ties)
