"""Cells of evidence as JSON of Every Eval Ever: typed fields where it has some, text elsewhere."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from caveat.data.encoding import is_text

_LARGEST_WHOLE = 2.0**53

Cells = list[Any]  # one value of any JSON type, or None, per row


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns of some rows as Python values.

    Attributes
    ----------
    length : int
    cells : dict of str to list
        Columns as JSON values.
    texts : dict of str to list of str or None
        The columns that go to `metadata`, as text from which `types` bring the value back.
    types : dict of str to str
    """

    length: int
    cells: dict[str, Cells] = field(default_factory=dict)
    texts: dict[str, list[str | None]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def column(self, name: str) -> Cells:
        """Return a column; null throughout where there is none."""
        if name not in self.cells:
            self.cells[name] = [None] * self.length
        return self.cells[name]


def as_text(column: pa.ChunkedArray) -> tuple[list[str | None], str]:
    """Return a column as text, and the name of the type that it had."""
    kind = column.type
    if is_text(kind) or pa.types.is_null(kind):
        return column.cast(pa.string()).to_pylist(), "text"
    if pa.types.is_floating(kind):
        column = pc.if_else(pc.is_nan(column), None, column).cast(pa.float64())
        return column.cast(pa.string()).to_pylist(), "double"
    if pa.types.is_integer(kind):
        return column.cast(pa.string()).to_pylist(), "int64"
    if pa.types.is_boolean(kind) or pa.types.is_timestamp(kind) or pa.types.is_date32(kind):
        return column.cast(pa.string()).to_pylist(), str(kind)
    return [None if v is None else str(v) for v in column.to_pylist()], "text"


def whole(column: pa.ChunkedArray, *, least: int) -> list[int | None] | None:
    """Return a column of whole numbers from `least` on; None where it holds anything else."""
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        return None
    values = np.asarray(column.cast(pa.float64()), dtype=float)
    known = ~np.isnan(values)
    some = values[known]
    if ((some < least) | (some > _LARGEST_WHOLE) | (some != np.floor(some))).any():
        return None
    return [int(v) if k else None for v, k in zip(values, known, strict=True)]


def numbers(column: pa.ChunkedArray) -> list[float | None]:
    """Return a column of numbers; NaN is null."""
    cells: list[float | None] = pc.if_else(pc.is_nan(column), None, column).to_pylist()
    return cells
