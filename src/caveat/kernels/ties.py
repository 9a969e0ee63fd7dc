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


def slopes(
    model: TieModel,
    *,
    eta: Floats,
    tie: float | Floats,
    wins: Floats,
    losses: Floats,
    ties: Floats,
) -> tuple[Floats, Floats]:
    """Slopes of the log-likelihood of (weighted) counts by `eta` and by the tie parameter.

    Parameters
    ----------
    model : str
    eta : float array
    tie : float or array that goes with `eta`
        Tie parameter; not read under half-win.
    wins, losses, ties : float array, shaped as `eta`
    """
    if model == "davidson":
        n = wins + losses + ties
        p = chances(model, eta=eta, tie=tie)
        return (wins - losses - n * (p.win - p.loss)) / 2.0, ties - n * p.tie
    if model == "rao-kupper":
        # P(tie) = (exp(2c) - 1) P(a) P(b), so wins and ties carry P(a), losses and ties P(b).
        up, down = (wins + ties) * expit(tie - eta), (losses + ties) * expit(tie + eta)
        return up - down, 2.0 * ties / -np.expm1(-2.0 * tie) - up - down
    score = wins + ties / 2.0 - (wins + losses + ties) * expit(eta)
    return score, np.zeros_like(score)


def likelihood(
    model: TieModel, *, eta: Floats, tie: float, wins: Floats, losses: Floats, ties: Floats
) -> Likelihood:
    """Log-likelihood of (weighted) counts, with its derivatives.

    Parameters
    ----------
    model : str
    eta : float array, shape (u,)
    tie : float
        Tie parameter; not read under half-win.
    wins, losses, ties : float array, shape (u,)
    """
    if model == "rao-kupper" and tie <= 0.0:  # outside the model
        nothing = np.zeros_like(eta)
        none = np.full_like(eta, -np.inf)
        return Likelihood(none, nothing, nothing, nothing, nothing, nothing)
    by_eta, by_tie = slopes(model, eta=eta, tie=tie, wins=wins, losses=losses, ties=ties)
    curve = {"half-win": _half_win, "davidson": _davidson, "rao-kupper": _rao_kupper}[model]
    value, eta_eta, eta_tie, tie_tie = curve(eta, tie, wins, losses, ties)
    return Likelihood(value, by_eta, by_tie, eta_eta, eta_tie, tie_tie)


_Curve = tuple[Floats, Floats, Floats, Floats]
"""Log-likelihood, and its negative second derivatives by eta, eta and tie, tie."""


def _half_win(eta: Floats, _: float, wins: Floats, losses: Floats, ties: Floats) -> _Curve:
    p = expit(eta)
    score, against = wins + ties / 2.0, losses + ties / 2.0
    value = score * log_expit(eta) + against * log_expit(-eta)
    nothing = np.zeros_like(p)
    return value, (score + against) * p * (1.0 - p), nothing, nothing


def _davidson(eta: Floats, tie: float, wins: Floats, losses: Floats, ties: Floats) -> _Curve:
    n = wins + losses + ties
    p = chances("davidson", eta=eta, tie=tie)
    gap, half = p.win - p.loss, np.abs(eta) / 2.0
    top = np.maximum(half, tie)  # taken out, so that nothing overflows
    total = top + np.log(np.exp(half - top) + np.exp(-half - top) + np.exp(tie - top))
    return (
        (wins - losses) * eta / 2.0 + ties * tie - n * total,
        n * (p.win + p.loss - gap**2) / 4.0,
        -n * gap * p.tie / 2.0,
        n * p.tie * (1.0 - p.tie),
    )


def _rao_kupper(eta: Floats, tie: float, wins: Floats, losses: Floats, ties: Floats) -> _Curve:
    a, b, small = wins + ties, losses + ties, math.exp(-2.0 * tie)
    p, q = expit(eta - tie), expit(-eta - tie)
    ahead, behind = a * p * (1.0 - p), b * q * (1.0 - q)
    log_odds = 2.0 * tie + math.log1p(-small)
    return (
        a * log_expit(eta - tie) + b * log_expit(-eta - tie) + ties * log_odds,
        ahead + behind,
        behind - ahead,
        ahead + behind + 4.0 * ties * small / (1.0 - small) ** 2,
    )


def chances(model: TieModel, *, eta: Floats, tie: float | Floats) -> Chances:
    """Probabilities of a win, a loss and a tie at `eta`."""
    if model == "davidson":
        # Divided by the largest of the three terms, so that nothing overflows.
        top = np.maximum(np.abs(eta) / 2.0, tie)
        win, loss, even = np.exp(eta / 2.0 - top), np.exp(-eta / 2.0 - top), np.exp(tie - top)
        total = win + loss + even
        return Chances(win / total, loss / total, even / total)
    if model == "rao-kupper":
        # P(tie) = (exp(2c) - 1) P(a) P(b), written so that nothing overflows.
        even = -np.expm1(-2.0 * tie) * expit(tie - eta) * expit(tie + eta)
        return Chances(expit(eta - tie), expit(-eta - tie), even)
    p = expit(eta)
    return Chances(p, 1.0 - p, np.zeros_like(p))


def decisive(model: TieModel, *, eta: Floats, tie: float) -> Floats:
    """Chance that the first model wins, given that the vote is no tie; shaped as `eta`."""
    if model != "rao-kupper":
        return np.asarray(expit(eta), dtype=np.float64)
    return np.asarray(expit(log_expit(eta - tie) - log_expit(-eta - tie)), dtype=np.float64)


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
    return slopes(model, eta=eta, tie=tie, wins=won, losses=lost, ties=1.0 - won - lost)


def first_guess(model: TieModel, share_of_ties: float) -> float:
    """Tie parameter at which equals tie this often; nan under half-win."""
    if model == "davidson":
        return math.log(2.0 * share_of_ties / (1.0 - share_of_ties))
    if model == "rao-kupper":
        return 2.0 * math.atanh(share_of_ties)
    return math.nan
