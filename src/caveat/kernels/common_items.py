"""Items on which models can be compared fairly: those that all of them have."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]

SHARE = 0.5
"""Share of the items that must be common to all models; otherwise some models are left out."""


@dataclass(frozen=True, slots=True, eq=False)
class CommonItems:
    """Rows common to the columns that take part.

    Attributes
    ----------
    rows : bool array, shape (n,)
    columns : bool array, shape (m,)
        Those with a value in every one of the rows; none with fewer than two.
    """

    rows: Bools
    columns: Bools


def common_items(present: Bools, *, share: float = SHARE) -> CommonItems:
    """Find the rows that all columns have, or the largest sensible block of rows and columns.

    All columns take part where they share at least `share` of the rows that any column has.
    Otherwise columns are left out, those with the fewest values first (the later of two alike),
    until columns x rows is largest; columns that have all rows so found are taken in again.

    Parameters
    ----------
    present : bool array, shape (n, m)
    share : float
        In 0..1.
    """
    n, m = present.shape
    none = CommonItems(np.zeros(n, dtype=bool), np.zeros(m, dtype=bool))
    if m < 2:
        return none
    order = np.argsort(-present.sum(axis=0), kind="stable")
    shared = np.logical_and.accumulate(present[:, order], axis=1)
    common = shared.sum(axis=0)
    taken = m
    if common[-1] < share * present.any(axis=1).sum():
        cells = common[1:] * np.arange(2, m + 1)
        taken = m - int(np.argmax(cells[::-1]))  # the most columns among equals
    if not common[taken - 1]:
        return none
    rows = shared[:, taken - 1].copy()
    return CommonItems(rows, np.asarray(present[rows].all(axis=0)))
