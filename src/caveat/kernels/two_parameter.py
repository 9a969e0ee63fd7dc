"""Two-parameter logistic model of items, both parameters drawn from a distribution.

The log-odds that model m gets item j right are a_j theta_m - d_j (Birnbaum 1968): a_j says how
well the item tells strong models from weak ones, d_j is its difficulty for a model of ability 0.
A few dozen models fix a slope only loosely, so that slopes are not free: (d, a) of an item comes
from a smooth joint distribution over a grid, a normal in a given d, estimated from all items by EM.
Slopes may be negative. The Rasch model is the case without variance of a, so that two or three
parameters more, and not one per item, tell the two models apart.

Given which models have a score, the number of right answers and the sum of the abilities that gave
them are sufficient for an item.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.special import expit

from caveat.kernels.loglinear_prior import LoglinearPrior, orthonormal, refit, start
from caveat.kernels.rasch import ROOM, RaschFit, item_rows, quantiles

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
SLOPES = np.linspace(-1.4, 4.2, 15)
"""Nodes of the slope; 1 is among them, so that the Rasch model is."""
EXTRA_PARAMETERS = 3
"""Mean and variance of the slope, and its covariance with the difficulty."""
_STEP = 0.5
_ROUNDS = (8, 6)
"""Steps of the distribution between two moves of the abilities."""


@dataclass(frozen=True, slots=True, eq=False)
class SlopeFit:
    """Two-parameter model of n items.

    Attributes
    ----------
    ability : float array, shape (m,)
        Mean 0; scaled so that the mean slope is 1.
    slope, sd, low, high : float arrays, shape (n,)
        Mean, standard deviation and equal-tailed interval of each item's slope given its answers.
    difficulty : float array, shape (n,)
        Mean of d given the item's answers.
    slope_sd : float
        Standard deviation of the slopes among items.
    loglik : float
    n_parameters : int
    """

    ability: Floats
    slope: Floats
    sd: Floats
    low: Floats
    high: Floats
    difficulty: Floats
    slope_sd: float
    loglik: float
    n_parameters: int
    extra_parameters: int = EXTRA_PARAMETERS


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Nodes: difficulties by slopes, laid out in one row."""

    difficulty: Floats
    slope: Floats
    shape: tuple[int, int]


def two_parameter(score: Floats, one: RaschFit, *, level: float = 0.95) -> SlopeFit:
    """Fit the model by EM, from the abilities of the Rasch model.

    Parameters
    ----------
    score : float array, shape (n, m)
        0 or 1; nan where there is none.
    one : RaschFit
        Of the same scores.
    level : float
        Content of each item's interval.

    Returns
    -------
    SlopeFit
        Its log-likelihood is at most a little below the largest: abilities move a few steps only.
    """
    items = _Items(score)
    grid, prior = _start(one)
    ability = one.ability
    for steps in _ROUNDS:
        top, likelihood = _likelihood(items, ability, grid)
        for _ in range(steps):
            total = likelihood @ prior.weight.astype(np.float32)
            prior = refit(prior, prior.weight * ((1.0 / total) @ likelihood))
        ability = _move(items, _posterior(likelihood, prior), ability, grid)
    top, likelihood = _likelihood(items, ability, grid)
    posterior = _posterior(likelihood, prior)
    total = likelihood @ prior.weight.astype(np.float32)
    marginal = posterior.reshape(-1, *grid.shape).sum(axis=1, dtype=np.float64)
    mean = marginal @ SLOPES
    scale = float(mean.mean())
    spread = np.sqrt(np.maximum(marginal @ SLOPES**2 - mean**2, 0.0))
    low, high = quantiles(marginal, SLOPES, level)
    overall = prior.weight.reshape(grid.shape).sum(axis=0)
    return SlopeFit(
        ability=ability * scale,
        slope=mean / scale,
        sd=spread / scale,
        low=low / scale,
        high=high / scale,
        difficulty=posterior @ grid.difficulty,
        slope_sd=float(np.sqrt(overall @ SLOPES**2 - (overall @ SLOPES) ** 2)) / scale,
        loglik=float(top.sum() + np.log(total).sum(dtype=np.float64)),
        n_parameters=one.n_parameters + EXTRA_PARAMETERS,
    )


class _Items:
    """Scores with what the likelihood needs of them."""

    def __init__(self, score: Floats) -> None:
        rows = item_rows(score)
        self.filled = np.where(np.isfinite(score), score, 0.0)
        self.right = self.filled.sum(axis=1)
        self.present = rows.present
        self.pattern = rows.pattern[rows.row]


def _likelihood(items: _Items, ability: Floats, grid: _Grid) -> tuple[Floats, Singles]:
    """Log-likelihood of each item at its best node, and the likelihood at all relative to that."""
    rest = items.present @ np.logaddexp(0.0, np.outer(ability, grid.slope) - grid.difficulty)
    earned = np.column_stack([items.filled @ ability, -items.right])
    log = earned @ np.vstack([grid.slope, grid.difficulty])
    log -= rest[items.pattern]
    top = log.max(axis=1)
    log -= top[:, None]
    return top, np.exp(log.astype(np.float32))


def _posterior(likelihood: Singles, prior: LoglinearPrior) -> Singles:
    weighted: Singles = likelihood * prior.weight.astype(np.float32)
    weighted /= weighted.sum(axis=1, keepdims=True)
    return weighted


def _start(one: RaschFit) -> tuple[_Grid, LoglinearPrior]:
    """Nodes of both parameters, and the difficulties of the Rasch model with slopes near 1."""
    low, high = one.ability.min() - ROOM, one.ability.max() + ROOM
    node = np.linspace(low, high, int(np.ceil((high - low) / _STEP)) + 1)
    difficulty, slope = (x.ravel() for x in np.meshgrid(node, SLOPES, indexing="ij"))
    powers = difficulty[:, None] ** np.arange(1, 5)
    terms = np.column_stack([powers, slope, slope**2, slope * difficulty])
    near = np.interp(node, one.node, one.weight)
    bell = np.exp(-(((SLOPES - 1.0) / 0.5) ** 2) / 2)
    grid = _Grid(difficulty, slope, (node.size, SLOPES.size))
    return grid, start(orthonormal(terms), np.outer(near, bell).ravel())


def _move(items: _Items, posterior: Singles, ability: Floats, grid: _Grid) -> Floats:
    """Two steps of Newton's method for the abilities given where the items stand; mean 0."""
    places = np.arange(items.pattern.size)
    member = csr_array((np.ones(places.size, np.float32), (items.pattern, places)))
    number = items.present.T @ (member @ posterior)
    earned = items.filled.T @ (posterior @ grid.slope)
    for _ in range(2):
        chance = expit(np.outer(ability, grid.slope) - grid.difficulty)
        gradient = earned - (number * chance) @ grid.slope
        information = (number * chance * (1.0 - chance)) @ grid.slope**2 + 1e-6
        ability = ability + np.clip(gradient / information, -0.5, 0.5)
    centred: Floats = ability - ability.mean()
    return centred
