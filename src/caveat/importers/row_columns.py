"""Builds Arrow chunks of rows column by column; what is the same in all rows costs nothing."""

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from caveat.importers.record_batches import ROWS, array_of

Row = tuple[Any, ...]


def row_batches(
    rows: Iterator[Row], *, names: tuple[str, ...], constants: Mapping[str, str | None]
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield first row number, from 1, and chunk.

    Parameters
    ----------
    rows
        Values in the order of `names`.
    names
        Columns that vary.
    constants
        Columns that do not, with their value; those that are None are left out.
    """
    first = 1
    chunk: list[Row] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == ROWS:
            yield first, _batch(chunk, names, constants)
            first += ROWS
            chunk = []
    if chunk:
        yield first, _batch(chunk, names, constants)


def _batch(
    rows: list[Row], names: tuple[str, ...], constants: Mapping[str, str | None]
) -> pa.RecordBatch:
    arrays = [array_of(list(values)) for values in zip(*rows, strict=True)]
    fixed = {name: value for name, value in constants.items() if value is not None}
    arrays += [_repeated(value, len(rows)) for value in fixed.values()]
    return pa.RecordBatch.from_arrays(arrays, names=[*names, *fixed])


def _repeated(value: str, count: int) -> pa.DictionaryArray:
    zeros = pa.repeat(pa.scalar(0, pa.int32()), count)
    return pa.DictionaryArray.from_arrays(zeros, pa.array([value], pa.string()))
