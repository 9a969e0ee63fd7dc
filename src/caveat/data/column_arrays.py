"""Columns of a table of evidence as arrays."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


def codes(table: "pa.Table", column: str) -> tuple[Ints, tuple[str, ...]]:
    """Codes of a text column, -1 for null, numbered over the values that occur; and the values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    array = table[column].combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], pa.string())
    if not pa.types.is_dictionary(array.type):
        array = pc.dictionary_encode(array.cast(pa.string()))
    raw = array.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    used = np.zeros(len(array.dictionary) + 1, dtype=bool)
    used[raw] = True
    used[-1] = False
    renumber = np.cumsum(used, dtype=np.int32) - 1
    renumber[-1] = -1
    values = array.dictionary.filter(pa.array(used[:-1]))
    return renumber[raw], tuple(values.to_pylist())


def floats(table: "pa.Table", column: str) -> Floats:
    """Numbers of a column, nan for null or an absent column."""
    import pyarrow as pa

    if column not in table.column_names:
        return np.full(table.num_rows, np.nan)
    values = table[column].cast(pa.float64()).to_numpy()
    return np.asarray(values, dtype=np.float64)
