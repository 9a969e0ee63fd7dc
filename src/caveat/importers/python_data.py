"""Tables out of plain Python: columns in a mapping, rows in a list of mappings."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import pyarrow as pa

from caveat.errors import InputError
from caveat.importers.record_batches import array_of


def table_of_columns(columns: Mapping[Any, Any]) -> pa.Table:
    """Return a table from column names to sequences of cells.

    Raises
    ------
    InputError
        When a column is no sequence, or the columns differ in length.
    """
    arrays = {_name(name): _column(name, cells) for name, cells in columns.items()}
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name!r}: {length}" for name, length in lengths.items())
        raise InputError(f"columns must be of one length, got {told}")
    return pa.table(arrays)


def table_of_records(records: Sequence[Mapping[Any, Any]]) -> pa.Table:
    """Return a table from rows; a key that a row lacks is missing there."""
    names = dict.fromkeys(chain.from_iterable(records))
    return pa.table(
        {_name(name): _array(name, [row.get(name) for row in records]) for name in names}
    )


def is_record(value: object) -> bool:
    """Whether a value is one row: a mapping that holds single values, not sequences of cells."""
    return isinstance(value, Mapping) and any(_is_scalar(cell) for cell in value.values())


def _column(name: object, cells: object) -> pa.Array | pa.ChunkedArray:
    if isinstance(cells, (pa.Array, pa.ChunkedArray)):
        return cells
    if _is_scalar(cells) or isinstance(cells, Mapping) or not isinstance(cells, Iterable):
        raise InputError(
            f"column {name!r} must be a sequence of cells, got {type(cells).__name__} "
            f"{str(cells)[:60]!a}"
        )
    try:
        return pa.array(cells)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return _array(name, list(cells))


def _array(name: object, cells: list[object]) -> pa.Array:
    try:
        return array_of([_plain(cell) for cell in cells])
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"column {name!r} must hold single values ({error})") from error


def _plain(cell: object) -> object:
    """Return a number of numpy as one of Python, and the empty cells of pandas as None."""
    if type(cell).__name__ in ("NAType", "NaTType"):
        return None
    item = getattr(cell, "item", None)
    return item() if callable(item) and getattr(cell, "shape", None) == () else cell


def _is_scalar(value: object) -> bool:
    if isinstance(value, (str, bytes)) or value is None:
        return True
    return not isinstance(value, (Iterable, Mapping)) and not hasattr(value, "__arrow_c_array__")


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise InputError(f"column names must be text, got {name!r}")
    return name
