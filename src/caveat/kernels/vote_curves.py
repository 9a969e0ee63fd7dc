"""Likelihood of single votes, as few operations as there are: the row-level twin of `ties`.

Same models and notation as `caveat.kernels.ties`; each function takes one exponential per vote.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.ties import TieModel

Floats = npt.NDArray[np.float64]

_SCORE = np.array([1.0, 0.0, 0.5, 0.5])
_SIGN = np.array([1.0, -1.0, 0.0, 0.0])
_TIE = np.array([0.0, 0.0, 1.0, 1.0])
_NOT_LOST = np.array([1.0, 0.0, 1.0, 1.0])
_NOT_WON = np.array([0.0, 1.0, 1.0, 1.0])
LARGEST_TIE = 700.0
"""Logarithm of the largest odds of a tie: those of two equal models beyond are no number."""


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Log-likelihood of n votes with its derivatives; the tie's are None without a tie parameter.

    Attributes
    ----------
    value, eta, eta_eta : float array, shape (n,)
        Log-likelihood, slope by eta, negative second derivative by eta.
    tie, eta_tie, tie_tie : float array, shape (n,), or None
    """

    value: Floats
    eta: Floats
    eta_eta: Floats
    tie: Floats | None = None
    eta_tie: Floats | None = None
    tie_tie: Floats | None = None


def curves(model: TieModel, *, eta: Floats, tie: float, outcome: npt.NDArray[np.integer]) -> Curves:
    """Return log-likelihood, slopes and curvatures of single votes.

    Parameters
    ----------
    model : str
    eta : float array, shape (n,)
    tie : float
        Tie parameter; not read under half-win.
    outcome : int array, shape (n,)
        0 a, 1 b, 2 or 3 tie.
    """
    if model == "davidson":
        return _davidson(eta, tie, outcome)
    if model == "rao-kupper":
        return _rao_kupper(eta, tie, outcome)
    return _half_win(eta, outcome)


def _half_win(eta: Floats, outcome: npt.NDArray[np.integer]) -> Curves:
    small = np.exp(-np.abs(eta))
    top = 1.0 / (1.0 + small)
    score = _SCORE[outcome]
    value = score * eta - np.maximum(eta, 0.0) - np.log1p(small)
    bottom = small * top
    return Curves(value, score - np.where(eta > 0.0, top, bottom), bottom * top)


def _davidson(eta: Floats, tie: float, outcome: npt.NDArray[np.integer]) -> Curves:
    half = np.abs(eta) / 2.0
    small = np.exp(-half)
    # Divided by the stronger model's term: 1 for it, small**2 for the weaker, even for a tie.
    even, square = small * math.exp(tie), small * small
    total = 1.0 + square + even
    sign, tied = _SIGN[outcome], _TIE[outcome]
    gap = np.copysign((1.0 - square) / total, eta)
    p = even / total
    return Curves(
        value=sign * eta / 2.0 + tied * tie - half - np.log(total),
        eta=(sign - gap) / 2.0,
        eta_eta=((1.0 + square) / total - gap * gap) / 4.0,
        tie=tied - p,
        eta_tie=gap * p / -2.0,
        tie_tie=p * (1.0 - p),
    )


def _rao_kupper(eta: Floats, tie: float, outcome: npt.NDArray[np.integer]) -> Curves:
    size = np.abs(eta)
    if not 0.0 < tie < LARGEST_TIE:  # outside the model, or of numbers
        nothing = np.zeros_like(eta)
        return Curves(np.full_like(eta, -np.inf), *(nothing,) * 5)
    odds, small = math.exp(tie), np.exp(-size)
    ahead = eta > 0.0
    up, down = 1.0 + odds * small, small + odds
    strong, weak = 1.0 / up, small / down
    log_strong, log_weak = -np.log(up), -size - np.log(down)
    p, q = np.where(ahead, strong, weak), np.where(ahead, weak, strong)
    log_p, log_q = np.where(ahead, log_strong, log_weak), np.where(ahead, log_weak, log_strong)
    a, b, tied = _NOT_LOST[outcome], _NOT_WON[outcome], _TIE[outcome]
    left_a, left_b = a * (1.0 - p), b * (1.0 - q)
    curve_a, curve_b = left_a * p, left_b * q
    both, rest = curve_a + curve_b, math.exp(-2.0 * tie)
    return Curves(
        value=a * log_p + b * log_q + tied * (2.0 * tie + math.log1p(-rest)),
        eta=left_a - left_b,
        eta_eta=both,
        tie=tied * (2.0 / (1.0 - rest)) - left_a - left_b,
        eta_tie=curve_b - curve_a,
        tie_tie=both + tied * (4.0 * rest / (1.0 - rest) ** 2),
    )
