"""Columns that come in pairs, one for each answer of a vote: lengths, headers, energy."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from caveat.data.schema import VOTES
from caveat.errors import InputError

_PARTS = re.compile(r"([_.\s-]+)")
_OPEN = "\0"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedColumn:
    """One property of both answers.

    Attributes
    ----------
    name : str
        The names of both columns without their sides.
    columns : tuple of (str, str)
        Column of the first and of the second answer.
    a, b : float arrays, shape (votes,)
        Values of both; nan where there is none.
    n_missing : int
        Rows in which a value is missing.
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
    a: NDArray[np.float64]
    b: NDArray[np.float64]
    n_missing: int
    constant: bool
    duplicate_of: str | None = None
    decides: bool = False

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
        a, b = (_floats(table.column(column)) for column in found[name])
        same = (p.name for p in pairs if _same(p.a, a) and _same(p.b, b))
        pairs.append(
            PairedColumn(
                name=name,
                columns=found[name],
                a=a,
                b=b,
                n_missing=int((np.isnan(a) | np.isnan(b)).sum()),
                constant=_is_constant(a - b),
                duplicate_of=next(same, None),
                decides=winner is not None and _decides(a - b, winner),
            )
        )
    return tuple(pairs)


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


def _floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    values = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.asarray(values, dtype=np.float64)


def _same(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    return bool(np.array_equal(one, other, equal_nan=True))


def _is_constant(difference: NDArray[np.float64]) -> bool:
    known = difference[~np.isnan(difference)]
    return not known.size or bool((known == known[0]).all())


def _winner(table: pa.Table) -> NDArray[np.int8] | None:
    """Return 1 where the first answer won, -1 where the second did, else 0."""
    if "outcome" not in table.column_names:
        return None
    outcome = table.column("outcome").cast(pa.string()).to_numpy(zero_copy_only=False)
    return np.asarray((outcome == "a").astype(np.int8) - (outcome == "b"), dtype=np.int8)


def _decides(difference: NDArray[np.float64], winner: NDArray[np.int8]) -> bool:
    cast = (winner != 0) & ~np.isnan(difference)
    leads = np.sign(difference[cast]) * winner[cast]
    return bool(leads.size and leads[0] and (leads == leads[0]).all())
