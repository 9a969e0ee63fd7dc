"""The fewest items, tasks or clusters without which a lead is gone, where a score is a mean.

The sign of a mean is the sign of its sum. Of all sets of k units, the k with the largest
differences leave the smallest sum, so that filling from the top is exact: no fewer units do.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NONE = -1
"""No removal does it."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Fewest:
    """How many units have to go, for each column.

    Attributes
    ----------
    turned : int array, shape (m,)
        Until the sum is below zero; 0 where it is already, `NONE` where nothing does it.
    level : int array, shape (m,)
        Until it is not above zero any more, with a unit left.
    """

    turned: Ints
    level: Ints


def fewest_units(difference: Floats, *, present: npt.NDArray[np.bool_] | None = None) -> Fewest:
    """Count units to remove until the sum of a column is below zero.

    Parameters
    ----------
    difference : float array, shape (units, m)
        What each unit adds to the lead.
    present : bool array, shape (units, m), optional
        Units that a column has; all by default.

    Returns
    -------
    Fewest

    Examples
    --------
    Four items won and two lost: three have to go.

    >>> fewest_units(np.array([[1.0], [1], [1], [1], [-1], [-1]])).turned.tolist()
    [3]
    """
    units, m = difference.shape
    there = np.ones((units, m), dtype=bool) if present is None else present
    value = np.where(there, difference, 0.0)
    own = there.sum(axis=0)
    left = value.sum(axis=0)
    slack = ROUNDING * np.maximum(np.abs(value).sum(axis=0), ROUNDING)
    ordered = -np.sort(-value, axis=0)
    # rest[k]: what is left without the k largest
    rest = np.concatenate([left[None, :], left - np.cumsum(ordered, axis=0)])
    below, gone = rest < -slack, rest <= slack
    turned = np.where(below.any(axis=0), below.argmax(axis=0), NONE)
    level = np.where(gone.any(axis=0), gone.argmax(axis=0), NONE)
    return Fewest(turned, np.where(level < own, level, NONE))


def largest_first(difference: Floats) -> Ints:
    """Units in the order in which they go; of equal ones the first."""
    return np.argsort(-difference, kind="stable")


def worth_as_much(difference: Floats, number: int) -> int:
    """Units that could stand for the last of the `number` largest: worth as much, or more."""
    if not number:
        return 0
    last = np.partition(-difference, number - 1)[number - 1]
    return int((-difference <= last + ROUNDING).sum())
