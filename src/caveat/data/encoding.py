"""Any Arrow column as dictionary-coded text: values become text once each, never row by row."""

import math

import pyarrow as pa
import pyarrow.compute as pc

TEXT = pa.dictionary(pa.int32(), pa.string())


def is_text(kind: pa.DataType) -> bool:
    """Whether cells of this type are text, dictionary-coded or not."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def is_nested(kind: pa.DataType) -> bool:
    """Whether cells of this type are lists, structures or maps."""
    return bool(pa.types.is_nested(kind))


def encode(array: pa.Array) -> pa.DictionaryArray:
    """Return the column as dictionary<int32, string>; the dictionary may hold a text twice.

    Whole floats lose their ".0" (gaps turn whole numbers into floats), NaN becomes null,
    booleans become "True" and "False".
    """
    if pa.types.is_null(array.type):
        return array.cast(pa.string()).dictionary_encode()
    if not pa.types.is_dictionary(array.type):
        if pa.types.is_binary(array.type) or pa.types.is_large_binary(array.type):
            array = array.cast(pa.string())
        if pa.types.is_string_view(array.type):
            array = array.cast(pa.string())
        array = array.dictionary_encode()
    return pa.DictionaryArray.from_arrays(
        array.indices.cast(pa.int32()), values_as_text(array.dictionary)
    )


def values_as_text(values: pa.Array) -> pa.StringArray:
    """Return distinct values as their text."""
    kind = values.type
    if pa.types.is_string(kind):
        return values
    if pa.types.is_floating(kind):
        return pa.array([_float_text(v) for v in values.to_pylist()], pa.string())
    if pa.types.is_boolean(kind):
        return pa.array([None if v is None else str(v) for v in values.to_pylist()], pa.string())
    return values.cast(pa.string())


def whole_floats(array: pa.Array) -> int:
    """Count whole numbers that a float column holds, as pandas writes ids when some are missing."""
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if not pa.types.is_floating(kind):
        return 0
    values = array.cast(kind) if pa.types.is_dictionary(array.type) else array
    values = values.cast(pa.float64())
    return int(pc.sum(pc.equal(values, pc.floor(values))).as_py() or 0)


def _float_text(value: float | None) -> str | None:
    if value is None or math.isnan(value):
        return None
    if value.is_integer() and abs(value) <= 2**53:
        return str(int(value))
    return repr(value)
