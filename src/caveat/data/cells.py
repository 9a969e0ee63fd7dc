"""Readers for the kinds of cells in `caveat.data.schema`; each keeps the cells it has read."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from caveat.data.coder import Coder
from caveat.data.encoding import encode, whole_floats
from caveat.data.numbers import MISSING_SPELLINGS, read_numbers
from caveat.data.schema import Column

Mask = NDArray[np.bool_]
LARGEST_COUNT = 2**53


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """One chunk of one column, read.

    Attributes
    ----------
    values : array
        Codes (-1 null), float64 (NaN null) or an Arrow array.
    missing, bad : boolean arrays or None
        Where there is nothing, and where there is something that breaks `rule`.
    """

    values: NDArray[np.int32] | NDArray[np.float64] | pa.Array
    missing: Mask | None = None
    bad: Mask | None = None
    rule: str = ""


class Reader(Protocol):
    """Reads one column chunk by chunk."""

    def read(self, array: pa.Array) -> Cells:
        """Turn one chunk into cells."""

    def empty(self, length: int) -> NDArray[np.int32] | NDArray[np.float64] | pa.Array:
        """Return `length` null cells."""

    def finish(self, chunks: list[pa.Array]) -> pa.ChunkedArray:
        """Return the column; `chunks` are the values kept."""

    def notices(self) -> tuple[str, ...]:
        """Say what a reader should know about this column."""


class CodedReader:
    """`id` and `text`: dictionary-coded text."""

    def __init__(self, coder: Coder, *, what: str) -> None:
        self.coder = coder
        self._what = what
        self._whole_floats = 0

    def read(self, array: pa.Array) -> Cells:
        """Code one chunk; blank is missing."""
        self._whole_floats += whole_floats(array)
        encoded = encode(array)
        mapping = self.coder.codes(encoded.dictionary)
        codes, missing = look_up(encoded.indices, mapping)
        return Cells(values=codes, missing=missing)

    def empty(self, length: int) -> NDArray[np.int32]:
        """Return null codes."""
        return np.full(length, -1, np.int32)

    def finish(self, chunks: list[pa.Array]) -> pa.ChunkedArray:
        """Return dictionary<int32, string> chunks that share one dictionary."""
        return coded_column(chunks, self.coder.values)

    def notices(self) -> tuple[str, ...]:
        """Tell of floats read as whole numbers and of ids that were normalised."""
        texts = [self.coder.notice()]
        if self._whole_floats and self._what == "id":
            texts.append(
                f"{self._whole_floats} whole numbers stored with decimals were read without "
                "(3.0 as 3)"
            )
        return tuple(filter(None, texts))


class LabelReader:
    """`label`: one of a few words; anything else is bad."""

    def __init__(self, column: Column) -> None:
        self._spellings = dict(column.labels)
        self.labels = tuple(dict.fromkeys(self._spellings.values()))
        self._rule = f"must be one of {', '.join(self._spellings)}"

    def read(self, array: pa.Array) -> Cells:
        """Map spellings to labels, whatever their case and the blanks around them."""
        encoded = encode(array)
        mapping = np.array([self._code(t) for t in encoded.dictionary.to_pylist()], np.int32)
        codes, missing = look_up(encoded.indices, mapping)
        bad = _any(codes == -2) if (mapping == -2).any() else None
        return Cells(values=codes, missing=missing, bad=bad, rule=self._rule)

    def empty(self, length: int) -> NDArray[np.int32]:
        """Return null codes."""
        return np.full(length, -1, np.int32)

    def finish(self, chunks: list[pa.Array]) -> pa.ChunkedArray:
        """Return dictionary<int32, string> chunks over all labels there are."""
        return coded_column(chunks, pa.array(self.labels, pa.string()))

    def notices(self) -> tuple[str, ...]:
        """Nothing to tell."""
        return ()

    def _code(self, text: str | None) -> int:
        word = (text or "").strip().lower()
        if not word:
            return -1
        label = self._spellings.get(word)
        return -2 if label is None else self.labels.index(label)


class NumberReader:
    """`number`: finite float64; NaN is missing, infinity and other text are bad."""

    def __init__(self) -> None:
        self._not_a_number = 0

    def read(self, array: pa.Array) -> Cells:
        """Read one chunk."""
        numbers = read_numbers(array)
        self._not_a_number += numbers.not_a_number
        return Cells(
            values=numbers.values,
            missing=np.isnan(numbers.values) & ~numbers.bad,
            bad=_any(numbers.bad),
            rule="must be a finite number",
        )

    def empty(self, length: int) -> NDArray[np.float64]:
        """Return NaN."""
        return np.full(length, np.nan)

    def finish(self, chunks: list[pa.Array]) -> pa.ChunkedArray:
        """Return float64 chunks with nulls."""
        return pa.chunked_array([pa.array(c, mask=np.isnan(c)) for c in chunks], pa.float64())

    def notices(self) -> tuple[str, ...]:
        """Tell of NaN."""
        count = self._not_a_number
        return (f"{count} NaN were read as missing, not as numbers",) if count else ()


class CountReader:
    """`count`: whole number of identical rows; 0 is left to the builder to drop."""

    def read(self, array: pa.Array) -> Cells:
        """Read one chunk."""
        numbers = read_numbers(array)
        values = numbers.values
        missing = np.isnan(values) & ~numbers.bad
        with np.errstate(invalid="ignore"):
            wrong = (values < 0) | (values > LARGEST_COUNT) | (values != np.floor(values))
        bad = numbers.bad | (wrong & ~np.isnan(values))
        return Cells(
            values=np.where(bad, np.nan, values),
            missing=missing,
            bad=_any(bad),
            rule="must be a whole number from 0 to 2**53",
        )

    def empty(self, length: int) -> NDArray[np.float64]:
        """Return ones: a row without a count stands for itself."""
        return np.ones(length)

    def finish(self, chunks: list[pa.Array]) -> pa.ChunkedArray:
        """Return int64 chunks."""
        return pa.chunked_array([pa.array(c.astype(np.int64)) for c in chunks], pa.int64())

    def notices(self) -> tuple[str, ...]:
        """Nothing to tell."""
        return ()


class WeightReader:
    """`weight`: finite and above 0; a row that counts for nothing belongs out of the data."""

    def read(self, array: pa.Array) -> Cells:
        """Read one chunk."""
        numbers = read_numbers(array)
        values = numbers.values
        with np.errstate(invalid="ignore"):
            bad = numbers.bad | (values <= 0)
        return Cells(
            values=np.where(bad, np.nan, values),
            missing=np.isnan(values) & ~bad,
            bad=_any(bad),
            rule="must be a finite number above 0",
        )

    def empty(self, length: int) -> NDArray[np.float64]:
        """Return ones: a row without a weight weighs as much as one vote."""
        return np.ones(length)

    def finish(self, chunks: list[pa.Array]) -> pa.ChunkedArray:
        """Return float64 chunks."""
        return pa.chunked_array([pa.array(c) for c in chunks], pa.float64())

    def notices(self) -> tuple[str, ...]:
        """Nothing to tell."""
        return ()


_FLAGS = {"true": 1, "yes": 1, "1": 1, "false": 0, "no": 0, "0": 0}


class FlagReader:
    """`flag`: true or false."""

    def read(self, array: pa.Array) -> Cells:
        """Read one chunk of booleans, or of words for them."""
        encoded = encode(array)
        words = [(t or "").strip().lower() for t in encoded.dictionary.to_pylist()]
        mapping = np.array([self._code(w) for w in words], np.int32)
        codes, missing = look_up(encoded.indices, mapping)
        values = pa.array(codes == 1, mask=codes < 0)
        bad = _any(codes == -2) if (mapping == -2).any() else None
        return Cells(values=values, missing=missing, bad=bad, rule="must be true or false")

    def empty(self, length: int) -> pa.Array:
        """Return nulls."""
        return pa.nulls(length, pa.bool_())

    def finish(self, chunks: list[pa.Array]) -> pa.ChunkedArray:
        """Return boolean chunks."""
        return pa.chunked_array(chunks, pa.bool_())

    def notices(self) -> tuple[str, ...]:
        """Nothing to tell."""
        return ()

    def _code(self, word: str) -> int:
        return -1 if word in MISSING_SPELLINGS else _FLAGS.get(word, -2)


def _any(where: Mask) -> Mask | None:
    return where if where.any() else None


def look_up(indices: pa.Array, mapping: NDArray[np.int32]) -> tuple[NDArray[np.int32], Mask | None]:
    """Replace each index by its code; null indices become -1; also return where codes are -1."""
    has_nulls = indices.null_count > 0
    plain = np.asarray(pc.fill_null(indices, 0) if has_nulls else indices, dtype=np.int32)
    if not mapping.size:
        return np.full(plain.size, -1, np.int32), np.ones(plain.size, dtype=bool)
    identity = mapping[-1] == mapping.size - 1 and bool((np.diff(mapping) == 1).all())
    codes = plain if identity else mapping[plain]
    if has_nulls:
        codes = np.where(np.asarray(indices.is_null(), dtype=bool), np.int32(-1), codes)
    return codes, codes == -1 if has_nulls or bool((mapping == -1).any()) else None


def coded_column(chunks: list[NDArray[np.int32]], values: pa.StringArray) -> pa.ChunkedArray:
    """Return dictionary<int32, string> chunks of codes over one dictionary."""
    kind = pa.dictionary(pa.int32(), pa.string())
    arrays = [
        pa.DictionaryArray.from_arrays(
            pa.array(c, mask=c < 0) if (c < 0).any() else pa.array(c), values, safe=False
        )
        for c in chunks
    ]
    return pa.chunked_array(arrays, kind)
