"""Numbers out of columns of any type: what is a number, what is missing, what is neither."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from caveat.data.encoding import is_text

MISSING_SPELLINGS = ("", "nan", "na", "n/a", "null", "none")
_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Numbers:
    """Float64 values with NaN for missing, where they are bad, and how many were NaN before."""

    values: NDArray[np.float64]
    bad: NDArray[np.bool_]
    not_a_number: int


def read_numbers(array: pa.Array) -> Numbers:
    """Read numbers, booleans (1 and 0) and texts of numbers; infinity is bad, NaN is missing."""
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_null(array.type):
        array = array.cast(pa.float64())
    if is_text(array.type):
        return _from_text(array)
    if not _numeric(array.type):
        everywhere = np.asarray(array.is_valid(), dtype=bool)
        return Numbers(values=np.full(len(array), np.nan), bad=everywhere, not_a_number=0)
    values = _float_values(array)
    return Numbers(
        values=np.where(np.isinf(values), np.nan, values),
        bad=np.isinf(values),
        not_a_number=int(np.isnan(values).sum()) - array.null_count,
    )


def _numeric(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_decimal(kind)
    )


def _float_values(array: pa.Array) -> NDArray[np.float64]:
    if pa.types.is_boolean(array.type):
        array = array.cast(pa.int8())
    return np.array(array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), float)


def _from_text(array: pa.Array) -> Numbers:
    text = pc.utf8_lower(pc.utf8_trim_whitespace(array.cast(pa.string())))
    missing = pc.fill_null(
        pc.is_in(text, value_set=pa.array(MISSING_SPELLINGS)),
        True,  # noqa: FBT003 - Arrow
    )
    text = pc.if_else(pc.equal(text, "true"), "1", pc.if_else(pc.equal(text, "false"), "0", text))
    good = pc.fill_null(pc.match_substring_regex(text, _NUMBER), False)  # noqa: FBT003 - Arrow
    digits = pc.utf8_ltrim(pc.if_else(good, text, None), characters="+")
    values = _float_values(digits.cast(pa.float64()))
    bad = np.array(pc.and_not(pc.invert(good), missing), dtype=bool)
    bad |= np.isinf(values)
    return Numbers(
        values=np.where(np.isinf(values), np.nan, values),
        bad=bad,
        not_a_number=int(pc.sum(pc.equal(text, "nan")).as_py() or 0),
    )
