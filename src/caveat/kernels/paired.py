"""Ratings from paired comparisons: one fit for all models of ties, on counts.

Notation: a vote between a and b has eta = theta_a - theta_b + z'g, with ratings theta in logits
that sum to zero, covariates z (the first-shown position is a column of ones) and coefficients g.
The parameters stand in the order theta (m), tie parameter (if the model has one), g (k). Newton's
method; errors by the sandwich of White (1982), https://doi.org/10.2307/1912526.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.counts import VoteCells
from caveat.kernels.ties import (
    Likelihood,
    TieModel,
    chances,
    first_guess,
    likelihood,
    vote_slopes,
)

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]

MAX_STEPS = 100
TOLERANCE = 1e-11
"""Largest Newton step, in logits, at which the fit counts as converged: far below the 1e-8 at
which boards are compared, and above what rounding makes of 10 million votes."""
_STALLED = 1e-8
"""Largest Newton step at which a fit counts as converged once the likelihood no longer rises:
on boards with odds of millions to one, rounding keeps the steps above the tolerance."""
_FAR = 4.0
"""Most that one step may change the log-odds of a vote, or the tie parameter: that is about where
the curvature at the old place stops saying anything of the new one."""
FEW_VOTES = 30
"""Votes of a model below which its residuals are too few to speak for themselves."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Votes added up over equal models and covariates.

    Attributes
    ----------
    n_models : int
    a, b : int array, shape (u,)
    wins, losses, ties : float array, shape (u,)
        (Weighted) votes for a, for b, and for neither.
    covariates : float array, shape (u, k)
    """

    n_models: int
    a: Codes
    b: Codes
    wins: Floats
    losses: Floats
    ties: Floats
    covariates: Floats

    @property
    def n_votes(self) -> Floats:
        """Votes of each unit."""
        return self.wins + self.losses + self.ties


@dataclass(frozen=True, slots=True, eq=False)
class PairedFit:
    """A maximum likelihood fit.

    Attributes
    ----------
    ties : str
        Model of ties.
    theta : float array, shape (m,)
        Log-odds ratings, sum zero.
    tie : float
        Tie parameter; nan under half-win.
    coefficients : float array, shape (k,)
        Of the covariates, in logits.
    value : float
        Log-likelihood (a quasi-likelihood under half-win and with weights).
    iterations : int
    converged : bool
    """

    ties: TieModel
    theta: Floats
    tie: float
    coefficients: Floats
    value: float
    iterations: int
    converged: bool

    @property
    def has_tie(self) -> bool:
        """Whether the model has a tie parameter."""
        return self.ties != "half-win"

    @property
    def parameters(self) -> Floats:
        """All parameters in their order; shape (p,)."""
        return pack(self.theta, self.tie if self.has_tie else None, self.coefficients)


def pack(theta: Floats, tie: float | None, coefficients: Floats) -> Floats:
    """Put parameters, or anything of their shape, in their order."""
    middle = np.zeros(0) if tie is None else np.array([tie])
    return np.concatenate([theta, middle, coefficients])


def units_of(cells: VoteCells, *, values: Floats | None = None, position: bool = False) -> Units:
    """Add cells up over outcomes; over both orders as well unless position counts.

    Parameters
    ----------
    cells : VoteCells
    values : float array, shape (k,), optional
        What each cell counts for; its weight where absent.
    position : bool
        Whether being shown first has a coefficient.
    """
    m = cells.n_models
    values = cells.weight if values is None else values
    turned = np.zeros(cells.a.size, dtype=bool) if position else cells.a > cells.b
    first = np.where(turned, cells.b, cells.a)
    second = np.where(turned, cells.a, cells.b)
    column = np.where(cells.outcome >= 2, 2, np.where(turned, 1 - cells.outcome, cells.outcome))
    keys, place = np.unique(first * m + second, return_inverse=True)
    count = np.bincount(place * 3 + column, weights=values, minlength=3 * keys.size)
    wins, losses, ties = count.astype(np.float64).reshape(-1, 3).T
    covariates = np.ones((keys.size, 1 if position else 0))
    return Units(m, keys // m, keys % m, wins, losses, ties, covariates)


def units_of_wins(wins: Floats) -> Units:
    """Pairs of a matrix of wins of row over column, ties as half wins.

    Parameters
    ----------
    wins : float array, shape (m, m)
    """
    m = wins.shape[0]
    a, b = np.nonzero(np.triu(wins + wins.T, k=1))
    return Units(m, a, b, wins[a, b], wins[b, a], np.zeros(a.size), np.ones((a.size, 0)))


def fit(units: Units, *, ties: TieModel = "half-win", start: Floats | None = None) -> PairedFit:
    """Fit ratings to a connected board.

    Parameters
    ----------
    units : Units
        The graph of wins, ties both ways, must be strongly connected: see
        `caveat.kernels.connectivity`. With a tie parameter there must be ties and
        `tie_parameter_exists`.
    ties : str
    start : float array, shape (p,), optional
        Parameters to start from.

    Returns
    -------
    PairedFit
        Not converged where no finite maximum exists.
    """
    x = _start(units, ties) if start is None else _centred(start, units.n_models)
    now = evaluate(units, x, ties=ties)
    value = float(now.value.sum())
    for iteration in range(1, MAX_STEPS + 1):
        gradient = assemble_slopes(units, now.eta, now.tie, ties=ties)
        curvature = filled(information(units, now, ties=ties), units)
        try:
            step = np.asarray(np.linalg.solve(curvature, gradient))
        except np.linalg.LinAlgError:  # flat to the last digit: nothing to be found out there
            return _fitted(x, units, ties, value, iteration, converged=False)
        step = _short(units, _centred(step, units.n_models), ties)
        size, before = float(np.abs(step).max(initial=0.0)), value
        x, now, value = _climb(units, x, step, now, value, ties)
        stalled = size < _STALLED and value <= before + 1e-15 * abs(before)
        if size < TOLERANCE or stalled:
            return _fitted(x, units, ties, value, iteration, converged=True)
    return _fitted(x, units, ties, value, MAX_STEPS, converged=False)


def _start(units: Units, ties: TieModel) -> Floats:
    share = float(units.ties.sum() / units.n_votes.sum())
    tie = None if ties == "half-win" else first_guess(ties, share)
    return pack(np.zeros(units.n_models), tie, np.zeros(units.covariates.shape[1]))


def _fitted(
    x: Floats, units: Units, ties: TieModel, value: float, iterations: int, *, converged: bool
) -> PairedFit:
    m = units.n_models
    has_tie = ties != "half-win"
    return PairedFit(
        ties=ties,
        theta=x[:m],
        tie=float(x[m]) if has_tie else float("nan"),
        coefficients=x[m + has_tie :],
        value=value,
        iterations=iterations,
        converged=converged,
    )


def _centred(x: Floats, m: int) -> Floats:
    moved = x.copy()
    moved[:m] -= moved[:m].mean()
    return moved


def _short(units: Units, step: Floats, ties: TieModel) -> Floats:
    """Shorten a step that goes where the likelihood is flat, from where none leads back."""
    moved, tie = linear(
        units.a, units.b, units.covariates, step, ties=ties, n_models=units.n_models
    )
    far = max(float(np.abs(moved).max(initial=0.0)), abs(np.nan_to_num(tie)))
    return step if far <= _FAR else step * (_FAR / far)


def _climb(
    units: Units, x: Floats, step: Floats, now: Likelihood, value: float, ties: TieModel
) -> tuple[Floats, Likelihood, float]:
    """Full Newton step, halved while it lowers the likelihood by more than rounding does."""
    slack = 1e-12 * abs(value)
    for halving in range(60):
        candidate = _centred(x + step / 2.0**halving, units.n_models)
        there = evaluate(units, candidate, ties=ties)
        reached = float(there.value.sum())
        if reached >= value - slack:
            return candidate, there, reached
    return x, now, value


def linear(
    a: Codes, b: Codes, covariates: Floats, x: Floats, *, ties: TieModel, n_models: int
) -> tuple[Floats, float]:
    """Return eta and the tie parameter at the parameters `x`."""
    has_tie = ties != "half-win"
    eta = x[a] - x[b]
    if covariates.shape[1]:
        eta = eta + covariates @ x[n_models + has_tie :]
    return eta, float(x[n_models]) if has_tie else float("nan")


def evaluate(units: Units, x: Floats, *, ties: TieModel) -> Likelihood:
    """Log-likelihood and derivatives of each unit at the parameters `x`."""
    eta, tie = linear(units.a, units.b, units.covariates, x, ties=ties, n_models=units.n_models)
    return likelihood(ties, eta=eta, tie=tie, wins=units.wins, losses=units.losses, ties=units.ties)


def assemble_slopes(units: Units, eta: Floats, tie: Floats, *, ties: TieModel) -> Floats:
    """Sum slopes of units into the slopes of the parameters; shape (p,)."""
    theta = _by_model(units, eta)
    total = None if ties == "half-win" else float(tie.sum())
    return pack(theta, total, units.covariates.T @ eta)


def _by_model(units: Units, values: Floats) -> Floats:
    m = units.n_models
    ahead = np.bincount(units.a, weights=values, minlength=m)
    behind = np.bincount(units.b, weights=values, minlength=m)
    return np.asarray(ahead - behind, dtype=np.float64)


def information(units: Units, at: Likelihood, *, ties: TieModel) -> Floats:
    """Observed information of all parameters; shape (p, p), singular along a common shift."""
    return assemble(units, at.eta_eta, at.eta_tie, at.tie_tie, ties=ties)


def assemble(
    units: Units, eta_eta: Floats, eta_tie: Floats, tie_tie: Floats, *, ties: TieModel
) -> Floats:
    """Sum curvatures (or squared slopes) of units into a matrix of the parameters."""
    m, k = units.n_models, units.covariates.shape[1]
    has_tie = int(ties != "half-win")
    matrix = np.zeros((m + has_tie + k, m + has_tie + k))
    edge = np.bincount(units.a * m + units.b, weights=eta_eta, minlength=m * m).reshape(m, m)
    edge = edge + edge.T
    matrix[:m, :m] = np.diag(edge.sum(axis=1)) - edge
    if has_tie:
        matrix[:m, m] = matrix[m, :m] = _by_model(units, eta_tie)
        matrix[m, m] = tie_tie.sum()
    for j in range(k):
        at, z = m + has_tie + j, units.covariates[:, j]
        matrix[:m, at] = matrix[at, :m] = _by_model(units, eta_eta * z)
        if has_tie:
            matrix[m, at] = matrix[at, m] = eta_tie @ z
    tail = slice(m + has_tie, None)
    matrix[tail, tail] = units.covariates.T @ (eta_eta[:, None] * units.covariates)
    return matrix


def filled(matrix: Floats, units: Units) -> Floats:
    """Make an information invertible: add a term along the common shift of all ratings.

    The term has the size of the other eigenvalues and moves nothing orthogonal to the shift.
    """
    m = units.n_models
    made = matrix.copy()
    made[:m, :m] += float(units.n_votes.sum()) / m**2
    return made


def bread(units: Units, fitted: PairedFit) -> Floats:
    """Inverse information orthogonal to the common shift; shape (p, p), nan where there is none."""
    m = units.n_models
    at = evaluate(units, fitted.parameters, ties=fitted.ties)
    try:
        inverse = np.linalg.inv(filled(information(units, at, ties=fitted.ties), units))
    except np.linalg.LinAlgError:  # a fit that did not converge
        return np.full((fitted.parameters.size, fitted.parameters.size), np.nan)
    inverse[:m, :m] -= 1.0 / float(units.n_votes.sum())
    return np.asarray((inverse + inverse.T) / 2.0, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """Slopes of one vote's log-likelihood, by vote or by cell.

    Attributes
    ----------
    a, b : int array, shape (n,)
    eta, tie : float array, shape (n,)
        By eta, and by the tie parameter (zeros without one).
    covariates : float array, shape (n, k)
    """

    a: Codes
    b: Codes
    eta: Floats
    tie: Floats
    covariates: Floats

    def effect(self, direction: Floats, *, n_models: int, ties: TieModel) -> Floats:
        """Slope of each vote along a direction of the parameters.

        With `direction = bread @ contrast` this is the influence of one vote on the contrast.
        """
        has_tie = int(ties != "half-win")
        along = direction[self.a] - direction[self.b]
        if self.covariates.shape[1]:
            along = along + self.covariates @ direction[n_models + has_tie :]
        along = along * self.eta
        return along + self.tie * direction[n_models] if has_tie else along


def slopes(
    a: Codes, b: Codes, outcome: Codes, *, fitted: PairedFit, covariates: Floats | None = None
) -> Slopes:
    """Slopes of single votes at the fit.

    Parameters
    ----------
    a, b, outcome : int array, shape (n,)
    fitted : PairedFit
    covariates : float array, shape (n, k), optional
        Where absent, ones for each coefficient (the position of the models).
    """
    if covariates is None:
        covariates = np.ones((a.size, fitted.coefficients.size))
    eta, tie = linear(
        a, b, covariates, fitted.parameters, ties=fitted.ties, n_models=fitted.theta.size
    )
    by_eta, by_tie = vote_slopes(fitted.ties, eta=eta, tie=tie, outcome=outcome)
    return Slopes(a, b, by_eta, by_tie, covariates)


def sandwich(cells: VoteCells, fitted: PairedFit) -> Floats:
    """Robust covariance of all parameters, each vote an independent unit; shape (p, p).

    The squared slopes of a pair stand for the variance of its votes. Where one of the two models
    has fewer than `FEW_VOTES` votes they cannot: a single tie between equals leaves no residual at
    all. There the observed sum is mixed with what the model expects at the dispersion of the whole
    board, in the share of the votes that are wanting.

    Parameters
    ----------
    cells : VoteCells
        The votes the ratings were fitted to; the board is connected.
    fitted : PairedFit
    """
    units = units_of(cells, position=bool(fitted.coefficients.size))
    inverse = bread(units, fitted)
    covariance = inverse @ meat(cells, fitted) @ inverse
    return np.asarray((covariance + covariance.T) / 2.0, dtype=np.float64)


def meat(cells: VoteCells, fitted: PairedFit) -> Floats:
    """Sum of squared slopes of the votes, steadied where a model has few; shape (p, p)."""
    one = slopes(cells.a, cells.b, cells.outcome, fitted=fitted)
    squares = (one.eta**2, one.eta * one.tie, one.tie**2)
    wanted = _expected(cells, fitted, one.covariates)
    m = cells.n_models
    number = np.bincount(cells.a, weights=cells.count, minlength=m) + np.bincount(
        cells.b, weights=cells.count, minlength=m
    )
    trust = np.minimum(1.0, np.minimum(number[cells.a], number[cells.b]) / FEW_VOTES)
    weight2 = cells.weight2
    dispersion = float(weight2 @ squares[0]) / float(weight2 @ wanted[0])
    mixed = [
        weight2 * (trust * seen + (1.0 - trust) * dispersion * model)
        for seen, model in zip(squares, wanted, strict=True)
    ]
    each = Units(cells.n_models, cells.a, cells.b, weight2, weight2, weight2, one.covariates)
    return assemble(each, *mixed, ties=fitted.ties)


def _expected(
    cells: VoteCells, fitted: PairedFit, covariates: Floats
) -> tuple[Floats, Floats, Floats]:
    """Information of one vote of each cell, whatever its outcome was."""
    eta, tie = linear(
        cells.a,
        cells.b,
        covariates,
        fitted.parameters,
        ties=fitted.ties,
        n_models=cells.n_models,
    )
    p = chances(fitted.ties, eta=eta, tie=tie)
    at = likelihood(fitted.ties, eta=eta, tie=tie, wins=p.win, losses=p.loss, ties=p.tie)
    return at.eta_eta, at.eta_tie, at.tie_tie
