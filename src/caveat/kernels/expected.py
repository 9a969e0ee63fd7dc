"""What a fitted board expects of each pair, and boards drawn from it.

Notation: y is the share of a pair's votes that its first model won, ties as half; e its expectation
under the fit, v the variance of one vote's score, eta the log-odds.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from caveat.kernels import paired
from caveat.kernels.paired import PairedFit, Units
from caveat.kernels.ties import Chances, TieModel, chances

Floats = npt.NDArray[np.float64]

BORROWED = 10.0
"""Votes' worth of the whole board's tie share that a pair's own is mixed with, under half-win."""


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Expectations of each unit; arrays of shape (u,).

    Attributes
    ----------
    win, loss, tie : float array
        Probabilities of the three outcomes.
    score, variance : float array
        Mean and variance of the score of one vote: 1, 0, or one half.
    excess : float array
        Fourth cumulant of that score.
    slope, tie_slope : float array
        Derivative of the mean by eta, and by the tie parameter (zeros under half-win).
    pull : float array
        By how much a vote's slope of the likelihood by eta moves with the mean score.
    """

    win: Floats
    loss: Floats
    tie: Floats
    score: Floats
    variance: Floats
    excess: Floats
    slope: Floats
    tie_slope: Floats
    pull: Floats


def expected(units: Units, fitted: PairedFit) -> Expected:
    """Say what a fit expects.

    Parameters
    ----------
    units : Units
        Unweighted votes.
    fitted : PairedFit
        Fitted to them.
    """
    eta, tie = paired.linear(
        units.a,
        units.b,
        units.covariates,
        fitted.parameters,
        ties=fitted.ties,
        n_models=units.n_models,
    )
    return expected_at(fitted.ties, eta=eta, tie=tie, votes=units.n_votes, ties=units.ties)


def expected_at(
    model: TieModel, *, eta: Floats, tie: float | Floats, votes: Floats, ties: Floats
) -> Expected:
    """Say what given log-odds expect, of one board or of many at once.

    Half-win says nothing about ties. There the share of ties is the pair's own, mixed with what the
    whole board would give it (`BORROWED`), and cut to what the expected score leaves room for: with
    an expected score of 0.1 at most a fifth of the votes can be ties.

    Parameters
    ----------
    model : str
    eta : float array, shape (u,) or (r, u)
    tie : float or array, shape (r, 1)
        Tie parameter; not read under half-win.
    votes, ties : float array, shaped as `eta`
        Votes of each unit and ties among them; read under half-win only.
    """
    nothing = np.zeros_like(eta)
    if model == "half-win":
        slope = expit(eta) * expit(-eta)
        return _moments(_half_win(eta, votes, ties), slope, nothing, nothing + 1.0)
    p = chances(model, eta=eta, tie=tie)
    if model == "davidson":
        gap = p.win - p.loss
        return _moments(p, (p.win + p.loss - gap**2) / 4.0, -gap * p.tie / 2.0, nothing + 1.0)
    up, down = p.win * (1.0 - p.win), p.loss * (1.0 - p.loss)
    # Wins and ties carry the probability of winning, see `caveat.kernels.ties`.
    information = (p.win + p.tie) * up + (p.loss + p.tie) * down
    slope = (up + down) / 2.0
    return _moments(p, slope, (down - up) / 2.0, information / slope)


def _half_win(eta: Floats, votes: Floats, ties: Floats) -> Chances:
    p, q = expit(eta), expit(-eta)
    even = 4.0 * p * q
    share = ties.sum(axis=-1, keepdims=True) / (votes * even).sum(axis=-1, keepdims=True) * even
    tie = np.minimum((ties + BORROWED * share) / (votes + BORROWED), 2.0 * np.minimum(p, q))
    return Chances(p - tie / 2.0, q - tie / 2.0, tie)


def _moments(p: Chances, slope: Floats, tie_slope: Floats, pull: Floats) -> Expected:
    score = p.win + p.tie / 2.0
    variance = p.win * (1.0 - score) ** 2 + p.loss * score**2 + p.tie * (0.5 - score) ** 2
    fourth = p.win * (1.0 - score) ** 4 + p.loss * score**4 + p.tie * (0.5 - score) ** 4
    excess = fourth - 3.0 * variance**2
    return Expected(p.win, p.loss, p.tie, score, variance, excess, slope, tie_slope, pull)


def tail_bound(units: Units, at: Expected, share: Floats) -> Floats:
    """Bound the two-sided p value of a pair's win share, for any number of votes.

    The mean of n votes reaches y with probability at most exp(-n I(y)), where I(y) is the largest
    value of l y - log E exp(l score) over l (Chernoff 1952,
    https://doi.org/10.1214/aoms/1177729330); the p value is at most twice that. What fitting the
    pair takes off is not allowed for, which errs on the same side.

    Parameters
    ----------
    units : Units
    at : Expected
    share : float array, shape (u,)
        Observed win shares of the first models.

    Returns
    -------
    float array, shape (u,)
    """
    low, high = np.full(share.shape, -_STEEP), np.full(share.shape, _STEEP)
    for _ in range(60):
        middle = (low + high) / 2.0
        tilted = _tilted(at, middle)
        below = (tilted[0] + tilted[1] / 2.0) / sum(tilted) < share
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    tilt = (low + high) / 2.0
    # Scores are centred on a half, so that neither end overflows.
    rate = tilt * (share - 0.5) - np.log(sum(_tilted(at, tilt)))
    return np.asarray(np.minimum(1.0, 2.0 * np.exp(-units.n_votes * np.maximum(rate, 0.0))))


_STEEP = 1e3
"""Largest tilt: beyond, a share of 0 or 1 is what is left."""


def _tilted(at: Expected, tilt: Floats) -> tuple[Floats, Floats, Floats]:
    return at.win * np.exp(tilt / 2.0), at.tie + 0.0 * tilt, at.loss * np.exp(-tilt / 2.0)


def draw(units: Units, at: Expected, *, size: int, rng: np.random.Generator) -> Floats:
    """Draw boards on which every pair has as many votes as it has, rounded, and one at least.

    Returns
    -------
    float array, shape (size, 3, u)
        Wins, losses and ties.
    """
    n = np.maximum(np.rint(units.n_votes), 1.0).astype(np.int64)
    p = np.clip(np.stack([at.win, at.loss, at.tie], axis=-1), 0.0, 1.0)
    p /= p.sum(axis=-1, keepdims=True)
    drawn = rng.multinomial(n, p, size=(size, n.size))
    return np.moveaxis(drawn, -1, 1).astype(np.float64)
