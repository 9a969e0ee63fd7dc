"""How far pairs stray from what the ratings say, beyond noise.

Notation: r = y - e is a pair's residual win share, n its votes, v the variance of one vote's score.
The pair's true win share is taken to be e + delta with delta of mean 0 and variance tau^2: the
extra-binomial variance of Williams (1982), https://doi.org/10.2307/2347977, estimated by moments
as in DerSimonian and Laird (1986), https://doi.org/10.1016/0197-2456(86)90046-2. Since the ratings
were fitted to the same votes, E r^2 = a + tau^2 b, where a is what fitting leaves of v / n, and b
what it leaves of the pair's own departure and adds of others'.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.special import chdtr, chdtrc

from caveat.kernels import paired
from caveat.kernels.expected import Expected
from caveat.kernels.paired import PairedFit, Units

Floats = npt.NDArray[np.float64]

_HIDDEN = 1e-9
"""Share of a departure that must show in the residual: less is rounding."""
_LARGEST = 0.25
"""Largest possible variance of a win share."""


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """Residuals of the pairs; arrays of shape (u,).

    Attributes
    ----------
    residual : float array
        Observed minus expected win share of the first model.
    noise : float array
        Variance of the residual if the model is right.
    visible : float array
        By how much that variance grows with tau^2; 0 where the ratings fit the pair perfectly
        whatever its votes are.
    """

    residual: Floats
    noise: Floats
    visible: Floats

    @property
    def z(self) -> Floats:
        """Residual by its standard deviation; nan where the pair says nothing about the fit."""
        held = self.visible > 0
        return np.where(held, self.residual / np.sqrt(np.where(held, self.noise, 1.0)), np.nan)


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """Standard deviation of true win shares around what the ratings say.

    Attributes
    ----------
    tau, low, high : float
        As a share of votes; nan without degrees of freedom.
    """

    tau: float
    low: float
    high: float


def residuals(units: Units, fitted: PairedFit, at: Expected) -> Residuals:
    """Residuals with what fitting takes off their variance.

    Parameters
    ----------
    units : Units
        Unweighted votes.
    fitted : PairedFit
    at : Expected
        Of that fit.
    """
    n = units.n_votes
    y = (units.wins + units.ties / 2.0) / n
    design = _design(units)
    pull, plain = n * at.pull, at.variance / n
    inverse = np.linalg.pinv(_cross(design, pull * at.slope), hermitian=True)
    hat = _Hat(design, np.asarray(inverse, dtype=np.float64))
    own = hat.diagonal(at.slope, pull)
    visible = 1.0 - 2.0 * own + hat.spread(at.slope, pull**2)
    if fitted.has_tie:
        # A likelihood of all three outcomes: fitting takes off the variance of the expectation.
        gradient = _gradient(units, at)
        covariance = paired.bread(units, fitted)
        noise = plain - np.einsum("ij,ij->i", gradient @ covariance, gradient)
    else:
        noise = plain * (1.0 - 2.0 * own) + hat.spread(at.slope, pull**2 * plain)
    held = visible > _HIDDEN
    return Residuals(y - at.score, np.where(held, noise, 0.0), np.where(held, visible, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Hat:
    """The linear map from departures to fitted win shares: diag(d) X A^+ X' diag(pull)."""

    design: "csr_array"
    inverse: Floats

    def diagonal(self, slope: Floats, pull: Floats) -> Floats:
        leverage: Floats = slope * pull * self._quadratic(self.inverse)
        return leverage

    def spread(self, slope: Floats, weight: Floats) -> Floats:
        """Squared rows of the map, each column weighted by `weight` / pull^2."""
        inner = self.inverse @ _cross(self.design, weight) @ self.inverse
        rows: Floats = slope**2 * self._quadratic(inner)
        return rows

    def _quadratic(self, matrix: Floats) -> Floats:
        """Evaluate x'Mx for each row x of the design."""
        image = np.asarray(self.design @ matrix)
        return np.asarray(self.design.multiply(image).sum(axis=1)).ravel()


def _design(units: Units) -> "csr_array":
    u, k = units.a.size, units.covariates.shape[1]
    rows = np.arange(u)
    values = np.r_[np.ones(u), -np.ones(u), units.covariates.T.ravel()]
    places = np.r_[units.a, units.b, np.repeat(units.n_models + np.arange(k), u)]
    return csr_array(
        (values, (np.r_[rows, rows, np.tile(rows, k)], places)), shape=(u, units.n_models + k)
    )


def _gradient(units: Units, at: Expected) -> Floats:
    """Differentiate the expected score by the parameters in their order; shape (u, p)."""
    design = _design(units).toarray() * at.slope[:, None]
    m = units.n_models
    return np.hstack([design[:, :m], at.tie_slope[:, None], design[:, m:]])


def _cross(design: "csr_array", weight: Floats) -> Floats:
    product = design.T @ design.multiply(weight[:, None])
    return np.asarray(product.todense(), dtype=np.float64)


def carried(units: Units, fitted: PairedFit, at: Expected, contrast: Floats) -> float:
    """Variance that departures of variance 1 put into a contrast of the ratings.

    Parameters
    ----------
    units : Units
    fitted : PairedFit
    at : Expected
    contrast : float array, shape (m,)
        Sums to zero.

    Returns
    -------
    float
        In squared logits.
    """
    m, has_tie = units.n_models, fitted.has_tie
    direction = paired.bread(units, fitted)[:, :m] @ contrast
    along = direction[units.a] - direction[units.b]
    along = along + units.covariates @ direction[m + has_tie :]
    return float(((along * units.n_votes * at.pull) ** 2).sum())


def departure(units: Units, at: Expected, found: Residuals, *, level: float) -> Departure:
    """Estimate tau by moments, with an interval.

    Pairs are weighted by how well their squared residual is known, so that pairs of few or lopsided
    votes, whose residuals say little, count little. The interval holds the values of tau at which
    the weighted sum of squared residuals lies within the central `level` of its scaled chi-squared
    distribution (Satterthwaite).

    Parameters
    ----------
    units : Units
    at : Expected
    found : Residuals
    level : float
        In (0, 1).
    """
    held = found.visible > 0
    if not held.any():
        return Departure(tau=math.nan, low=math.nan, high=math.nan)
    squares = _squares(units, at, found, held)
    tail = (1.0 - level) / 2.0
    return Departure(
        tau=math.sqrt(_root(lambda t: squares.ratio(t) - 1.0)),
        low=math.sqrt(_root(lambda t: tail - float(chdtrc(*squares.scaled(t))))),
        high=math.sqrt(_root(lambda t: float(chdtr(*squares.scaled(t))) - tail)),
    )


def departure_by_model(units: Units, at: Expected, found: Residuals, *, tau: float) -> Floats:
    """Estimate tau from the pairs of each model alone, weighted as they are at `tau`.

    Returns
    -------
    float array, shape (m,)
        0 where noise explains all; nan where no pair of the model says anything.
    """
    held = found.visible > 0
    squares = _squares(units, at, found, held)
    weight = squares.weight(tau**2)
    both = np.r_[units.a[held], units.b[held]]
    over = np.bincount(both, np.tile(weight * (squares.square - squares.noise), 2), units.n_models)
    seen = np.bincount(both, np.tile(weight * squares.visible, 2), units.n_models)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.sqrt(np.maximum(over / seen, 0.0)), dtype=np.float64)


def _squares(
    units: Units, at: Expected, found: Residuals, held: npt.NDArray[np.bool_]
) -> "_Squares":
    return _Squares(
        found.residual[held] ** 2,
        found.noise[held],
        found.visible[held],
        (at.variance / units.n_votes)[held],
        (np.maximum(at.excess, 0.0) / units.n_votes**3)[held],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Squares:
    """Squared residuals, and what they would be at a variance t of the departures."""

    square: Floats
    noise: Floats
    visible: Floats
    plain: Floats
    excess: Floats

    def ratio(self, t: float) -> float:
        """Weighted sum of squares by its expectation."""
        weight = self.weight(t)
        return float(weight @ self.square) / float(weight @ (self.noise + t * self.visible))

    def scaled(self, t: float) -> tuple[float, float]:
        """Degrees of freedom, and the sum of squares scaled to a chi-squared of so many."""
        weight = self.weight(t)
        left = self.noise + t * self.visible
        # Residuals of one fit hang together; with equal weights and one error for all pairs the sum
        # of their squared covariances is that error times the sum of their variances.
        spread = 2.0 * left * (self.plain + t) + self.excess * self.visible**2
        mean = float(weight @ left)
        freedom = 2.0 * mean**2 / float(weight**2 @ spread)
        return freedom, freedom * self.ratio(t)

    def weight(self, t: float) -> Floats:
        """How well each squared residual is known."""
        weight: Floats = 1.0 / (2.0 * (self.plain + t) ** 2 + self.excess)
        return weight


def _root(falling: Callable[[float], float]) -> float:
    """Where a falling function of the variance crosses zero, within what a variance can be."""
    low, high = 0.0, _LARGEST
    if falling(low) <= 0:
        return low
    if falling(high) >= 0:
        return high
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2.0
