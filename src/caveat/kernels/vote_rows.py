"""Votes one by one, as a fit with covariates reads them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.paired import Units

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]

BLOCK = 1 << 15
"""Rows a scan holds at once: its temporary arrays then stay in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class VoteRows:
    """Votes one by one.

    Attributes
    ----------
    n_models : int
    first, second : int array, shape (q,)
        Models of each pair that met in this order.
    pair : int array, shape (n,)
        Pair of each row.
    outcome : int array, shape (n,)
        0 a, 1 b, 2 or 3 tie.
    covariates : float array, shape (k, n)
        Each of a size near 1.
    count : float array, shape (n,), or None
        Votes each row stands for; None for 1.
    weight, weight2 : float array, shape (n,), or None
        Sum of their weights, and of their squared weights; None for 1.
    """

    n_models: int
    first: Codes
    second: Codes
    pair: Codes
    outcome: Codes
    covariates: Floats
    count: Floats | None = None
    weight: Floats | None = None
    weight2: Floats | None = None

    @property
    def n_rows(self) -> int:
        """Rows."""
        return int(self.pair.size)

    def blocks(self) -> Iterator[slice]:
        """Rows to take at once."""
        for start in range(0, self.n_rows, BLOCK):
            yield slice(start, start + BLOCK)

    @property
    def votes_of_models(self) -> Floats:
        """Votes of each model; shape (n_models,)."""
        number = np.bincount(self.pair, weights=self.count, minlength=self.first.size)
        sides = (self.first, self.second)
        ahead, behind = (
            np.bincount(side, weights=number, minlength=self.n_models) for side in sides
        )
        return np.asarray(ahead + behind, dtype=np.float64)


def vote_rows(
    a: Codes,
    b: Codes,
    outcome: Codes,
    *,
    n_models: int,
    covariates: Floats,
    count: Floats | None = None,
    weight: Floats | None = None,
) -> VoteRows:
    """Arrange votes for `fit`.

    Parameters
    ----------
    a, b, outcome : int array, shape (n,)
    n_models : int
    covariates : float array, shape (k, n)
    count, weight : float array, shape (n,), optional
        Votes a row stands for, and the weight of each; 1 where absent.
    """
    key = a.astype(np.int64)
    key *= n_models
    key += b
    met = np.zeros(n_models * n_models, dtype=bool)
    met[key] = True
    pairs = np.flatnonzero(met)
    place = np.zeros(met.size, dtype=np.int32)
    place[pairs] = np.arange(pairs.size, dtype=np.int32)
    plain = count is None and weight is None
    votes = np.ones(1) if count is None else count
    each = np.ones(1) if weight is None else weight
    return VoteRows(
        n_models=n_models,
        first=pairs // n_models,
        second=pairs % n_models,
        pair=place[key],
        outcome=outcome,
        covariates=np.ascontiguousarray(covariates),
        count=count,
        weight=None if plain else votes * each,
        weight2=None if plain else votes * each**2,
    )


def units_of_rows(rows: VoteRows) -> Units:
    """Votes of each pair, without their covariates."""
    q = rows.first.size
    column = np.minimum(rows.outcome, 2)
    key = rows.pair * np.int64(3) + column
    count = np.bincount(key, weights=rows.weight, minlength=3 * q).astype(np.float64)
    wins, losses, tied = count.reshape(q, 3).T
    return Units(rows.n_models, rows.first, rows.second, wins, losses, tied, np.ones((q, 0)))
