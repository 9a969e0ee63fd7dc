"""One whole number per row for the key of a row, and where rows share one."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_LARGEST = 2**62
_DENSE = 400_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Repeats:
    """Rows whose key an earlier row has: the row, and the first row of that key."""

    rows: NDArray[np.int64]
    firsts: NDArray[np.int64]


def codes_of(column: pa.ChunkedArray) -> NDArray[np.int64]:
    """Return equal numbers for equal cells; null is a value of its own, 0."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if column.num_chunks > 1:
        column = column.unify_dictionaries()
    parts = [_indices(chunk) for chunk in column.chunks]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _indices(chunk: pa.DictionaryArray) -> NDArray[np.int64]:
    if not chunk.null_count:
        return np.asarray(chunk.indices, dtype=np.int64) + 1
    return np.asarray(pc.fill_null(chunk.indices, -1), dtype=np.int64) + 1


def combine(columns: list[pa.ChunkedArray]) -> tuple[NDArray[np.int64], int]:
    """Return one number per row for all columns together, and a bound above all numbers."""
    key, bound = codes_of(columns[0]), 1
    bound = int(key.max(initial=0)) + 1
    for column in columns[1:]:
        codes = codes_of(column)
        size = int(codes.max(initial=0)) + 1
        if int(codes.min(initial=size)) == size - 1:
            continue  # one value in all rows tells nothing apart
        if bound * size > _LARGEST:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            bound = int(key.max(initial=0)) + 1
        key *= size
        key += codes
        bound *= size
    return key, bound


def repeats(key: NDArray[np.int64], bound: int) -> Repeats:
    """Find the rows whose key stood before; nothing is sorted unless there are some."""
    suspects = _suspects(key, bound)
    if not suspects.size:
        return Repeats(rows=suspects, firsts=suspects)
    _, firsts, groups = np.unique(key[suspects], return_index=True, return_inverse=True)
    first_of = suspects[firsts][groups]
    later = first_of != suspects
    return Repeats(rows=suspects[later], firsts=first_of[later])


def _suspects(key: NDArray[np.int64], bound: int) -> NDArray[np.int64]:
    """Return all rows whose key more than one row has, in order."""
    if bound <= _DENSE:
        seen = np.zeros(bound, dtype=bool)
        seen[key] = True
        if int(np.count_nonzero(seen)) == key.size:
            return np.zeros(0, np.int64)
    ordered = np.sort(key)
    shared = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if not shared.size:
        return np.zeros(0, np.int64)
    places = np.minimum(np.searchsorted(shared, key), shared.size - 1)
    return np.flatnonzero(shared[places] == key).astype(np.int64)
