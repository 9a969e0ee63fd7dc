"""What picking the best of several normal measurements adds by luck.

Notation: z_1 ... z_N are independent standard normals, and e(N) = E max z. With Phi their
distribution function, e(N) is the integral of 1 - Phi(x)^N - Phi(-x)^N over x > 0. Exact values:
e(2) = 1 / sqrt(pi), e(3) = 3 / (2 sqrt(pi)); tables: Harter (1961),
https://doi.org/10.1093/biomet/48.1-2.151.
"""

import math

import numpy as np
from scipy.integrate import quad
from scipy.special import log_ndtr

from caveat.errors import InputError

MOST = 1e9
"""Largest number of measurements considered; e(10^9) is 6.09."""
_END = 10.0
"""Where the integral stops: at `MOST` measurements less than 1e-14 of it lies beyond."""


def expected_maximum(number: float) -> float:
    """Expect the largest of N independent standard normals.

    Parameters
    ----------
    number : float
        N, from 1 to 10^9. What is not whole interpolates between its neighbours.

    Returns
    -------
    float
        In standard deviations of one measurement; 0 for one.

    Raises
    ------
    InputError
        If `number` is out of range.

    References
    ----------
    Harter (1961), https://doi.org/10.1093/biomet/48.1-2.151.

    Examples
    --------
    >>> round(expected_maximum(2), 6), round(expected_maximum(10), 5)
    (0.56419, 1.53875)
    """
    if not 1 <= number <= MOST:
        raise InputError(f"number must be between 1 and 10^9, got {number!r}")
    if number == 1:
        return 0.0

    def tail(x: float) -> float:
        below = math.exp(number * float(log_ndtr(-x)))
        return -math.expm1(number * float(log_ndtr(x))) - below

    # The integrand falls from 1 to 0 within about one unit around sqrt(2 log N).
    middle = math.sqrt(2.0 * math.log(number))
    value, _ = quad(tail, 0.0, _END, points=(middle,), epsabs=1e-13, epsrel=1e-12, limit=200)
    return max(float(value), 0.0)


def number_for(height: float) -> float:
    """Smallest whole number of measurements whose expected maximum reaches `height`.

    Parameters
    ----------
    height : float
        In standard deviations of one measurement.

    Returns
    -------
    float
        1 for heights of at most 0; inf beyond what 10^9 measurements reach.

    Examples
    --------
    >>> number_for(0.5), number_for(1.0)
    (2.0, 4.0)
    """
    if math.isnan(height):
        return math.nan
    if height <= 0:
        return 1.0
    if expected_maximum(MOST) < height:
        return math.inf
    below, reached = 1, int(MOST)
    while reached - below > 1:
        middle = (below + reached) // 2
        if expected_maximum(middle) < height:
            below = middle
        else:
            reached = middle
    return float(reached)


def luck(*, error: float, spread: float, number: float) -> float:
    """Expect an error in the measurement that came out best.

    Measurements of `number` variants have error variance `error`**2, and their true values vary by
    `spread`**2. The best measurement is (error**2 + spread**2)**0.5 e(N) above their mean, of which
    the share error**2 / (error**2 + spread**2) is error.

    Parameters
    ----------
    error, spread : float
        Standard deviations of one measurement's error and of the variants' true values, same unit.
    number : float
        Variants measured.

    Returns
    -------
    float
        In the unit of `error`; `error` e(N) without a spread.

    Examples
    --------
    >>> round(luck(error=10.0, spread=0.0, number=2), 4)
    5.6419
    """
    total = float(np.hypot(error, spread))
    return error * error / total * expected_maximum(number) if total > 0 else 0.0
