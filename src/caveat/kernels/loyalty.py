"""Does a voter back one model more often than voters differ from each other anyway?

Notation: of n decisive votes on a model, k back it; mu is its win rate over the same opponents
among the other voters. Voters differ, so k is beta-binomial with mean n mu and correlation rho,
estimated from all voters by moments: E (k - n mu)^2 = n mu (1 - mu) (1 + (n - 1) rho), plus the
variance of n mu where few others voted. Opponents of
different strength make the true spread smaller (Hoeffding 1956,
https://doi.org/10.1214/aoms/1177728178).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from caveat.kernels.voter_cells import VoterCells

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

LEAST_RHO = 1e-6
"""Correlation that stands for none: the beta-binomial is then the binomial to six digits."""


@dataclass(frozen=True, slots=True, eq=False)
class Backing:
    """How often each voter backs each model met.

    Attributes
    ----------
    voter, model : int array, shape (r,)
    votes, backed : float array, shape (r,)
        Decisive votes on the model, and those for it.
    expected : float array, shape (r,)
        Mean win rate of the model over the same opponents among the others.
    noise : float array, shape (r,)
        Variance of `votes * expected`, which comes from the number of the others' votes.
    """

    voter: Codes
    model: Codes
    votes: Floats
    backed: Floats
    expected: Floats
    noise: Floats


def backing(cells: VoterCells) -> Backing:
    """Add telling votes up by voter and model.

    Win rates among the others are taken with half a vote more for either side, so that none is
    0 or 1.
    """
    cells = cells.only(cells.telling)
    others = cells.pool - cells.own + 1.0
    rate = (cells.pool_wins - cells.wins + 0.5) / others
    voter = np.concatenate([cells.voter, cells.voter])
    model = np.concatenate([cells.first, cells.second])
    votes = np.concatenate([cells.own, cells.own])
    backed = np.concatenate([cells.wins, cells.losses])
    expected = votes * np.concatenate([rate, 1.0 - rate])
    noise = np.tile(cells.own**2 * rate * (1.0 - rate) / others, 2)
    met, place = np.unique(voter * cells.n_models + model, return_inverse=True)
    number, for_it, mean, variance = (
        np.bincount(place, weights=values, minlength=met.size).astype(float)
        for values in (votes, backed, expected, noise)
    )
    voter, model = np.divmod(met, cells.n_models)
    return Backing(voter, model, number, for_it, mean / number, variance)


def correlation(backing: Backing) -> float:
    """Correlation of two votes of one voter on one model, at least `LEAST_RHO`."""
    several = backing.votes > 1
    n, mu = backing.votes[several], backing.expected[several]
    spread = n * mu * (1.0 - mu)
    beyond = (backing.backed[several] - n * mu) ** 2 - spread - backing.noise[several]
    excess = beyond.sum()
    room = (spread * (n - 1.0)).sum()
    return float(np.clip(excess / room, LEAST_RHO, 0.99)) if room > 0 else LEAST_RHO


def upper_tail(backing: Backing, rho: float, least_share: float) -> Floats:
    """P-value of backing a model that often.

    Parameters
    ----------
    backing : Backing
    rho : float
        Correlation between 0 and 1, both excluded.
    least_share : float
        Shares below it have the p-value 1: only near-unanimity is looked for.

    Returns
    -------
    float array, shape (r,)
    """
    p = np.ones(backing.votes.size)
    row = np.flatnonzero(backing.backed >= least_share * backing.votes)
    n, k, mu = backing.votes[row], backing.backed[row], backing.expected[row]
    room = n * (n - 1.0) * mu * (1.0 - mu)
    # What is not known of mu spreads k like more correlation.
    unsure = np.divide(backing.noise[row], room, out=np.zeros_like(room), where=room > 0)
    own = np.minimum(rho + unsure, 0.99)
    strength = (1.0 - own) / own
    alpha, beta = strength * mu, strength * (1.0 - mu)
    whole = _log_beta(alpha, beta)
    tail = np.zeros(row.size)
    for missed in range(int((n - k).max(initial=-1.0)) + 1):
        hit = n - missed
        log = _log_choose(n, missed) + _log_beta(hit + alpha, missed + beta) - whole
        tail += np.where(hit >= k, np.exp(log), 0.0)
    p[row] = np.minimum(tail, 1.0)
    return p


def _log_beta(a: Floats, b: Floats) -> Floats:
    log: Floats = gammaln(a) + gammaln(b) - gammaln(a + b)
    return log


def _log_choose(n: Floats, m: float) -> Floats:
    log: Floats = gammaln(n + 1.0) - gammaln(m + 1.0) - gammaln(np.maximum(n - m, 0.0) + 1.0)
    return log
