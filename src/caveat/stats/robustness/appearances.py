"""Which models were shown, how often, and on which days."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.evidence import Evidence
from caveat.data.matrix import codes, floats
from caveat.data.times import read_times
from caveat.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_DAY = 86_400
NEVER = -(2**31)
"""Day of a vote without a time."""
MOST_CELLS = 100_000_000
"""Cells of models by days that are held in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Appearances:
    """Votes by model and day.

    Attributes
    ----------
    models : tuple of str
        All m models that any vote names.
    a, b : int array, shape (n,)
        Codes of the models of each row.
    count : float array, shape (n,)
        Votes of each row.
    day : int array, shape (n,), or None
        Day since 1970 in UTC, `NEVER` without a time; None where no vote has one.
    """

    models: tuple[str, ...]
    a: Ints
    b: Ints
    count: Floats
    day: Ints | None

    @property
    def n_votes(self) -> float:
        """All votes."""
        return float(self.count.sum())

    @property
    def undated(self) -> float:
        """Votes without a time."""
        if self.day is None:
            return self.n_votes
        return float(self.count[self.day == NEVER].sum())

    def by_model(self) -> Floats:
        """Votes each model took part in; shape (m,)."""
        return self._of(self.count)

    def _of(self, count: Floats) -> Floats:
        m = len(self.models)
        both = np.bincount(self.a, count, m) + np.bincount(self.b, count, m)
        return np.asarray(both, dtype=np.float64)

    def daily(self) -> "Daily | None":
        """Votes by model and day; None where no vote has a time.

        Raises
        ------
        InputError
            If models by days are too many to be held in memory.
        """
        if self.day is None:
            return None
        dated = self.day != NEVER
        days, column = np.unique(self.day[dated], return_inverse=True)
        m = len(self.models)
        if m * days.size > MOST_CELLS:
            raise InputError(
                f"votes of {m:,} models must fall on at most {MOST_CELLS // m:,} days, "
                f"got {days.size:,}"
            )
        shown: Floats = np.zeros((m, days.size))
        for side in (self.a, self.b):
            cell = side[dated] * days.size + column
            shown += np.bincount(cell, self.count[dated], shown.size).reshape(shown.shape)
        some = shown.any(axis=1)
        first = np.where(some, (shown > 0).argmax(axis=1), -1)
        last = np.where(some, days.size - 1 - (shown[:, ::-1] > 0).argmax(axis=1), -1)
        return Daily(days, shown, first, last)


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
    """Read who was shown when.

    Parameters
    ----------
    votes : Evidence
        Votes.

    Raises
    ------
    InputError
        If the column of times holds something else.
    """
    table = votes.table
    a, names = codes(table, "model_a")
    b, others = codes(table, "model_b")
    place = {name: code for code, name in enumerate(dict.fromkeys((*names, *others)))}
    into = (np.array([place[n] for n in side], dtype=np.int64) for side in (names, others))
    first, second = (lookup[code] for lookup, code in zip(into, (a, b), strict=True))
    count = floats(table, "count") if "count" in table.column_names else np.ones(table.num_rows)
    return Appearances(
        tuple(place), first, second, np.where(np.isnan(count), 1.0, count), _days(table)
    )


def _days(table: "pa.Table") -> Ints | None:
    if "at" not in table.column_names or table["at"].null_count == table.num_rows:
        return None
    seconds = read_times(table["at"]).seconds
    known = np.isfinite(seconds)
    if not known.any():
        return None
    return np.where(known, np.floor_divide(np.where(known, seconds, 0.0), _DAY), NEVER).astype(
        np.int64
    )
