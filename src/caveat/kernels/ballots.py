"""Votes by voter and by cell of counts."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class Ballots:
    """How the votes of g voters fall on k cells, and those of nobody in particular.

    Attributes
    ----------
    count, weight, weight2 : sparse array, shape (g, k)
        Votes of each voter in each cell, the sum of their weights and of the squares of these.
    single, single_weight, single_weight2 : float array, shape (k,)
        The same of votes without a voter.
    """

    count: csr_array
    weight: csr_array
    weight2: csr_array
    single: Floats
    single_weight: Floats
    single_weight2: Floats

    @property
    def cast(self) -> Floats:
        """Votes of each voter; shape (g,)."""
        return np.asarray(self.count.sum(axis=1), dtype=np.float64)


def ballots(
    voter: Codes,
    cell: Codes,
    *,
    n_voters: int,
    n_cells: int,
    count: Floats | None = None,
    weight: Floats | None = None,
) -> Ballots:
    """Add votes up by voter and cell.

    Parameters
    ----------
    voter, cell : int array, shape (n,)
        Codes; -1 for votes without a voter.
    n_voters, n_cells : int
    count, weight : float array, shape (n,), optional
        Identical votes a row stands for, and the weight of each of them; 1 where absent.
    """
    named = voter >= 0
    each = np.ones(voter.size) if count is None else count

    def by_voter(values: Floats) -> csr_array:
        made = csr_array((values[named], (voter[named], cell[named])), shape=(n_voters, n_cells))
        made.sum_duplicates()
        return made

    def alone(values: Floats) -> Floats:
        total = np.bincount(cell[~named], weights=values[~named], minlength=n_cells)
        return np.asarray(total, dtype=np.float64)

    whole, rest = by_voter(each), alone(each)
    if weight is None:
        return Ballots(whole, whole, whole, rest, rest, rest)
    once, twice = each * weight, each * weight**2
    return Ballots(whole, by_voter(once), by_voter(twice), rest, alone(once), alone(twice))
