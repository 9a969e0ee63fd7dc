"""Resample the votes of pairs of models.

A pair of one vote has no spread of its own, and a resample of all votes together would lose such
pairs and so change what is averaged. So each pair keeps its number of votes, unless that number
itself moves the ratings, and its outcomes are drawn from their shares mixed with one more vote that
is split as the whole board's: half of the decisive votes to either side. With many votes that is
the plain bootstrap within pairs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from caveat.kernels.counts import VoteCells

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]

PRIOR_VOTES = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Pairs that met; columns of `count` and `weight` are wins of low, of high, and ties."""

    low: Codes
    high: Codes
    count: Floats
    weight: Floats
    weight2: Floats


def resampled_wins(
    cells: VoteCells,
    *,
    replicates: int,
    rng: np.random.Generator,
    meetings: Literal["kept", "drawn"] = "kept",
) -> Iterator[Floats]:
    """Yield matrices of (weighted) wins, ties as half; each of shape (m, m).

    A cell whose votes have different weights draws the sum of its weights from a gamma
    distribution of the right mean and variance; with equal weights the sum is exact.

    Parameters
    ----------
    cells : VoteCells
    replicates : int
    rng : Generator
    meetings : str
        Whether each pair keeps its number of votes, or these numbers are drawn, too.
    """
    pairs = _merge(cells)
    total = pairs.count.sum(axis=1)
    tie = float(pairs.count[:, 2].sum() / total.sum())
    prior = PRIOR_VOTES * np.array([(1.0 - tie) / 2.0, (1.0 - tie) / 2.0, tie])
    chance = (pairs.count + prior) / (total + PRIOR_VOTES)[:, None]
    mean, spread = _weights(pairs)
    m = cells.n_models
    for _ in range(replicates):
        met = np.rint(total).astype(np.int64)
        if meetings == "drawn":
            met = rng.multinomial(met.sum(), total / total.sum())
        drawn = rng.multinomial(met, chance).astype(np.float64)
        weight = _summed_weights(drawn, mean, spread, rng)
        wins = np.zeros((m, m))
        wins[pairs.low, pairs.high] = weight[:, 0] + weight[:, 2] / 2.0
        wins[pairs.high, pairs.low] = weight[:, 1] + weight[:, 2] / 2.0
        yield wins


def _merge(cells: VoteCells) -> _Pairs:
    m = cells.n_models
    low, high = np.minimum(cells.a, cells.b), np.maximum(cells.a, cells.b)
    keys, place = np.unique(low * m + high, return_inverse=True)
    first_won = (cells.outcome == 0) == (cells.a < cells.b)
    column = np.where(cells.outcome >= 2, 2, np.where(first_won, 0, 1))

    def summed(values: Floats) -> Floats:
        sums: Floats = np.zeros((keys.size, 3))
        np.add.at(sums, (place, column), values)
        return sums

    return _Pairs(
        keys // m, keys % m, summed(cells.count), summed(cells.weight), summed(cells.weight2)
    )


def _weights(pairs: _Pairs) -> tuple[Floats, Floats]:
    """Mean and variance of the weight of one vote; an outcome nobody voted has its pair's mean."""
    usual = pairs.weight.sum(axis=1, keepdims=True) / pairs.count.sum(axis=1, keepdims=True)
    seen = pairs.count > 0
    number = np.where(seen, pairs.count, 1.0)
    mean = np.where(seen, pairs.weight / number, usual)
    spread = np.where(seen, pairs.weight2 / number - mean**2, 0.0)
    # Rounding leaves about 1e-16 of the squares where all weights are equal.
    return mean, np.where(spread > 1e-9 * mean**2, spread, 0.0)


def _summed_weights(
    drawn: Floats, mean: Floats, spread: Floats, rng: np.random.Generator
) -> Floats:
    summed = drawn * mean
    uneven = (spread > 0) & (drawn > 0)
    if uneven.any():
        scale = spread[uneven] / mean[uneven]
        summed[uneven] = rng.gamma(summed[uneven] / scale, scale)
    return summed
