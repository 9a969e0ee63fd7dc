"""How unevenly votes, or weights, fall to voters."""

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def gini(amounts: Floats) -> float:
    """Gini coefficient: half the mean difference between two of them, by the mean.

    Both are drawn with replacement, so that n equal amounts give 0 and one that holds everything
    1 - 1/n (Gini 1912; the form of Dorfman 1979, https://doi.org/10.2307/1924845).

    Parameters
    ----------
    amounts : float array, shape (n,)
        Not negative.

    Returns
    -------
    float
        nan where there is nothing to share.
    """
    total = float(amounts.sum())
    if total <= 0:
        return math.nan
    n = amounts.size
    place = np.arange(1, n + 1)
    return float((2 * place - n - 1) @ np.sort(amounts)) / (n * total)


def top_share(amounts: Floats, part: float) -> float:
    """Share held by the largest `part` of all, rounded up to whole ones.

    Parameters
    ----------
    amounts : float array, shape (n,)
        Not negative.
    part : float
        In (0, 1).

    Returns
    -------
    float
        nan where there is nothing to share.
    """
    total = float(amounts.sum())
    if total <= 0:
        return math.nan
    number = top_number(amounts.size, part)
    return float(np.partition(amounts, amounts.size - number)[-number:].sum()) / total


def top_number(n: int, part: float) -> int:
    """How many the largest `part` of n are."""
    # 0.1 * 30 is 3.0000000000000004: rounding must not add one.
    return max(1, math.ceil(part * n - 1e-9))


def design_effect(weights: Floats) -> float:
    """Factor by which unequal weights inflate a variance: 1 + cv^2.

    It holds for an average of something that has nothing to do with the weights (Kish 1965,
    "Survey Sampling", section 11.7; 1992, https://www.scb.se/jos, "Weighting for unequal Pi").

    Parameters
    ----------
    weights : float array, shape (n,)
        Not negative.

    Returns
    -------
    float
        `n / effective_number`; nan where no weight is positive.
    """
    total = float(weights.sum())
    return float(weights.size * (weights @ weights)) / total**2 if total > 0 else math.nan


def effective_number(weights: Floats) -> float:
    """How many equally weighted ones are worth as much: (sum w)^2 / sum w^2."""
    return weights.size / design_effect(weights)
