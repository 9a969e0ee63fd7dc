"""Bradley-Terry by Newton's method on counts, with sandwich errors.

Notation: model i beats model j with probability p = 1 / (1 + exp(theta_j - theta_i)); a tie is half
a win of each. Existence: Ford (1957). Sandwich: White (1982), https://doi.org/10.2307/1912526.
Ratings are logits that sum to zero.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit

from caveat.kernels.counts import SCORE_OF_A, VoteCells, win_matrix

Floats = npt.NDArray[np.float64]

_MAX_STEPS = 100
_TOLERANCE = 1e-11
"""Largest Newton step, in logits, at which the fit counts as converged: far below the 1e-8 at
which boards are compared, and above what rounding makes of 10 million votes."""


_STALLED = 1e-8
"""Largest Newton step at which a fit counts as converged once the likelihood no longer rises:
on boards with odds of millions to one, rounding keeps the steps above the tolerance."""
FEW_VOTES = 30
"""Votes of a model below which its residuals are too few to speak for themselves."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A maximum likelihood fit.

    Attributes
    ----------
    theta : float array, shape (m,)
        Log-odds ratings, sum zero.
    iterations : int
    converged : bool
    """

    theta: Floats
    iterations: int
    converged: bool


def fit(wins: Floats, *, start: Floats | None = None) -> Fit:
    """Fit ratings to a connected board.

    Parameters
    ----------
    wins : float array, shape (m, m)
        `wins[i, j]`: (weighted) wins of i over j, ties as half; zero diagonal. The graph of wins
        must be strongly connected: see `caveat.kernels.connectivity`.
    start : float array, shape (m,), optional
        Ratings to start from; zeros by default.

    Returns
    -------
    Fit
    """
    m = wins.shape[0]
    votes = wins + wins.T
    theta = np.zeros(m) if start is None else start - start.mean()
    value = _log_likelihood(theta, wins)
    for iteration in range(1, _MAX_STEPS + 1):
        p = expit(theta[:, None] - theta[None, :])
        step = np.linalg.solve(
            information(votes, p) + votes.sum() / m**2, (wins - votes * p).sum(axis=1)
        )
        step -= step.mean()
        size = float(np.abs(step).max(initial=0.0))
        before = value
        theta, value = _climb(theta, step, value, wins)
        stalled = size < _STALLED and value <= before + 1e-15 * abs(before)
        if size < _TOLERANCE or stalled:
            return Fit(theta, iteration, converged=True)
    return Fit(theta, _MAX_STEPS, converged=False)


def _climb(theta: Floats, step: Floats, value: float, wins: Floats) -> tuple[Floats, float]:
    """Full Newton step, halved while it lowers the likelihood by more than rounding does."""
    slack = 1e-12 * abs(value)
    for halving in range(60):
        candidate = theta + step / 2.0**halving
        reached = _log_likelihood(candidate, wins)
        if reached >= value - slack:
            return candidate - candidate.mean(), reached
    return theta, value


def _log_likelihood(theta: Floats, wins: Floats) -> float:
    return float((wins * log_expit(theta[:, None] - theta[None, :])).sum())


def information(votes: Floats, p: Floats) -> Floats:
    """Fisher information, a graph Laplacian; shape (m, m)."""
    return laplacian(votes * p * (1.0 - p))


def laplacian(edge: Floats) -> Floats:
    """Laplacian of a symmetric matrix of edge weights."""
    return np.diag(edge.sum(axis=1)) - edge


def sandwich(cells: VoteCells, theta: Floats) -> Floats:
    """Robust covariance of the ratings, each vote an independent unit.

    The squared residuals of a pair stand for the variance of its votes. Where one of the two
    models has fewer than `FEW_VOTES` votes they cannot: a single tie between equals leaves no
    residual at all. There the observed sum is mixed with what the model expects at the dispersion
    of the whole board, in the share of the votes that are wanting.

    Parameters
    ----------
    cells : VoteCells
        The votes the ratings were fitted to; the board is connected.
    theta : float array, shape (m,)
        Fitted ratings in logits.

    Returns
    -------
    float array, shape (m, m)
        Covariance in squared logits; rows sum to zero, as the ratings do.
    """
    m = cells.n_models
    votes = win_matrix(cells, cells.weight)
    votes = votes + votes.T
    p = expit(theta[:, None] - theta[None, :])
    residual = SCORE_OF_A[cells.outcome] - p[cells.a, cells.b]
    edge: Floats = np.zeros((m, m))
    np.add.at(edge, (cells.a, cells.b), cells.weight2 * residual**2)
    edge = _steadied(edge + edge.T, cells, p)
    ones = np.full((m, m), 1.0 / m)
    # The Laplacian is singular along (1, ..., 1); a rank-one term of the size of its other
    # eigenvalues makes it invertible without moving anything orthogonal to that direction.
    scale = float(votes.sum()) / m
    bread = np.linalg.inv(information(votes, p) + scale * ones) - ones / scale
    covariance = bread @ laplacian(edge) @ bread
    return (covariance + covariance.T) / 2.0


def _steadied(observed: Floats, cells: VoteCells, p: Floats) -> Floats:
    """Mix observed squared residuals with expected ones where a model has few votes."""
    m = cells.n_models
    weights: Floats = np.zeros((m, m))
    np.add.at(weights, (cells.a, cells.b), cells.weight2)
    expected = (weights + weights.T) * p * (1.0 - p)
    number: Floats = np.zeros(m)
    np.add.at(number, cells.a, cells.count)
    np.add.at(number, cells.b, cells.count)
    trust = np.minimum(1.0, np.minimum(number[:, None], number[None, :]) / FEW_VOTES)
    dispersion = observed.sum() / expected.sum()
    mixed: Floats = trust * observed + (1.0 - trust) * dispersion * expected
    return mixed
