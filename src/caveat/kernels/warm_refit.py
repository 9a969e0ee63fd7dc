"""Refitting a board of which some votes went or came, from where it stood.

The information of the old board serves for several steps of Newton's method (the chord method); it
is taken anew when the steps no longer shrink fivefold. The result is the same maximum to 1e-10.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from caveat.kernels.counts import VoteCells
from caveat.kernels.paired import (
    Units,
    assemble_slopes,
    evaluate,
    filled,
    fit,
    information,
    linear,
)
from caveat.kernels.position_limits import position_exists
from caveat.kernels.tie_limits import tie_parameter_exists
from caveat.kernels.ties import TieModel, slopes

Floats = npt.NDArray[np.float64]

TOLERANCE = 1e-10
"""Largest last step in logits."""
_MAX_STEPS = 40
_SHRINKS = 0.2
_FAR = 2.0
_FLAT = 1e-8
"""Share of its information that a coefficient has to keep beside the ratings."""


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
            if float(np.abs(x - start.parameters).max(initial=0.0)) > _FAR:
                break  # far out a likelihood that rises for ever is as flat as a maximum
            sharp = _is_sharp(units, x, ties)
            return Refit(x, inverse, converged=True) if sharp else _none(units, ties)
        if size > _SHRINKS * before:
            try:
                inverse = inverse_information(units, x, ties=ties)
            except np.linalg.LinAlgError:
                break
        before = size
    return _anew(units, ties)


def _gradient(units: Units, x: Floats, ties: TieModel) -> Floats:
    u = units
    eta, tie = linear(u.a, u.b, u.covariates, x, ties=ties, n_models=u.n_models)
    by_eta, by_tie = slopes(ties, eta=eta, tie=tie, wins=u.wins, losses=u.losses, ties=u.ties)
    return assemble_slopes(units, by_eta, by_tie, ties=ties)


def _anew(units: Units, ties: TieModel) -> Refit:
    """Fit from nothing, with steps that are halved where they lead astray."""
    if _exists(units, ties):
        fitted = fit(units, ties=ties)
        x = fitted.parameters
        if fitted.converged and _is_sharp(units, x, ties):
            try:
                inverse = inverse_information(units, x, ties=ties)
            except np.linalg.LinAlgError:
                return _none(units, ties)
            return Refit(x, inverse, converged=True, exact=True)
    return _none(units, ties)


def _exists(units: Units, ties: TieModel) -> bool:
    """Whether connected votes have a finite estimate of all parameters."""
    if ties == "half-win" and not units.covariates.shape[1]:
        return True
    number = np.concatenate([units.wins, units.losses, units.ties])
    held = np.flatnonzero(number > 0)
    pair, outcome = held % units.a.size, held // units.a.size
    a, b = units.a[pair].astype(np.int64), units.b[pair].astype(np.int64)
    weight = number[held]
    cells = VoteCells(units.n_models, a, b, outcome, weight, weight, weight)
    if ties != "half-win" and not tie_parameter_exists(cells):
        return False
    return not units.covariates.shape[1] or position_exists(cells, ties=ties)


def _none(units: Units, ties: TieModel) -> Refit:
    """No finite maximum, or no single one."""
    p = units.n_models + (ties != "half-win") + units.covariates.shape[1]
    return Refit(np.full(p, np.nan), np.full((p, p), np.nan), converged=False)


def _is_sharp(units: Units, x: Floats, ties: TieModel) -> bool:
    """Whether the votes tell the coefficients of covariates from the ratings."""
    k = units.covariates.shape[1]
    if not k:
        return True
    matrix = filled(information(units, evaluate(units, x, ties=ties), ties=ties), units)
    own, cross = matrix[-k:, -k:], matrix[:-k, -k:]
    try:
        rest = own - cross.T @ np.linalg.solve(matrix[:-k, :-k], cross)
    except np.linalg.LinAlgError:
        return False
    return bool(np.linalg.eigvalsh(rest).min() > _FLAT * np.diag(own).max())


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
