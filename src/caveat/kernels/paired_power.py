"""How small a difference n items can show, and how many items a difference needs.

Notation: psi is the mean squared difference of the scores on one item (for right and wrong the
share of items that only one gets right), delta the difference of the means, so that a difference
has the variance psi where there is none and psi - delta^2 where it is delta:

    n = deff (z_(1 - alpha / 2) sqrt(psi) + z_power sqrt(psi - delta^2))^2 / delta^2.

For right and wrong this is Connor (1987), https://doi.org/10.2307/2531961; deff is the variance by
clusters over that of independent items (Kish 1965).
"""

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

Floats = npt.NDArray[np.float64]


def items_needed(
    delta: Floats, psi: Floats, deff: Floats, *, largest: Floats, level: float, power: float
) -> Floats:
    """Items needed to find a difference; nan where it is 0 or beyond what is possible.

    Parameters
    ----------
    delta, psi, deff, largest : float array, shapes that broadcast
        `largest` is the largest possible difference: psi for right and wrong, else sqrt(psi).
    level, power : float
        1 - alpha of the two-sided test in (0, 1); chance to find the difference, in [0.5, 1).
    """
    size = np.abs(delta)
    with np.errstate(invalid="ignore", divide="ignore"):
        z = _z(level) * np.sqrt(psi) + float(ndtri(power)) * np.sqrt(np.maximum(psi - size**2, 0.0))
        items = np.ceil(deff * z**2 / size**2 - 1e-9)
    possible = (size > 0) & (size <= largest * (1.0 + 1e-12))
    return np.where(possible, items, np.nan)


def detectable(
    n: Floats, psi: Floats, deff: Floats, *, largest: Floats, level: float, power: float
) -> Floats:
    """Least difference that n items find; nan where even the largest possible is not found.

    Parameters
    ----------
    n, psi, deff, largest : float array, shapes that broadcast
    level, power : float
        As in `items_needed`, whose inverse it is.
    """
    a, b = _z(level), float(ndtri(power))
    with np.errstate(invalid="ignore", divide="ignore"):
        size = n / deff
        root = np.sqrt(np.maximum(size + b**2 - a**2, 0.0))
        least = np.sqrt(psi) * (a * np.sqrt(size) + b * root) / (size + b**2)
        possible = (psi > 0) & (size >= a**2) & (least <= largest)
    return np.where(possible, least, np.nan)


def items_for_equivalence(
    delta: float, variance: float, deff: float, *, margin: float, level: float, power: float
) -> float:
    """Items that show a difference to be under a margin; nan where it is not.

    Both one-sided tests must succeed, so where the difference is 0 the power of each is
    (1 + power) / 2: Chow, Shao and Wang (2008), https://doi.org/10.1201/9781584889830.

    Parameters
    ----------
    delta, variance : float
        True difference, and variance of the difference of one item.
    deff : float
        As above.
    margin, level, power : float
        Each test has the error 1 - level.
    """
    room = margin - abs(delta)
    if not room > 0 or not variance > 0:
        return float("nan")
    z = float(ndtri(level)) + float(ndtri((1.0 + power) / 2.0))
    return float(np.ceil(deff * variance * z**2 / room**2 - 1e-9))


def _z(level: float) -> float:
    return float(ndtri((1.0 + level) / 2.0))
