"""The chance to win a decisive vote against the anchor, with its interval."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from caveat.kernels.ties import decisive_odds
from caveat.results.ranking import Ranking
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.scale import CENTRE, POINTS

Floats = npt.NDArray[np.float64]


def with_win_chances(board: Ranking, fitted: FittedBoard, covariance: Floats) -> Ranking:
    """Say for each model how often it wins against the anchor, ties aside.

    Parameters
    ----------
    board : Ranking
        Ratings relative to the anchor, with their limits.
    fitted : FittedBoard
    covariance : float array, shape (p, p)
        Of all parameters, in logits.

    Returns
    -------
    Ranking
        Under half-win and Davidson's model the log-odds are the difference of the ratings, and so
        are their limits. Under Rao and Kupper's they depend on the tie parameter, too: limits are
        moved out by the error of the log-odds over that of the difference (delta method).
    """
    if board.anchor is None:
        return board
    place = {name: k for k, name in enumerate(fitted.names)}
    rated = np.array([place.get(model.model, -1) for model in board.models])
    points = np.array([[m.rating, m.low, m.high] for m in board.models])
    eta = (points - CENTRE) / POINTS
    odds = decisive_odds(fitted.fit.ties, eta=eta[:, 0], tie=fitted.fit.tie)
    ratio = np.ones(rated.size)
    if fitted.fit.ties == "rao-kupper":
        stretched = _stretch(fitted, covariance, place[board.anchor])
        ratio[rated >= 0] = stretched[rated[rated >= 0]]
    limits = odds.value[:, None] + ratio[:, None] * (eta - eta[:, [0]])
    models = tuple(
        replace(model, win_probability=at, win_low=low, win_high=high)
        for model, (at, low, high) in zip(board.models, expit(limits).tolist(), strict=True)
    )
    return replace(board, models=models)


def _stretch(fitted: FittedBoard, covariance: Floats, anchor: int) -> Floats:
    """Error of the log-odds of each model against the anchor, over that of their difference."""
    theta, m = fitted.fit.theta, len(fitted.names)
    odds = decisive_odds(fitted.fit.ties, eta=theta - theta[anchor], tie=fitted.fit.tie)
    own, with_tie = covariance.diagonal()[:m], covariance[:m, m]
    variance = own + own[anchor] - 2.0 * covariance[:m, anchor]
    together = with_tie - with_tie[anchor]
    whole = (
        odds.by_eta**2 * variance
        + odds.by_tie**2 * covariance[m, m]
        + 2.0 * odds.by_eta * odds.by_tie * together
    )
    told = variance > 1e-12 * float(own.max(initial=0.0))
    ratio = np.sqrt(np.maximum(whole, 0.0) / np.where(told, variance, np.nan))
    return np.asarray(np.where(told, ratio, 1.0), dtype=np.float64)
