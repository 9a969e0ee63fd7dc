"""Distribution of the largest of many dependent z values."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

DRAWS = 10_000


def largest_z(
    covariance: Floats, *, degrees: float, rng: np.random.Generator, draws: int = DRAWS
) -> Floats:
    """Draw the largest |z| of estimates whose true values are all zero; shape (draws,).

    Parameters
    ----------
    covariance : float array, shape (m, m)
        Of the estimates; its diagonal is positive.
    degrees : float
        Degrees of freedom of the errors, which all estimates share.
    rng : Generator
    draws : int
    """
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.clip(values, 0.0, None)) / np.sqrt(np.diag(covariance))[:, None]
    z = np.abs(rng.standard_normal((draws, root.shape[1])) @ root.T).max(axis=1)
    return np.asarray(z / np.sqrt(rng.chisquare(degrees, draws) / degrees), dtype=np.float64)
