"""Information of half-win ratings: the Laplacian of a graph of models."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def laplacian(edge: Floats) -> Floats:
    """Laplacian of a symmetric matrix of edge weights."""
    return np.diag(edge.sum(axis=1)) - edge


def information(votes: Floats, p: Floats) -> Floats:
    """Fisher information of ratings; shape (m, m), singular along a common shift.

    Parameters
    ----------
    votes : float array, shape (m, m)
        Votes between models, symmetric.
    p : float array, shape (m, m)
        Chance of the row to win.
    """
    return laplacian(votes * p * (1.0 - p))
