"""Long texts of a table: kept as their beginning, length and digest, so that memory is bounded."""

import pyarrow as pa
import pyarrow.compute as pc

from caveat.data.encoding import is_text
from caveat.data.schema import Schema
from caveat.importers.answer_texts import LONGEST, answer_text


def with_short_texts(batch: pa.RecordBatch, schema: Schema) -> tuple[pa.RecordBatch, list[str]]:
    """Return a chunk with canonical names, its long texts shortened, and the columns they are in.

    Names and ids stay as they are. Two texts that were the same are the same afterwards.
    """
    found: list[str] = []
    arrays: list[pa.Array] = []
    for name, array in zip(batch.schema.names, batch.columns, strict=True):
        column = schema.column(name)
        if (column is None or column.cell == "text") and is_text(array.type):
            short = _short(array)
            if short is not array:
                found.append(name)
                array = short
        arrays.append(array)
    if not found:
        return batch, []
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names), found


def _short(array: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(array.type):
        values = _short(array.dictionary)
        if values is array.dictionary:
            return array
        return pa.DictionaryArray.from_arrays(array.indices, values)
    if array.nbytes <= LONGEST:
        return array
    long = pc.fill_null(pc.greater(pc.binary_length(array), LONGEST), False)  # noqa: FBT003 - Arrow
    texts = array.filter(long).to_pylist()
    if not texts:
        return array
    shortened = pa.array([answer_text(text) for text in texts], array.type)
    return pc.replace_with_mask(array, long, shortened)
