"""Bootstrap of a Bradley-Terry board: resample cells of counts and refit.

Drawing votes with replacement and adding them up is the same as drawing the cells from one
multinomial. Cells that enter the likelihood alike (both orders of a pair, both kinds of tie) are
merged first, which leaves the distribution of the refits as it is.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from caveat.kernels.bradley_terry import fit, information
from caveat.kernels.connectivity import is_connected
from caveat.kernels.counts import VoteCells

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_BATCH = 100
_MAX_STEPS = 60
_TOLERANCE = 1e-9
"""Largest step, in logits, at which a refit counts as converged: a millionth of any error."""


@dataclass(frozen=True, slots=True, eq=False)
class Bootstrap:
    """Ratings of resampled boards.

    Attributes
    ----------
    theta : float array, shape (r, m)
        One row per replicate whose board held together.
    failed : int
        Replicates whose resampled votes no longer tie all models into one board.
    """

    theta: Floats
    failed: int


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Unordered pairs that met; `count[k]` holds wins of `low[k]`, of `high[k]`, and ties."""

    n_models: int
    low: Ints
    high: Ints
    count: Floats


def bootstrap(
    cells: VoteCells, theta: Floats, *, replicates: int, rng: np.random.Generator
) -> Bootstrap:
    """Resample the votes of a connected board and refit each replicate.

    Parameters
    ----------
    cells : VoteCells
        Unweighted votes.
    theta : float array, shape (m,)
        Ratings fitted to them, in logits.
    replicates : int
    rng : Generator

    Returns
    -------
    Bootstrap
    """
    pairs = _merge(cells)
    probability = pairs.count.ravel() / pairs.count.sum()
    n = round(float(pairs.count.sum()))
    rows, failed = [], 0
    for start in range(0, replicates, _BATCH):
        size = min(_BATCH, replicates - start)
        drawn = rng.multinomial(n, probability, size=size).reshape(size, -1, 3)
        wins = drawn[:, :, 0] + drawn[:, :, 2] / 2.0
        losses = drawn[:, :, 1] + drawn[:, :, 2] / 2.0
        whole = np.array([_holds(pairs, w, x) for w, x in zip(wins, losses, strict=True)])
        failed += int((~whole).sum())
        rows.append(_refit(pairs, theta, wins[whole], losses[whole]))
    return Bootstrap(np.concatenate(rows), failed)


def _merge(cells: VoteCells) -> _Pairs:
    m = cells.n_models
    low, high = np.minimum(cells.a, cells.b), np.maximum(cells.a, cells.b)
    keys, place = np.unique(low * m + high, return_inverse=True)
    first_won = (cells.outcome == 0) == (cells.a < cells.b)
    column = np.where(cells.outcome >= 2, 2, np.where(first_won, 0, 1))
    count: Floats = np.zeros((keys.size, 3))
    np.add.at(count, (place, column), cells.count)
    return _Pairs(m, keys // m, keys % m, count)


def _holds(pairs: _Pairs, wins: Floats, losses: Floats) -> bool:
    return is_connected(_matrix(pairs, wins, losses))


def _matrix(pairs: _Pairs, wins: Floats, losses: Floats) -> Floats:
    matrix = np.zeros((pairs.n_models, pairs.n_models))
    matrix[pairs.low, pairs.high] = wins
    matrix[pairs.high, pairs.low] = losses
    return matrix


def _refit(pairs: _Pairs, theta: Floats, wins: Floats, losses: Floats) -> Floats:
    """Refit all replicates side by side with the Hessian of the full board (chord method).

    The replicates differ little from the board, so a few steps do; what has not converged by
    then (thin boards) is fitted by Newton's method on its own.
    """
    k, m = pairs.low.size, pairs.n_models
    inverse = _inverse_information(pairs, theta)
    incidence = csr_array(
        (
            np.r_[np.ones(k), -np.ones(k)],
            (np.r_[pairs.low, pairs.high], np.r_[np.arange(k), np.arange(k)]),
        ),
        shape=(m, k),
    )
    votes = wins + losses
    found = np.tile(theta, (wins.shape[0], 1))
    size = np.full(wins.shape[0], np.inf)
    active = np.arange(wins.shape[0])
    for _ in range(_MAX_STEPS):
        gap = found[active][:, pairs.low] - found[active][:, pairs.high]
        with np.errstate(over="ignore", invalid="ignore"):
            residual = wins[active] - votes[active] / (1.0 + np.exp(-gap))
            step = (inverse @ (incidence @ residual.T)).T
            found[active] += step
            size[active] = np.abs(step).max(axis=1)
        active = np.flatnonzero(~(size < _TOLERANCE))
        if not active.size:
            break
    for row in active:
        found[row] = fit(_matrix(pairs, wins[row], losses[row]), start=theta).theta
    return found


def _inverse_information(pairs: _Pairs, theta: Floats) -> Floats:
    """Inverse of the information of the full board, orthogonal to a common shift."""
    m = pairs.n_models
    total = pairs.count.sum(axis=1)
    votes = _matrix(pairs, total, total)
    p = 1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None]))
    scale = float(votes.sum()) / m
    ones = np.full((m, m), 1.0 / m)
    inverse: Floats = np.linalg.inv(information(votes, p) + scale * ones) - ones / scale
    return inverse
