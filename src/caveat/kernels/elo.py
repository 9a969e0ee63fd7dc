"""Elo ratings, vote by vote, and over many orders of the same votes.

Notation: Elo (1978), "The Rating of Chessplayers, Past and Present". Before a vote the first model
is expected to score 1 / (1 + 10**((R_b - R_a) / 400)); after it R_a moves by K (score - expected)
and R_b by as much the other way. A tie scores a half. All models start at 1000.
"""

import math

import numpy as np
import numpy.typing as npt

from caveat.kernels._jit import compiled
from caveat.kernels.counts import SCORE_OF_A, VoteCells

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Copies = npt.NDArray[np.uint8]

START = 1000.0
PER_POINT = math.log(10.0) / 400.0
"""Log-odds per point."""
_BLOCK = 1024
"""Votes shuffled before they are played: far enough ahead for memory to keep up."""


def elo(
    a: Codes, b: Codes, outcome: Codes, *, n_models: int, k: float, copies: Copies | None = None
) -> Floats:
    """Rate models by their votes in the order given.

    Parameters
    ----------
    a, b, outcome : int array, shape (n,)
        Codes of the models (0 to `n_models` - 1) and of the outcome (0 a, 1 b, 2 or 3 tie).
    n_models : int
    k : float
        Points that a sure win of the other side would cost.
    copies : uint8 array, shape (n,), optional
        How often each vote is played; once where absent.

    Returns
    -------
    float array, shape (n_models,)
        Ratings in points after the last vote; their mean stays 1000.
    """
    rating = np.full(n_models, START)
    copies = np.ones(a.size, dtype=np.uint8) if copies is None else copies
    play(rating, a, b, SCORE_OF_A[outcome], copies, k)
    return rating


def elo_shuffled(cells: VoteCells, *, k: float, shuffles: int, rng: np.random.Generator) -> Floats:
    """Rate the votes of cells in random orders, without keeping any order.

    Parameters
    ----------
    cells : VoteCells
        Unweighted votes.
    k : float
    shuffles : int
        Orders, each drawn afresh.
    rng : Generator

    Returns
    -------
    float array, shape (shuffles, m)
    """
    order = np.repeat(np.arange(cells.a.size, dtype=np.int32), cells.count.astype(np.int64))
    ratings = np.full((shuffles, cells.n_models), START)
    a, b = cells.a.astype(np.int32), cells.b.astype(np.int32)
    for rating in ratings:
        play_shuffled(rating, order, a, b, cells.score, k, rng)
    return ratings


@compiled
def play(rating: Floats, a: Codes, b: Codes, score: Floats, copies: Copies, k: float) -> None:
    """Update `rating` vote by vote, each vote as often as `copies` says."""
    for vote in range(a.size):
        first, second = a[vote], b[vote]
        for _ in range(copies[vote]):
            expected = 1.0 / (1.0 + math.exp((rating[second] - rating[first]) * PER_POINT))
            change = k * (score[vote] - expected)
            rating[first] += change
            rating[second] -= change


@compiled
def play_shuffled(
    rating: Floats,
    order: Codes,
    a: Codes,
    b: Codes,
    score: Floats,
    k: float,
    rng: np.random.Generator,
) -> None:
    """Shuffle `order`, which holds the cell of each vote, and update `rating` on the way.

    The shuffle is that of Fisher and Yates. It starts from whatever order there is, so the array
    serves for one order after the other.
    """
    n = order.size
    drawn = np.empty(_BLOCK, dtype=np.int64)
    for start in range(0, n, _BLOCK):
        end = min(start + _BLOCK, n)
        for vote in range(start, end):
            drawn[vote - start] = vote + int(rng.random() * (n - vote))
        for vote in range(start, end):
            other = drawn[vote - start]
            cell = order[other]
            order[other] = order[vote]
            order[vote] = cell
        for vote in range(start, end):
            cell = order[vote]
            first, second = a[cell], b[cell]
            expected = 1.0 / (1.0 + math.exp((rating[second] - rating[first]) * PER_POINT))
            change = k * (score[cell] - expected)
            rating[first] += change
            rating[second] -= change
