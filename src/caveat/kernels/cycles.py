"""Cycles of three: a beats b, b beats c, and c beats a.

Kendall and Babington Smith (1940), https://doi.org/10.1093/biomet/31.3-4.324.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Triples:
    """How many triples of models go round.

    Attributes
    ----------
    n : int
        Triples of which all three pairs met and none of them is even.
    n_cyclic : int
    zeta : float
        Kendall's coefficient of consistence: 1 without a cycle, 0 with as many as can be. Defined
        where every pair met and none is even; nan elsewhere, and for fewer than three models.
    """

    n: int
    n_cyclic: int
    zeta: float


def triples(ahead: Bools) -> Triples:
    """Count triples and cyclic ones.

    Parameters
    ----------
    ahead : bool array, shape (m, m)
        Whether i won more than half of its votes against j; both directions false where they never
        met or came out even.
    """
    m = ahead.shape[0]
    decided = ahead | ahead.T
    complete = m > 2 and bool(decided.sum() == m * (m - 1))
    found = n_cyclic(ahead)
    # Of a complete tournament at most this many triples go round.
    most = (m**3 - (m if m % 2 else 4 * m)) / 24
    return Triples(
        n=round(_closed(decided) / 6.0),
        n_cyclic=found,
        zeta=1.0 - found / most if complete else math.nan,
    )


def n_cyclic(ahead: Bools) -> int:
    """Count the cyclic triples."""
    return round(_closed(ahead) / 3.0)


def _closed(arcs: Bools) -> float:
    """Count closed walks of three steps."""
    ones = arcs.astype(np.float32)  # paths of two steps number at most m: exact
    return float(((ones @ ones) * ones.T).sum(dtype=np.float64))


def cyclic(ahead: Bools) -> Ints:
    """List the cyclic triples.

    Parameters
    ----------
    ahead : bool array, shape (m, m)

    Returns
    -------
    int array, shape (t, 3)
        Rows (i, j, k) with i before j, j before k, k before i; i has the smallest code.
    """
    found = []
    for i in range(ahead.shape[0] - 2):
        rest = slice(i + 1, None)
        closing = ahead[i, rest, None] & ahead[rest, rest] & ahead[rest, i][None, :]
        second, third = np.nonzero(closing)
        found.append(np.column_stack([np.full(second.size, i), second + i + 1, third + i + 1]))
    return np.concatenate(found) if found else np.zeros((0, 3), dtype=np.intp)
