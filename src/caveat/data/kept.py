"""Cells kept as they are: `any` columns and the extra columns of a source."""

import pyarrow as pa
import pyarrow.compute as pc

from caveat.data.cells import Cells
from caveat.data.coder import BYTE_ORDER_MARK
from caveat.data.encoding import encode, is_text

_WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"
_DECIMAL = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"


class KeptReader:
    """`any`: integers as int64, floats as float64, times as they are, text dictionary-coded.

    Parameters
    ----------
    infer
        Whether text that is all numbers is read as numbers (sources that hold only text, such as
        CSV). It is so only where the numbers would print the same, so "01" stays text.
    tidy
        Whether text is brought to one form, as ids are: without blanks around it, in Unicode form
        NFC, blank as null. So that attributes of voters meet the levels of stated margins.
    """

    def __init__(self, *, infer: bool, tidy: bool = False) -> None:
        self._infer = infer
        self._tidy = tidy

    def read(self, array: pa.Array) -> Cells:
        """Keep one chunk."""
        return Cells(values=_plain(array))

    def empty(self, length: int) -> pa.Array:
        """Return nulls of no type yet."""
        return pa.nulls(length)

    def finish(self, chunks: list[pa.Array]) -> pa.ChunkedArray:
        """Return the chunks brought to one type."""
        column = pa.chunked_array(_one_type(chunks))
        if pa.types.is_dictionary(column.type):
            column = column.unify_dictionaries()
        if self._infer and is_text(column.type):
            column = _inferred(column)
        return _tidied(column) if self._tidy and is_text(column.type) else column

    def notices(self) -> tuple[str, ...]:
        """Nothing to tell."""
        return ()


def _plain(array: pa.Array) -> pa.Array:
    kind = array.type
    if isinstance(kind, pa.BaseExtensionType):
        array = array.storage
        kind = array.type
    if is_text(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return encode(array)
    if pa.types.is_dictionary(kind):
        return _plain(array.cast(kind.value_type))
    if pa.types.is_integer(kind) and not pa.types.is_uint64(kind):
        return array.cast(pa.int64())
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return array.cast(pa.float64())
    return array


def _one_type(chunks: list[pa.Array]) -> list[pa.Array]:
    kinds = {str(c.type): c.type for c in chunks if not pa.types.is_null(c.type)}
    if not kinds:
        return [c.cast(pa.string()).dictionary_encode() for c in chunks]
    if len(kinds) == 1:
        kind = next(iter(kinds.values()))
        return [pa.nulls(len(c), kind) if pa.types.is_null(c.type) else c for c in chunks]
    if set(kinds) == {"int64", "double"}:
        return [c.cast(pa.float64(), safe=False) for c in chunks]
    return [encode(c) for c in chunks]


def _inferred(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Read a text column as numbers or booleans where every distinct text is one.

    An empty cell is missing: sources that hold only text have no other word for it.
    """
    texts = column.chunk(0).dictionary if column.num_chunks else pa.array([], pa.string())
    stripped = pc.utf8_trim_whitespace(texts)
    filled = stripped.filter(pc.not_equal(stripped, ""))
    if not len(filled):
        return column
    if pc.all(pc.match_substring_regex(filled, _WHOLE)).as_py():
        return _cast(column, stripped, pa.int64())
    if pc.all(pc.match_substring_regex(filled, _DECIMAL)).as_py():
        return _cast(column, stripped, pa.float64())
    if set(filled.unique().to_pylist()) <= {"true", "false", "True", "False"}:
        return _cast(column, pc.utf8_lower(stripped), pa.bool_())
    return _without_blanks(column, stripped)


def _tidied(column: pa.ChunkedArray) -> pa.ChunkedArray:
    texts = column.cast(pa.string())
    clean = pc.utf8_normalize(
        pc.utf8_trim_whitespace(pc.utf8_ltrim(texts, characters=BYTE_ORDER_MARK)), form="NFC"
    )
    filled = pc.if_else(pc.equal(clean, ""), None, clean)
    return filled.dictionary_encode().unify_dictionaries()


def _without_blanks(column: pa.ChunkedArray, texts: pa.Array) -> pa.ChunkedArray:
    blank = pc.equal(texts, "")
    if not pc.any(blank).as_py():
        return column
    lookup = pc.if_else(blank, None, pa.array(range(len(texts)), pa.int32()))
    chunks = [
        pa.DictionaryArray.from_arrays(lookup.take(chunk.indices), chunk.dictionary)
        for chunk in column.chunks
    ]
    return pa.chunked_array(chunks, column.type)


def _cast(column: pa.ChunkedArray, texts: pa.Array, kind: pa.DataType) -> pa.ChunkedArray:
    values = pc.if_else(pc.equal(texts, ""), None, texts).cast(kind)
    return pa.chunked_array([values.take(chunk.indices) for chunk in column.chunks], kind)
