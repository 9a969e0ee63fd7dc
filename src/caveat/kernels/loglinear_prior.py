"""A smooth distribution over fixed nodes, fitted by its moments.

Log-linear smoothing: the log of the weight of a node is a polynomial of its place, and the fit
matches the moments of that order (Holland and Thayer 2000,
https://doi.org/10.3102/10769986025002133). Two moments give a discretised normal distribution,
four leave room for skewness and for flat or heavy tails.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_STEPS = 50
_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class LoglinearPrior:
    """Weights of nodes.

    Attributes
    ----------
    basis : float array, shape (q, k)
        Terms of the polynomial, orthonormal over the nodes.
    coefficient : float array, shape (k,)
    weight : float array, shape (q,)
        Sums to 1.
    """

    basis: Floats
    coefficient: Floats
    weight: Floats


def orthonormal(terms: Floats) -> Floats:
    """Return columns that span the same polynomials beside the constant, orthonormal.

    Parameters
    ----------
    terms : float array, shape (q, k)
        One column per term.
    """
    full = np.column_stack([np.ones(terms.shape[0]), terms / np.abs(terms).max(axis=0)])
    basis: Floats = np.linalg.qr(full)[0][:, 1:] * np.sqrt(terms.shape[0])
    return basis


def start(basis: Floats, weight: Floats) -> LoglinearPrior:
    """Return the smooth weights whose moments are those of `weight`."""
    flat = LoglinearPrior(basis, np.zeros(basis.shape[1]), np.full(basis.shape[0], 1 / len(basis)))
    return refit(flat, weight)


def refit(prior: LoglinearPrior, mass: Floats) -> LoglinearPrior:
    """Match the moments of `mass` by Newton's method, from where the prior stands.

    Parameters
    ----------
    prior : LoglinearPrior
    mass : float array, shape (q,)
        Expected number of units at each node; need not sum to 1.
    """
    basis, coefficient = prior.basis, prior.coefficient
    target = basis.T @ mass / mass.sum()
    weight, value = _weights(basis, coefficient, target)
    for _ in range(_STEPS):
        mean = basis.T @ weight
        gradient = target - mean
        if np.abs(gradient).max() < _TOLERANCE:
            break
        centred = basis - mean
        curvature = centred.T @ (centred * weight[:, None])
        curvature[np.diag_indices_from(curvature)] += 1e-9  # all mass at one node
        step = np.linalg.solve(curvature, gradient)
        better = _better(basis, coefficient, step, target, value)
        if better is None:
            break
        coefficient = better
        weight, value = _weights(basis, coefficient, target)
    return LoglinearPrior(basis, coefficient, weight)


def _better(
    basis: Floats, coefficient: Floats, step: Floats, target: Floats, value: float
) -> Floats | None:
    """Halve a step until it does not make things worse."""
    size = 1.0
    while size > 1e-6:
        new: Floats = coefficient + size * step
        if _weights(basis, new, target)[1] >= value:
            return new
        size /= 2
    return None


def _weights(basis: Floats, coefficient: Floats, target: Floats) -> tuple[Floats, float]:
    """Weights of the nodes and the log-likelihood per unit."""
    height = basis @ coefficient
    top = height.max()
    raw = np.exp(height - top)
    total = raw.sum()
    return raw / total, float(coefficient @ target - top - np.log(total))
