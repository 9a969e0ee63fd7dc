"""Puts small chunks together: texts are looked up in as few chunks as possible."""

from collections.abc import Iterable, Iterator

import pyarrow as pa

from caveat.importers.record_batches import ROWS


def gathered(chunks: Iterable[tuple[int, pa.RecordBatch]]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield chunks of many rows; only neighbours of the same columns are put together.

    Chunks grow with what went before: looking up a chunk costs as much as all texts known so far.
    """
    held: list[pa.RecordBatch] = []
    first = rows = seen = 0
    for first_row, batch in chunks:
        follows = held and first_row == first + rows and batch.schema.equals(held[0].schema)
        if held and (not follows or rows + batch.num_rows > max(ROWS, seen // 2)):
            yield first, _one(held)
            seen += rows
            held = []
        if not held:
            first, rows = first_row, 0
        held.append(batch)
        rows += batch.num_rows
    if held:
        yield first, _one(held)


def _one(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    if len(batches) == 1:
        return batches[0]
    return pa.Table.from_batches(batches).combine_chunks().to_batches()[0]
