"""Correlated estimates shrunk towards their common mean, as far as their own spread says.

The true values are taken to be normal around a common mean with variance tau^2; tau^2 maximises the
restricted likelihood of the estimates, and each true value is estimated by its posterior mean
(empirical Bayes: Efron and Morris 1973, https://doi.org/10.1080/01621459.1973.10481350). What all
estimates have in common, such as how hard the items are, is not shrunk.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

Floats = npt.NDArray[np.float64]

_LEAST = 1e-6  # of the mean variance: tau^2 that counts as none
_MOST = 1e4  # of the largest square and variance


@dataclass(frozen=True, slots=True, eq=False)
class Shrunk:
    """Posterior means.

    Attributes
    ----------
    mean : float array, shape (m,)
    tau : float
        Standard deviation of the true values.
    """

    mean: Floats
    tau: float


def shrink(x: Floats, covariance: Floats) -> Shrunk:
    """Shrink estimates towards their mean.

    Parameters
    ----------
    x : float array, shape (m,)
    covariance : float array, shape (m, m)
        Not all zero.
    """
    m = x.size
    scale = float(np.diag(covariance).mean())
    centre = covariance - covariance.mean(axis=0)
    centre -= centre.mean(axis=1, keepdims=True)
    # lifted far above the others, the mean is the last direction, and left out
    lifted = (centre + centre.T) / 2.0 + 1e3 * scale
    values, vectors = np.linalg.eigh(lifted)
    spread = np.clip(values[:-1], 0.0, None)
    square = (vectors[:, :-1].T @ (x - x.mean())) ** 2

    def loss(log_tau2: float) -> float:
        total = spread + np.exp(log_tau2)
        return float((np.log(total) + square / total).sum())

    least = np.log(_LEAST * scale)
    most = np.log(_MOST * max(float(square.max(initial=0.0)), scale))
    best = minimize_scalar(loss, bounds=(least, most), method="bounded", options={"xatol": 1e-4})
    log_tau2 = least if loss(least) <= best.fun else float(best.x)
    tau2 = float(np.exp(log_tau2))
    inverse = np.linalg.inv(covariance + tau2 * np.eye(m))
    mean = float(inverse.sum(axis=0) @ x / inverse.sum())
    shrunk: Floats = x - covariance @ (inverse @ (x - mean))
    return Shrunk(shrunk, float(np.sqrt(tau2)))
