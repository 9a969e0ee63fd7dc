"""Votes as a table of counts: everything about ratings depends on votes only through it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

N_OUTCOMES = 4
"""Outcomes in code order: a, b, tie, both bad."""
SCORE_OF_A = np.array([1.0, 0.0, 0.5, 0.5])
"""Score of the first model by outcome: both kinds of tie are half a win."""
_DENSE_CELLS = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class VoteCells:
    """Votes added up over equal (first model, second model, outcome).

    Attributes
    ----------
    n_models : int
    a, b, outcome : int array, shape (k,)
        Codes of each cell; sorted, each cell once, none empty.
    count : float array, shape (k,)
        Votes in the cell.
    weight, weight2 : float array, shape (k,)
        Sum of the votes' weights and of their squares; both equal `count` without weights.
    """

    n_models: int
    a: Codes
    b: Codes
    outcome: Codes
    count: Floats
    weight: Floats
    weight2: Floats

    @property
    def n_votes(self) -> float:
        """Votes in all cells."""
        return float(self.count.sum())

    @property
    def score(self) -> Floats:
        """Score of the first model in each cell."""
        return SCORE_OF_A[self.outcome]


class VoteCounter:
    """Adds votes up chunk by chunk, in memory that does not grow with their number."""

    def __init__(self, n_models: int) -> None:
        self._n = n_models
        self._dense = n_models * n_models * N_OUTCOMES <= _DENSE_CELLS
        size = n_models * n_models * N_OUTCOMES if self._dense else 0
        self._sums = np.zeros((3, size))
        self._keys: Codes = np.arange(size)

    def add(
        self,
        a: npt.NDArray[np.integer],
        b: npt.NDArray[np.integer],
        outcome: npt.NDArray[np.integer],
        *,
        count: Floats | None = None,
        weight: Floats | None = None,
    ) -> None:
        """Add votes.

        Parameters
        ----------
        a, b : int array, shape (n,)
            Codes of the models, 0 to `n_models` - 1.
        outcome : int array, shape (n,)
            0 a, 1 b, 2 tie, 3 both bad.
        count, weight : float array, shape (n,), optional
            Votes a row stands for, and the weight of each of them; 1 where absent.
        """
        key = a.astype(np.int64)
        key *= self._n
        key += b
        key *= N_OUTCOMES
        key += outcome
        keys, place = (self._keys, key) if self._dense else np.unique(key, return_inverse=True)
        size = keys.size
        plain = count is None and weight is None
        sums = np.empty((3, size))
        sums[0] = np.bincount(place, weights=count, minlength=size)
        if plain or weight is None:
            sums[1] = sums[2] = sums[0]
        else:
            votes = np.ones_like(weight) if count is None else count
            sums[1] = np.bincount(place, weights=votes * weight, minlength=size)
            sums[2] = np.bincount(place, weights=votes * weight**2, minlength=size)
        self._merge(keys, sums)

    def _merge(self, keys: Codes, sums: Floats) -> None:
        if self._dense:
            self._sums += sums
            return
        merged, place = np.unique(np.concatenate([self._keys, keys]), return_inverse=True)
        total = np.zeros((3, merged.size))
        for row, values in zip(total, np.hstack([self._sums, sums]), strict=True):
            row += np.bincount(place, weights=values, minlength=merged.size)
        self._keys, self._sums = merged, total

    def cells(self) -> VoteCells:
        """Return the cells that hold a vote."""
        used = np.flatnonzero(self._sums[0])
        pair, outcome = np.divmod(self._keys[used], N_OUTCOMES)
        a, b = np.divmod(pair, self._n)
        count, weight, weight2 = self._sums[:, used]
        return VoteCells(self._n, a, b, outcome, count, weight, weight2)


def win_matrix(cells: VoteCells, values: Floats) -> Floats:
    """Wins of row over column, ties as half, of cells that weigh `values`; shape (m, m)."""
    m = cells.n_models
    first = np.bincount(cells.a * m + cells.b, weights=values * cells.score, minlength=m * m)
    second = np.bincount(
        cells.b * m + cells.a, weights=values * (1.0 - cells.score), minlength=m * m
    )
    wins: Floats = (first + second).astype(np.float64).reshape(m, m)
    return wins
