"""Errors of ratings from ratings of resampled votes."""

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtrit

from caveat.errors import InputError
from caveat.kernels.means import wilson_share
from caveat.stats.ranking.estimates import Estimates
from caveat.stats.ranking.scale import CENTRE
from caveat.stats.ranking.system import FEW_VOTES, BoardVotes, Form, Scored, System

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def resampled_estimates(
    system: System,
    board: BoardVotes,
    scored: Scored,
    drawn: Floats,
    *,
    anchor: str | None,
    level: float,
) -> Estimates:
    """Turn ratings and those of resampled votes into estimates.

    Parameters
    ----------
    system : System
    board : BoardVotes
        m models.
    scored : Scored
        Their ratings; models without one are left out.
    drawn : float array, shape (replicates, m)
    anchor : str or None
        Model whose rating becomes 1000.
    level : float
    """
    rated = np.isfinite(scored.rating) | (len(board.names) < 2)
    rating, drawn = scored.rating[rated], drawn[:, rated]
    if system.form == "normal":
        # A common shift of all ratings says nothing: errors are those against their mean.
        drawn = drawn - drawn.mean(axis=1, keepdims=True)
    covariance = np.atleast_2d(np.cov(drawn, rowvar=False))
    if scored.own is not None:
        covariance = _no_surer(covariance, scored.own[rated], board, rated)
    if anchor is not None:
        place = _place(anchor, board)
        rating = rating - rating[place] + CENTRE
        row = covariance[place]
        covariance = covariance - row[:, None] - row[None, :] + row[place]
    variance = np.diag(covariance)
    known = np.isfinite(variance) & ((variance > 0) | _fixed(scored, rating, anchor, board, rated))
    se = np.sqrt(np.where(known, variance, np.nan))
    low, high = _limits(system.form, rating, se, drawn, level=level)
    return Estimates(
        members=board.members[rated],
        rating=rating,
        se=se,
        low=low,
        high=high,
        covariance=covariance,
        replicates=drawn.shape[0],
        degrees=drawn.shape[0] - 1.0,
    )


def _no_surer(covariance: Floats, own: Floats, board: BoardVotes, rated: Mask) -> Floats:
    """Give models with few votes at least the variance that the system itself has for them."""
    missing = np.where(board.n_votes[rated] < FEW_VOTES, own**2 - np.diag(covariance), 0.0)
    widened: Floats = covariance + np.diag(np.maximum(missing, 0.0))
    return widened


def _place(anchor: str, board: BoardVotes) -> int:
    if anchor not in board.names:
        known = anchor in board.votes.models
        why = "it has no rating" if known else "no vote names it"
        raise InputError(f"anchor must be a rated model, got {anchor!r}: {why}")
    return board.names.index(anchor)


def _fixed(
    scored: Scored,
    rating: Floats,
    anchor: str | None,
    board: BoardVotes,
    rated: Mask,
) -> Mask:
    """Find models whose rating is what it is by definition: the anchor, the baseline."""
    name = anchor or scored.settings.get("baseline")
    fixed = np.zeros(rating.size, dtype=bool)
    if name is not None:
        fixed[[i for i, k in enumerate(np.flatnonzero(rated)) if board.names[k] == name]] = True
    return fixed


def _limits(
    form: Form, rating: Floats, se: Floats, drawn: Floats, *, level: float
) -> tuple[Floats, Floats]:
    z = float(stdtrit(drawn.shape[0] - 1.0, (1.0 + level) / 2.0))
    if form == "normal":
        return rating - z * se, rating + z * se
    # Wilson's interval, at as many votes as would have this error.
    centre = drawn.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        votes = centre * (1.0 - centre) / se**2
        low, high = wilson_share(rating, votes, level=float(2.0 * ndtr(z) - 1.0))
    return np.where(se == 0, rating, low), np.where(se == 0, rating, high)
