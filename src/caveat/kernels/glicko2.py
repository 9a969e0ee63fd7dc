"""Glicko-2: ratings with a deviation and a volatility, updated once per rating period.

Notation: Glickman (2022), "Example of the Glicko-2 system", http://www.glicko.net/glicko/glicko2.pdf:
mu, phi and sigma are rating, deviation and volatility on the inner scale, tau bounds the change of
the volatility, v is the estimated variance of the rating from the results alone and delta the
estimated improvement. All votes of a period are set against the ratings before it.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels._jit import compiled

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]

START, DEVIATION, VOLATILITY, TAU = 1500.0, 350.0, 0.06, 0.5
"""Rating, deviation and volatility of a newcomer, and the system constant; Glickman's values."""
SCALE = 173.7178
"""Points per unit of the inner scale: 400 / ln 10, as Glickman rounds it."""
TOLERANCE = 1e-6
"""Of the logarithm of the squared volatility, in Glickman's step 5."""
_MOST_STEPS = 100


@dataclass(frozen=True, slots=True, eq=False)
class Glicko2:
    """Ratings after the last period.

    Attributes
    ----------
    rating, deviation : float array, shape (m,)
        In points.
    volatility : float array, shape (m,)
        On the inner scale, as Glickman gives it.
    iterations : int
        Most steps that any update of a volatility took.
    converged : bool
        Whether all of them reached the tolerance.
    """

    rating: Floats
    deviation: Floats
    volatility: Floats
    iterations: int
    converged: bool


@dataclass(frozen=True, slots=True, eq=False)
class Periods:
    """Votes in rating periods.

    Attributes
    ----------
    n_models : int
    start : int array, shape (p + 1,)
        Rows `start[t]` to `start[t + 1]` are the votes of period t, which may have none.
    a, b : int32 array, shape (n,)
    score : float array, shape (n,)
        Of the first model: 1, 0 or a half.
    count : float array, shape (n,)
        Votes that a row stands for.
    """

    n_models: int
    start: npt.NDArray[np.int64]
    a: Codes
    b: Codes
    score: Floats
    count: Floats


def glicko2(
    periods: Periods,
    *,
    tau: float = TAU,
    newcomer: tuple[float, float, float] = (START, DEVIATION, VOLATILITY),
) -> Glicko2:
    """Rate models period by period.

    A model enters with its first vote. From then on its deviation grows in each period in which it
    has none.

    Parameters
    ----------
    periods : Periods
    tau : float
        Glickman advises 0.3 to 1.2.
    newcomer : tuple of float
        Rating, deviation and volatility at entry.
    """
    state = np.empty((3, periods.n_models))
    state[0] = (newcomer[0] - START) / SCALE
    state[1], state[2] = newcomer[1] / SCALE, newcomer[2]
    steps = play(state, periods.start, periods.a, periods.b, periods.score, periods.count, tau)
    return Glicko2(
        rating=START + SCALE * state[0],
        deviation=SCALE * state[1],
        volatility=state[2],
        iterations=min(int(steps), _MOST_STEPS),
        converged=steps <= _MOST_STEPS,
    )


@compiled
def new_volatility(
    delta: float, phi: float, v: float, sigma: float, tau: float
) -> tuple[float, int]:
    """Glickman's step 5, the Illinois algorithm; the volatility and the steps it took."""
    a = math.log(sigma**2)
    low, high = a, a
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        high = a - tau
        while slope(high, a, delta, phi, v, tau) < 0.0:
            high -= tau
    f_low, f_high = slope(low, a, delta, phi, v, tau), slope(high, a, delta, phi, v, tau)
    steps = 0
    while abs(high - low) > TOLERANCE and steps <= _MOST_STEPS:
        steps += 1
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = slope(middle, a, delta, phi, v, tau)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0), steps


@compiled
def slope(x: float, a: float, delta: float, phi: float, v: float, tau: float) -> float:
    """Glickman's f(x), whose root is the logarithm of the new squared volatility."""
    grown = math.exp(x)
    spread = phi**2 + v + grown
    return grown * (delta**2 - spread) / (2.0 * spread**2) - (x - a) / tau**2


@compiled
def play(
    state: Floats,
    start: npt.NDArray[np.int64],
    a: Codes,
    b: Codes,
    score: Floats,
    count: Floats,
    tau: float,
) -> int:
    """Update mu, phi and sigma, the rows of `state`; return the most steps of step 5."""
    mu, phi, sigma = state[0], state[1], state[2]
    m = mu.size
    entered = np.zeros(m, dtype=np.bool_)
    most = 0
    for period in range(start.size - 1):
        g = 1.0 / np.sqrt(1.0 + 3.0 * phi**2 / math.pi**2)
        information, surprise = np.zeros(m), np.zeros(m)
        for row in range(start[period], start[period + 1]):
            i, j, n = a[row], b[row], count[row]
            expected = 1.0 / (1.0 + math.exp(-g[j] * (mu[i] - mu[j])))
            information[i] += n * g[j] ** 2 * expected * (1.0 - expected)
            surprise[i] += n * g[j] * (score[row] - expected)
            expected = 1.0 / (1.0 + math.exp(-g[i] * (mu[j] - mu[i])))
            information[j] += n * g[i] ** 2 * expected * (1.0 - expected)
            surprise[j] += n * g[i] * (1.0 - score[row] - expected)
        for model in range(m):
            if information[model] > 0.0:
                entered[model] = True
                v = 1.0 / information[model]
                sigma[model], steps = new_volatility(
                    v * surprise[model], phi[model], v, sigma[model], tau
                )
                most = max(most, steps)
                wider = phi[model] ** 2 + sigma[model] ** 2
                phi[model] = 1.0 / math.sqrt(1.0 / wider + information[model])
                mu[model] += phi[model] ** 2 * surprise[model]
            elif entered[model]:
                phi[model] = math.sqrt(phi[model] ** 2 + sigma[model] ** 2)
    return most
