"""Columns that come in pairs, one for each answer of a vote: lengths, headers, energy."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from caveat.data.column_arrays import codes
from caveat.data.schema import VOTES
from caveat.errors import InputError

_PARTS = re.compile(r"([_.\s-]+)")
_OPEN = "\0"
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedColumn:
    """One property of both answers.

    Attributes
    ----------
    name : str
        The names of both columns without their sides.
    columns : tuple of (str, str)
        Column of the first and of the second answer.
    table : pyarrow.Table
        With these two columns.
    n_missing : int
        Rows in which a value is missing.
    least : float
        Smallest value of either answer; nan where there is none.
    constant : bool
        Whether the difference is the same in all rows where it is known: no vote can tell what it
        is worth.
    duplicate_of : str or None
        Name of an earlier pair with the very same values.
    decides : bool
        Whether in every vote for one side that side has the more, or in every one the less: goals,
        or the scores that the votes were made of. It is the vote in other words, no style.
    """

    name: str
    columns: tuple[str, str]
    table: pa.Table
    n_missing: int
    least: float
    constant: bool
    duplicate_of: str | None = None
    decides: bool = False

    @property
    def a(self) -> NDArray[np.float64]:
        """Values of the first answer, nan where there is none; shape (votes,)."""
        return _floats(self.table.column(self.columns[0]))

    @property
    def b(self) -> NDArray[np.float64]:
        """Values of the second answer, nan where there is none; shape (votes,)."""
        return _floats(self.table.column(self.columns[1]))

    def blocks(self) -> Iterator[tuple[slice, NDArray[np.float64], NDArray[np.float64]]]:
        """Yield rows and values of both answers, so few at once that they stay in the cache."""
        start = 0
        for batch in self.table.to_batches(max_chunksize=_BLOCK):
            first, second = (_floats(batch.column(name)) for name in self.columns)
            yield slice(start, start + first.size), first, second
            start += first.size

    @property
    def usable(self) -> bool:
        """Whether a model can learn from it what the property is worth."""
        return not (self.constant or self.decides or self.duplicate_of)


def paired_columns(
    table: pa.Table, *, names: tuple[str, ...] | None = None
) -> tuple[PairedColumn, ...]:
    """Find the pairs of numeric columns among the extra columns of votes.

    Two columns are a pair if their names are the same but for one part that is `a` in the first
    and `b` in the second, whatever its case: `chars_a` and `chars_b`, `a_chars`, `chars_model_a`,
    `model_a_chars`, `total_conv_a_kwh`. Parts lie between underscores, points, hyphens or blanks.
    True and false are 1 and 0.

    Parameters
    ----------
    table : pyarrow.Table
        Votes.
    names : tuple of str, optional
        Pairs to return, in this order; all by default, in the order of the table.

    Returns
    -------
    tuple of PairedColumn

    Raises
    ------
    InputError
        When there is no such pair.

    Examples
    --------
    >>> votes = pa.table({"chars_a": [10, 20], "chars_b": [30, 20], "note": ["x", "y"]})
    >>> [(pair.name, pair.columns) for pair in paired_columns(votes)]
    [('chars', ('chars_a', 'chars_b'))]
    """
    found = _pairs(table)
    wanted = tuple(found) if names is None else names
    for name in wanted:
        if name not in found:
            listed = ", ".join(found) or "none"
            raise InputError(f"names must be pairs of columns ({listed}), got {name!r}")
    winner = _winner(table)
    pairs: list[PairedColumn] = []
    for name in wanted:
        pair = _looked_at(name, found[name], table, winner)
        same = (p.name for p in pairs if _same(p, pair))
        pairs.append(replace(pair, duplicate_of=next(same, None)))
    return tuple(pairs)


def _looked_at(
    name: str, columns: tuple[str, str], table: pa.Table, winner: NDArray[np.int8] | None
) -> PairedColumn:
    """Look at every row once."""
    pair = PairedColumn(
        name=name,
        columns=columns,
        table=table.select(list(columns)),
        n_missing=0,
        least=float("nan"),
        constant=True,
    )
    missing, least = 0, np.inf
    differences, leads = _Range(), _Range()
    for rows, a, b in pair.blocks():
        difference = a - b
        missing += int(np.isnan(difference).sum())
        least = min(least, np.fmin.reduce(a, initial=np.inf), np.fmin.reduce(b, initial=np.inf))
        differences.add(difference)
        if winner is not None and leads.open:
            cast = winner[rows]
            leads.add((np.sign(difference) * cast)[cast != 0])
    return replace(
        pair,
        n_missing=missing,
        least=float(least) if np.isfinite(least) else float("nan"),
        constant=differences.low >= differences.high,
        decides=leads.seen and leads.low == leads.high != 0.0,
    )


class _Range:
    """Smallest and largest of what is not missing."""

    def __init__(self) -> None:
        self.low, self.high = np.inf, -np.inf

    def add(self, values: NDArray[np.float64]) -> None:
        """Take more values in."""
        self.low = min(self.low, float(np.fmin.reduce(values, initial=np.inf)))
        self.high = max(self.high, float(np.fmax.reduce(values, initial=-np.inf)))

    @property
    def seen(self) -> bool:
        """Whether there was any value."""
        return bool(self.low <= self.high)

    @property
    def open(self) -> bool:
        """Whether the values may still be all the same."""
        return bool(self.low >= self.high)


def _pairs(table: pa.Table) -> dict[str, tuple[str, str]]:
    """Return the pairs by name, in the order in which their first column stands."""
    numeric = [f.name for f in table.schema if _is_numeric(f.type) and f.name not in VOTES.names]
    seconds: dict[str, str] = {}
    for name in numeric:
        for opened, _ in _opened(name, "b"):
            seconds.setdefault(opened, name)
    found: dict[str, tuple[str, str]] = {}
    used: set[str] = set()
    for first in numeric:
        for opened, short in _opened(first, "a"):
            second = seconds.get(opened)
            if second is not None and not {first, second} & used:
                used |= {first, second}
                found[first if short in found else short] = (first, second)
    return found


def _opened(name: str, side: str) -> Iterator[tuple[str, str]]:
    """Yield the name with one part of this side left open, and without it; last parts first."""
    parts = _PARTS.split(name)
    for place in reversed(range(0, len(parts), 2)):
        if parts[place].lower() == side and len(parts) > 1:
            yield "".join((*parts[:place], _OPEN, *parts[place + 1 :])), _short(parts, place)


def _short(parts: list[str], place: int) -> str:
    before, after = parts[:place], parts[place + 1 :]
    if len(before) > 1 and before[-2].lower() == "model":
        before = before[:-2]
    return "".join(before + after[1:] if after else before[:-1])


def _is_numeric(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    )


def _floats(column: pa.ChunkedArray | pa.Array) -> NDArray[np.float64]:
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    # NumPy converts a few times quicker than Arrow casts; a null becomes nan in either.
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _same(one: PairedColumn, other: PairedColumn) -> bool:
    """Whether two pairs hold the same values; one block tells of nearly all that they do not."""
    both = zip(one.blocks(), other.blocks(), strict=True)
    return all(
        np.array_equal(a, c, equal_nan=True) and np.array_equal(b, d, equal_nan=True)
        for (_, a, b), (_, c, d) in both
    )


def _winner(table: pa.Table) -> NDArray[np.int8] | None:
    """Return 1 where the first answer won, -1 where the second did, else 0."""
    if "outcome" not in table.column_names:
        return None
    code, labels = codes(table, "outcome")
    side = {"a": 1, "b": -1}
    return np.array([*(side.get(label, 0) for label in labels), 0], dtype=np.int8)[code]
