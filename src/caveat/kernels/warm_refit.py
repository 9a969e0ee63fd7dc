"""Refitting a board of which some votes went or came, from where it stood.

The information of the old board serves for several steps of Newton's method (the chord method); it
is taken anew when the steps no longer shrink fivefold. The result is the same maximum to 1e-10.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from caveat.kernels.paired import (
    Units,
    assemble_slopes,
    evaluate,
    filled,
    fit,
    information,
    linear,
)
from caveat.kernels.ties import TieModel, slopes

Floats = npt.NDArray[np.float64]

TOLERANCE = 1e-10
"""Largest last step in logits."""
_MAX_STEPS = 40
_SHRINKS = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Refit:
    """A board refitted.

    Attributes
    ----------
    parameters : float array, shape (p,)
        nan where there is no finite maximum.
    inverse : float array, shape (p, p)
        Inverse of an information near the maximum, good enough to start the next refit from.
    converged : bool
    exact : bool
        Whether the inverse is that of the information at the maximum itself.
    """

    parameters: Floats
    inverse: Floats
    converged: bool
    exact: bool = False


def inverse_information(units: Units, parameters: Floats, *, ties: TieModel) -> Floats:
    """Inverse information with a term along the common shift; shape (p, p)."""
    at = evaluate(units, parameters, ties=ties)
    return np.asarray(np.linalg.inv(filled(information(units, at, ties=ties), units)))


def refit(units: Units, *, ties: TieModel, start: Refit) -> Refit:
    """Fit a board from a neighbouring one.

    Parameters
    ----------
    units : Units
        Connected votes.
    ties : str
    start : Refit
        A converged one.
    """
    x, inverse, before = start.parameters, start.inverse, np.inf
    m = units.n_models
    for _ in range(_MAX_STEPS):
        step = inverse @ _gradient(units, x, ties)
        step[:m] -= step[:m].mean()
        size = float(np.abs(step).max(initial=0.0))
        if not size <= 1.0:  # far away, or nan
            break
        x = x + step
        if ties == "rao-kupper" and x[m] <= 0.0:  # outside the model
            break
        if size < TOLERANCE:
            return Refit(x, inverse, converged=True)
        if size > _SHRINKS * before:
            inverse = inverse_information(units, x, ties=ties)
        before = size
    return _anew(units, ties)


def _gradient(units: Units, x: Floats, ties: TieModel) -> Floats:
    u = units
    eta, tie = linear(u.a, u.b, u.covariates, x, ties=ties, n_models=u.n_models)
    by_eta, by_tie = slopes(ties, eta=eta, tie=tie, wins=u.wins, losses=u.losses, ties=u.ties)
    return assemble_slopes(units, by_eta, by_tie, ties=ties)


def _anew(units: Units, ties: TieModel) -> Refit:
    """Fit from nothing, with steps that are halved where they lead astray."""
    p = units.n_models + (ties != "half-win") + units.covariates.shape[1]
    share = float(units.ties.sum() / units.n_votes.sum())
    if ties == "half-win" or 0.0 < share < 1.0:
        fitted = fit(units, ties=ties)
        x = fitted.parameters
        if fitted.converged:
            inverse = inverse_information(units, x, ties=ties)
            return Refit(x, inverse, converged=True, exact=True)
    return Refit(np.full(p, np.nan), np.full((p, p), np.nan), converged=False)


def islands(units: Units) -> npt.NDArray[np.integer]:
    """Label of each model: alike for those that reach each other along wins, ties both ways.

    Returns
    -------
    int array, shape (m,)
        All zero on a connected board.
    """
    half = units.ties > 0
    ahead, behind = (units.wins > 0) | half, (units.losses > 0) | half
    winner = np.concatenate([units.a[ahead], units.b[behind]])
    loser = np.concatenate([units.b[ahead], units.a[behind]])
    m = units.n_models
    beats = coo_array((np.ones(winner.size), (winner, loser)), shape=(m, m)).tocsr()
    _, label = connected_components(beats, directed=True, connection="strong")
    return np.asarray(label)
