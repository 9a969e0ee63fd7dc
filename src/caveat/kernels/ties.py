"""Three models of one vote: who wins, and whether it is a tie.

Notation: eta is the log-odds of the first model (the difference of two ratings, plus whatever else
moves a vote), c the tie parameter.

- half-win: P(a) = 1 / (1 + exp(-eta)), a tie counts as half a win of each; no tie parameter.
- Davidson (1970), https://doi.org/10.1080/01621459.1970.10481082: P(a) : P(b) : P(tie) =
  exp(eta / 2) : exp(-eta / 2) : exp(c), so that exp(eta) are the odds of a decisive vote.
- Rao and Kupper (1967), https://doi.org/10.1080/01621459.1967.10482901: P(a) = 1 / (1 + exp(c -
  eta)), P(b) = 1 / (1 + exp(c + eta)), a tie otherwise; c > 0.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit

Floats = npt.NDArray[np.float64]
TieModel = Literal["half-win", "davidson", "rao-kupper"]
TIE_MODELS: tuple[TieModel, ...] = get_args(TieModel)


@dataclass(frozen=True, slots=True, eq=False)
class Likelihood:
    """Log-likelihood of votes that share `eta`, with its derivatives.

    Attributes
    ----------
    value, eta, tie : float array
        Log-likelihood and its slopes by `eta` and by the tie parameter.
    eta_eta, eta_tie, tie_tie : float array
        Negative second derivatives: the observed information.
    """

    value: Floats
    eta: Floats
    tie: Floats
    eta_eta: Floats
    eta_tie: Floats
    tie_tie: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """Probabilities of the three outcomes; `tie` is 0 under half-win."""

    win: Floats
    loss: Floats
    tie: Floats


def likelihood(
    model: TieModel, *, eta: Floats, tie: float, wins: Floats, losses: Floats, ties: Floats
) -> Likelihood:
    """Log-likelihood of (weighted) counts of outcomes.

    Parameters
    ----------
    model : str
    eta : float array, shape (u,)
    tie : float
        Tie parameter; not read under half-win.
    wins, losses, ties : float array, shape (u,)
    """
    if model == "davidson":
        return _davidson(eta, tie, wins, losses, ties)
    if model == "rao-kupper":
        return _rao_kupper(eta, tie, wins, losses, ties)
    return _half_win(eta, wins + ties / 2.0, losses + ties / 2.0)


def _half_win(eta: Floats, score: Floats, against: Floats) -> Likelihood:
    p = expit(eta)
    n = score + against
    nothing = np.zeros_like(p)
    return Likelihood(
        value=score * log_expit(eta) + against * log_expit(-eta),
        eta=score - n * p,
        tie=nothing,
        eta_eta=n * p * (1.0 - p),
        eta_tie=nothing,
        tie_tie=nothing,
    )


def _davidson(eta: Floats, tie: float, wins: Floats, losses: Floats, ties: Floats) -> Likelihood:
    n = wins + losses + ties
    p = chances("davidson", eta=eta, tie=tie)
    gap = p.win - p.loss
    half = np.abs(eta) / 2.0
    total = half + np.log1p(np.exp(-2.0 * half) + np.exp(tie - half))
    return Likelihood(
        value=(wins - losses) * eta / 2.0 + ties * tie - n * total,
        eta=(wins - losses - n * gap) / 2.0,
        tie=ties - n * p.tie,
        eta_eta=n * (p.win + p.loss - gap**2) / 4.0,
        eta_tie=-n * gap * p.tie / 2.0,
        tie_tie=n * p.tie * (1.0 - p.tie),
    )


def _rao_kupper(eta: Floats, tie: float, wins: Floats, losses: Floats, ties: Floats) -> Likelihood:
    # P(tie) = (exp(2c) - 1) P(a) P(b): every vote but a loss carries P(a), every one but a win P(b).
    a, b = wins + ties, losses + ties
    up, down = eta - tie, -eta - tie
    p, q = expit(up), expit(down)
    slope_a, slope_b = a * p * (1.0 - p), b * q * (1.0 - q)
    nothing = np.zeros_like(eta)
    if tie <= 0.0:  # outside the model unless there is no tie, and then its edge
        return Likelihood(np.full_like(eta, -np.inf), *(nothing,) * 5)
    small = math.exp(-2.0 * tie)
    return Likelihood(
        value=a * log_expit(up) + b * log_expit(down) + ties * (2.0 * tie + math.log1p(-small)),
        eta=a * (1.0 - p) - b * (1.0 - q),
        tie=-a * (1.0 - p) - b * (1.0 - q) + 2.0 * ties / (1.0 - small),
        eta_eta=slope_a + slope_b,
        eta_tie=slope_b - slope_a,
        tie_tie=slope_a + slope_b + 4.0 * ties * small / (1.0 - small) ** 2,
    )


def chances(model: TieModel, *, eta: Floats, tie: float) -> Chances:
    """Probabilities of a win, a loss and a tie at `eta`."""
    if model == "davidson":
        # Divided by the largest of the three terms, so that nothing overflows.
        top = np.maximum(np.abs(eta) / 2.0, tie)
        win, loss, even = np.exp(eta / 2.0 - top), np.exp(-eta / 2.0 - top), np.exp(tie - top)
        total = win + loss + even
        return Chances(win / total, loss / total, even / total)
    if model == "rao-kupper":
        win, loss = expit(eta - tie), expit(-eta - tie)
        return Chances(win, loss, np.expm1(2.0 * tie) * win * loss)
    p = expit(eta)
    return Chances(p, 1.0 - p, np.zeros_like(p))


def vote_slopes(
    model: TieModel, *, eta: Floats, tie: float, outcome: npt.NDArray[np.integer]
) -> tuple[Floats, Floats]:
    """Slopes of one vote's log-likelihood by `eta` and by the tie parameter.

    Parameters
    ----------
    eta : float array, shape (n,)
    outcome : int array, shape (n,)
        0 a, 1 b, 2 or 3 tie.
    """
    won, lost = (outcome == 0).astype(np.float64), (outcome == 1).astype(np.float64)
    one = likelihood(model, eta=eta, tie=tie, wins=won, losses=lost, ties=1.0 - won - lost)
    return one.eta, one.tie


def first_guess(model: TieModel, share_of_ties: float) -> float:
    """Tie parameter at which equals tie this often; nan under half-win."""
    if model == "davidson":
        return math.log(2.0 * share_of_ties / (1.0 - share_of_ties))
    if model == "rao-kupper":
        return 2.0 * math.atanh(share_of_ties)
    return math.nan
