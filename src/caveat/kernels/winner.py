"""The true score of the model that scored highest: its estimate is too high because it was chosen.

Andrews, Kitagawa and McCloskey (2024), "Inference on Winners",
https://doi.org/10.1093/qje/qjad043, in their notation: X estimates mu with covariance Sigma, the
winner is theta = argmax X, and Y = X(theta). Given Z = X - Sigma(., theta) Y / Sigma(theta, theta)
the winner wins exactly if Y lies between L(Z) and U(Z), so that Y is a truncated normal:
conditional limits and the conditional median. Projection takes the largest |X - mu| / se of all
models. The hybrid conditions, beside, on mu(theta) lying in the projection interval of level
1 - alpha / 10, and so is never far out where two models are nearly level.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr

from caveat.kernels.largest_z import largest_z
from caveat.kernels.shrinkage import shrink

Floats = npt.NDArray[np.float64]

DRAWS, FEWER_DRAWS, MANY = 10_000, 4_000, 200
_FAR = 1000.0  # errors within which conditional limits are looked for
_HALVINGS = 80


@dataclass(frozen=True, slots=True, eq=False)
class Winner:
    """Estimates of the winner's true mean; nan where its estimate has no error.

    Attributes
    ----------
    index : int
    estimate, se : float
        As they stand.
    below, above : float
        Between these the winner's estimate would have won all the same, given the rest.
    conditional, conditional_low, conditional_high : float
        Median-unbiased and covering whichever model wins; infinite where beyond 1,000 errors.
    hybrid, hybrid_low, hybrid_high : float
    projection_low, projection_high : float
    bias : float
        Mean of what the winner of a bootstrap draw stands above its own true mean there; the true
        means are the shrunk estimates, since the estimates themselves lie too far apart.
    shrunk : float
        Posterior mean of the winner.
    """

    index: int
    estimate: float
    se: float
    below: float
    above: float
    conditional: float
    conditional_low: float
    conditional_high: float
    hybrid: float
    hybrid_low: float
    hybrid_high: float
    projection_low: float
    projection_high: float
    bias: float
    shrunk: float


def winner(
    x: Floats,
    covariance: Floats,
    *,
    level: float,
    degrees: float,
    rng: np.random.Generator,
    step: float = 0.0,
) -> Winner:
    """Correct the highest of correlated estimates for its choice.

    Parameters
    ----------
    x : float array, shape (m,)
    covariance : float array, shape (m, m)
    level : float
        In (0, 1).
    degrees : float
        Degrees of freedom of the errors, for projection.
    rng : Generator
    step : float
        By how much estimates differ at least, if they differ: a tie stands for a lead of up to
        half of it.

    Returns
    -------
    Winner
        Of level estimates the first.
    """
    j = int(x.argmax())
    y, se = float(x[j]), float(np.sqrt(covariance[j, j]))
    if not se:
        return _undefined(j, y)
    alpha = 1.0 - level
    draws = DRAWS if x.size <= MANY else FEWER_DRAWS
    below, above = _truncation(x, covariance, j, step / 2.0)
    moving = np.flatnonzero(np.diag(covariance) > 0)
    largest = largest_z(covariance[np.ix_(moving, moving)], degrees=degrees, rng=rng, draws=draws)
    wide, wider = np.quantile(largest, [level, 1.0 - alpha / 10.0]).tolist()

    def conditional(mu: float) -> float:
        return _share_below(y, mu, se, below, above)

    def hybrid(mu: float) -> float:
        return _share_below(y, mu, se, max(below, mu - wider * se), min(above, mu + wider * se))

    shrunk = shrink(x, covariance)
    tail = (alpha - alpha / 10.0) / (1.0 - alpha / 10.0) / 2.0
    far, near = _FAR * se, wider * se

    def alone(p: float) -> float:
        return _solve(conditional, p, y, far, edge=np.inf)

    def mixed(p: float) -> float:
        return _solve(hybrid, p, y, near, edge=near)

    return Winner(
        index=j,
        estimate=y,
        se=se,
        below=below,
        above=above,
        conditional=alone(0.5),
        conditional_low=alone(1.0 - alpha / 2.0),
        conditional_high=alone(alpha / 2.0),
        hybrid=mixed(0.5),
        hybrid_low=mixed(1.0 - tail),
        hybrid_high=mixed(tail),
        projection_low=y - wide * se,
        projection_high=y + wide * se,
        bias=_bias(shrunk.mean, covariance, draws, rng),
        shrunk=float(shrunk.mean[j]),
    )


def _undefined(index: int, estimate: float) -> Winner:
    names = (field.name for field in fields(Winner))
    nothing = dict.fromkeys(names, float("nan"))
    return Winner(**(nothing | {"index": index, "estimate": estimate}))  # type: ignore[arg-type]  # all others are nan


def _truncation(x: Floats, covariance: Floats, j: int, least: float) -> tuple[float, float]:
    """Limits within which the winner stays ahead of every other model, given the rest."""
    slope = covariance[:, j] / covariance[j, j]
    rest = np.minimum(x, x[j] - least) - slope * x[j]
    room = 1.0 - slope
    with np.errstate(divide="ignore", invalid="ignore"):
        edge = rest / room
    lower, upper = edge[room > 1e-9], edge[room < -1e-9]
    below = min(float(lower.max(initial=-np.inf)), float(x[j]))
    return below, max(float(upper.min(initial=np.inf)), float(x[j]))


def _log_between(a: float, b: float) -> float:
    """Log of the normal probability between a and b, in either tail."""
    if a > 0:
        a, b = -b, -a
    low, high = float(log_ndtr(a)), float(log_ndtr(b))
    return high + float(np.log1p(-np.exp(min(low - high, 0.0)))) if high > low else -np.inf


def _share_below(y: float, mu: float, se: float, below: float, above: float) -> float:
    """Distribution function of a truncated normal at y."""
    whole = _log_between((below - mu) / se, (above - mu) / se)
    part = _log_between((below - mu) / se, (y - mu) / se)
    if not np.isfinite(whole):
        return float(y >= above)
    return float(np.exp(min(part - whole, 0.0)))


def _solve(
    function: Callable[[float], float], p: float, y: float, reach: float, *, edge: float
) -> float:
    """Mean at which a falling distribution function is p; `edge` from y where it never is."""
    low, high = y - reach, y + reach
    if function(low) < p:
        return y - edge
    if function(high) > p:
        return y + edge
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if function(middle) > p else (low, middle)
    return (low + high) / 2.0


def _bias(x: Floats, covariance: Floats, draws: int, rng: np.random.Generator) -> float:
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.clip(values, 0.0, None))
    noise = root @ rng.standard_normal((x.size, draws))
    first = (x[:, None] + noise).argmax(axis=0)
    return float(noise[first, np.arange(draws)].mean())
