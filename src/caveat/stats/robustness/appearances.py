"""Which models were shown, how often, and on which days."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes, floats
from caveat.data.evidence import Evidence
from caveat.data.times import read_times
from caveat.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_DAY = 86_400
MOST_CELLS = 100_000_000
"""Cells of models by days that are held in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Appearances:
    """Votes by model and day.

    Attributes
    ----------
    models : tuple of str
        All m models that any vote names.
    number : float array, shape (m,)
        Votes each of them took part in.
    n_votes, undated : float
        All votes, and those without a time.
    daily : Daily or None
        None where no vote has a time.
    """

    models: tuple[str, ...]
    number: Floats
    n_votes: float
    undated: float
    daily: "Daily | None"


@dataclass(frozen=True, slots=True, eq=False)
class Daily:
    """Votes by model and day; days without a vote are left out.

    Attributes
    ----------
    days : int array, shape (d,)
        Since 1970, ascending.
    shown : float array, shape (m, d)
        Votes each model took part in.
    first, last : int array, shape (m,)
        Columns of each model's first and last vote, -1 without any.
    """

    days: Ints
    shown: Floats
    first: Ints
    last: Ints

    @property
    def votes(self) -> Floats:
        """Votes of each day; shape (d,)."""
        return np.asarray(self.shown.sum(axis=0) / 2.0, dtype=np.float64)

    @property
    def span(self) -> int:
        """Days from the first vote to the last, both included."""
        return int(self.days[-1] - self.days[0]) + 1

    @property
    def length(self) -> Ints:
        """Days from each model's first vote to its last, both included; 0 without any."""
        return np.where(self.first < 0, 0, self.days[self.last] - self.days[self.first] + 1)

    @property
    def there(self) -> npt.NDArray[np.bool_]:
        """Whether a model was on the board: from its first vote to its last; shape (m, d)."""
        column = np.arange(self.days.size)
        first, last = self.first[:, None], self.last[:, None]
        return np.asarray((column >= first) & (column <= last) & (first >= 0))

    def date(self, column: int) -> str:
        """Write a day as ISO 8601."""
        return iso(int(self.days[column]))


def iso(day: int) -> str:
    """Write a day since 1970 as ISO 8601."""
    return datetime.fromtimestamp(day * _DAY, tz=UTC).date().isoformat()


def appearances(votes: Evidence) -> Appearances:
    """Count who was shown on which day.

    Parameters
    ----------
    votes : Evidence
        Votes.

    Raises
    ------
    InputError
        If the column of times holds something else, or models by days are too many to be held in
        memory.
    """
    table = votes.table
    a, names = codes(table, "model_a")
    b, others = codes(table, "model_b")
    place = {name: code for code, name in enumerate(dict.fromkeys((*names, *others)))}
    into = (np.array([place[n] for n in side], dtype=np.int64) for side in (names, others))
    first, second = (lookup[code] for lookup, code in zip(into, (a, b), strict=True))
    count = None
    if "count" in table.column_names:
        values = floats(table, "count")
        count = np.where(np.isnan(values), 1.0, values)
    m = len(place)
    number = np.bincount(first, count, m) + np.bincount(second, count, m)
    total = float(number.sum()) / 2.0
    daily = _daily(m, (first, second), count, _days(table))
    dated = 0.0 if daily is None else float(daily.shown.sum()) / 2.0
    return Appearances(tuple(place), np.asarray(number, np.float64), total, total - dated, daily)


def _days(table: "pa.Table") -> Floats | None:
    """Day of each row since 1970 in UTC, nan without a time; None where no row has one."""
    if "at" not in table.column_names or table["at"].null_count == table.num_rows:
        return None
    seconds = read_times(table["at"]).seconds
    return np.floor_divide(seconds, _DAY) if np.isfinite(seconds).any() else None


def _daily(
    m: int, sides: tuple[Ints, Ints], count: Floats | None, day: Floats | None
) -> "Daily | None":
    if day is None:
        return None
    dated = np.isfinite(day)
    if not dated.all():
        sides, day = (sides[0][dated], sides[1][dated]), day[dated]
        count = None if count is None else count[dated]
    start = int(day.min())
    offset = (day - start).astype(np.int64)
    used = np.flatnonzero(np.bincount(offset))
    if m * used.size > MOST_CELLS:
        raise InputError(
            f"votes of {m:,} models must fall on at most {MOST_CELLS // m:,} days, "
            f"got {used.size:,}"
        )
    column = np.zeros(used[-1] + 1, dtype=np.int64)
    column[used] = np.arange(used.size)
    cell = column[offset]
    shown: Floats = np.zeros((m, used.size))
    for side in sides:
        shown += np.bincount(side * used.size + cell, count, shown.size).reshape(shown.shape)
    some = shown.any(axis=1)
    first = np.where(some, (shown > 0).argmax(axis=1), -1)
    last = np.where(some, used.size - 1 - (shown[:, ::-1] > 0).argmax(axis=1), -1)
    return Daily(start + used, shown, first, last)
