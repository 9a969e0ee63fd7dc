"""Turns JSON objects into Arrow chunks; columns of mixed types become text."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import orjson
import pyarrow as pa

from caveat.importers._base import Dropped, TableStream

ROWS = 50_000
_FIRST = 1000


def batches(
    records: Iterable[tuple[int, dict[str, Any]]], unwanted: frozenset[str] = frozenset()
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield first row number and chunk; a chunk ends where row numbers jump."""
    rows: list[dict[str, Any]] = []
    first = 0
    for number, record in records:
        if rows and (number != first + len(rows) or len(rows) >= ROWS):
            yield first, _batch(rows, unwanted)
            rows = []
        if not rows:
            first = number
        rows.append(record)
    if rows:
        yield first, _batch(rows, unwanted)


def _batch(rows: list[dict[str, Any]], unwanted: frozenset[str]) -> pa.RecordBatch:
    names = _names(rows)
    chosen = [name for name in names if name not in unwanted]
    arrays = [array_of([row.get(name) for row in rows]) for name in chosen]
    if not arrays:
        return pa.RecordBatch.from_arrays([pa.nulls(len(rows))], names=["_"])
    return pa.RecordBatch.from_arrays(arrays, names=chosen)


def _names(rows: list[dict[str, Any]]) -> dict[str, None]:
    """Return the keys of all rows in the order in which they turn up."""
    names = dict.fromkeys(rows[0])
    known = names.keys()
    for row in rows:
        if row.keys() != known:
            names.update(dict.fromkeys(row))
    return names


def array_of(values: list[Any]) -> pa.Array:
    """Return one column; values of mixed types become text."""
    kinds = set(map(type, values)) - {type(None)}
    if kinds <= {int, float} or len(kinds) == 1:
        try:
            return pa.array(values, from_pandas=False)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            pass
    return pa.array([_text(value) for value in values], pa.string())


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (dict, list)):
        return orjson.dumps(value).decode()
    return str(value) if isinstance(value, (bool, int)) else repr(value)


def block_stream(
    blocks: Callable[[Dropped], Iterator[tuple[int, list[dict[str, Any]]]]],
) -> TableStream:
    """Return blocks of records as a table, a chunk for each."""
    names = first_names((first, record) for first, records in blocks(_ignore) for record in records)

    def chunks(
        wanted: tuple[str, ...] | None, dropped: Dropped, /
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        unwanted = frozenset(names) - frozenset(names if wanted is None else wanted)
        for first, records in blocks(dropped):
            yield first, _batch(records, unwanted)

    return TableStream(names=names, chunks=chunks)


def first_names(records: Iterable[tuple[int, dict[str, Any]]]) -> tuple[str, ...]:
    """Return the columns of the first records; others may turn up later."""
    first = islice(records, _FIRST)
    return tuple(dict.fromkeys(key for _, record in first for key in record))


def record_stream(
    records: Callable[[Dropped], Iterator[tuple[int, dict[str, Any]]]],
) -> TableStream:
    """Return records as a table; columns that turn up late are always read."""
    names = first_names(records(_ignore))

    def chunks(
        wanted: tuple[str, ...] | None, dropped: Dropped, /
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        unwanted = frozenset(names) - frozenset(names if wanted is None else wanted)
        return batches(records(dropped), unwanted)

    return TableStream(names=names, chunks=chunks)


def _ignore(_reason: str, _count: int, _example: str, /) -> None:
    """Rows are counted when they are read in earnest."""
