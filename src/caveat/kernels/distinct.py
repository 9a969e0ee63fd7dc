"""Distinct values of many small numbers."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.intp]
_DENSE = 50_000_000


def numbered(values: Ints, size: int) -> tuple[Ints, Ints]:
    """Return the distinct values in order, and the place of each value among them.

    As `numpy.unique` with `return_inverse`, without sorting where the values are dense.

    Parameters
    ----------
    values : int array, shape (n,)
        From 0 up to below `size`.
    size : int
    """
    if size > _DENSE:
        found, place = np.unique(values, return_inverse=True)
        return found, place
    seen = np.zeros(size, dtype=bool)
    seen[values] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[values]
