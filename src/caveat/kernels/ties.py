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
    # Sums of small numbers, not differences of large ones: on boards with odds of millions to one
    # the step would otherwise be rounding.
    if model == "davidson":
        p = chances(model, eta=eta, tie=tie)
        up, down = wins * (p.loss + p.tie / 2.0), losses * (p.win + p.tie / 2.0)
        by_tie = ties * (p.win + p.loss) - (wins + losses) * p.tie
        return up - down + ties * (p.loss - p.win) / 2.0, by_tie
    if model == "rao-kupper":
        win, loss = expit(eta - tie), expit(-eta - tie)
        up, down = wins * expit(tie - eta), losses * expit(tie + eta)
        spread = 2.0 * np.exp(-2.0 * tie) / -np.expm1(-2.0 * tie)
        return up - down + ties * (loss - win), ties * (win + loss + spread) - up - down
    score = (wins + ties / 2.0) * expit(-eta) - (losses + ties / 2.0) * expit(eta)
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
    half, decided = np.abs(eta) / 2.0, p.win + p.loss
    top = np.maximum(half, tie)  # taken out, so that nothing overflows
    rest = np.log1p(np.exp(-half - top) + np.exp(np.minimum(half, tie) - top))
    log_win, log_loss, log_tie = eta / 2.0 - top - rest, -eta / 2.0 - top - rest, tie - top - rest
    return (
        wins * log_win + losses * log_loss + ties * log_tie,
        n * (p.win * p.loss + p.tie * decided / 4.0),
        n * (p.loss - p.win) * p.tie / 2.0,
        n * p.tie * decided,
    )


def _rao_kupper(eta: Floats, tie: float, wins: Floats, losses: Floats, ties: Floats) -> _Curve:
    small = math.exp(-2.0 * tie)
    log_tie = math.log1p(-small) + log_expit(tie - eta) + log_expit(tie + eta)
    p, q = expit(eta - tie), expit(-eta - tie)
    ahead = (wins + ties) * p * expit(tie - eta)
    behind = (losses + ties) * q * expit(tie + eta)
    return (
        wins * log_expit(eta - tie) + losses * log_expit(-eta - tie) + ties * log_tie,
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


@dataclass(frozen=True, slots=True, eq=False)
class DecisiveOdds:
    """Log-odds that the first model wins, given that the vote is no tie, with their slopes."""

    value: Floats
    by_eta: Floats
    by_tie: Floats


def decisive_odds(model: TieModel, *, eta: Floats, tie: float) -> DecisiveOdds:
    """Log-odds of a decisive vote; each shaped as `eta`."""
    if model != "rao-kupper":
        return DecisiveOdds(eta, np.ones_like(eta), np.zeros_like(eta))
    up, down = expit(tie - eta), expit(tie + eta)
    return DecisiveOdds(log_expit(eta - tie) - log_expit(-eta - tie), up + down, down - up)


def decisive(model: TieModel, *, eta: Floats, tie: float) -> Floats:
    """Chance that the first model wins, given that the vote is no tie; shaped as `eta`."""
    return np.asarray(expit(decisive_odds(model, eta=eta, tie=tie).value), dtype=np.float64)


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
