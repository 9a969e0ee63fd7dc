"""When votes were cast: dates, timestamps, unix times and ISO 8601 texts as seconds."""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from caveat.data.encoding import is_text
from caveat.data.numbers import MISSING_SPELLINGS
from caveat.errors import InputError

Floats = NDArray[np.float64]

_UNITS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (np.inf, 1e9))
"""Numbers up to the first are read as the second per second: seconds reach 1e11 in the year 5138,
milliseconds were beyond it in 1974."""
_YEARS = (1000, 3000)
_FORMS = "dates, timestamps, unix times, or texts such as 2024-08-14 or 2024-08-14T09:30:00Z"


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """Times of rows.

    Attributes
    ----------
    seconds : float array, shape (n,)
        Since 1970 in UTC; nan where there is none. A time without a zone is taken for UTC.
    missing : int
    """

    seconds: Floats
    missing: int


def read_times(column: pa.ChunkedArray, *, name: str = "at") -> Times:
    """Read a column of times.

    Parameters
    ----------
    column : pyarrow.ChunkedArray
        Dates, timestamps, numbers (unix seconds, or milli-, micro- or nanoseconds, told apart by
        their size) or texts in ISO 8601.
    name : str
        What the column is called in messages.

    Raises
    ------
    InputError
        If the column holds anything else, or years.

    Examples
    --------
    >>> import pyarrow as pa
    >>> read_times(pa.chunked_array([["1970-01-02", None]])).seconds.tolist()
    [86400.0, nan]
    """
    kind = column.type
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        seconds = _from_arrow(column)
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        seconds = _from_numbers(_floats(column), name)
    elif is_text(kind):
        seconds = _from_texts(column, name)
    elif pa.types.is_null(kind):
        seconds = np.full(len(column), np.nan)
    else:
        raise InputError(f"column {name!r} must hold {_FORMS}, got {kind}")
    return Times(seconds, int(np.isnan(seconds).sum()))


def _floats(column: pa.ChunkedArray) -> Floats:
    return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)


def _from_arrow(column: pa.ChunkedArray) -> Floats:
    return _floats(column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())) / 1e6


def _from_numbers(values: Floats, name: str) -> Floats:
    finite = values[np.isfinite(values)]
    if not finite.size:
        return np.full(values.size, np.nan)
    if (finite == np.floor(finite)).all() and (
        finite.min() >= _YEARS[0] and finite.max() <= _YEARS[1]
    ):
        raise InputError(
            f"column {name!r} must hold {_FORMS}, got years from {finite.min():.0f} to "
            f"{finite.max():.0f}: write them as dates"
        )
    largest = float(np.abs(finite).max())
    per_second = next(unit for bound, unit in _UNITS if largest <= bound)
    return np.where(np.isfinite(values), values / per_second, np.nan)


def _from_texts(column: pa.ChunkedArray, name: str) -> Floats:
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    coded = coded.unify_dictionaries().combine_chunks()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.chunk(0) if coded.num_chunks else pa.array([], coded.type)
    texts = pc.utf8_trim_whitespace(coded.dictionary.cast(pa.string()))
    code = np.asarray(pc.fill_null(coded.indices, len(texts)), dtype=np.int64)
    return np.append(_parsed(texts, name), np.nan)[code]


def _parsed(texts: pa.StringArray, name: str) -> Floats:
    """Seconds of distinct texts; Arrow reads the usual forms at once, Python the rest."""
    for kind in (pa.timestamp("us"), pa.timestamp("us", tz="UTC")):
        try:
            return _from_arrow(pa.chunked_array([texts.cast(kind)]))
        except pa.ArrowInvalid:
            continue
    plain = texts.to_pylist()
    if all(_number(text) is not None for text in plain):
        numbers = [number for number in map(_number, plain) if number is not None]
        return _from_numbers(np.array(numbers, dtype=np.float64), name)
    return np.array([_seconds(text, name) for text in plain], dtype=np.float64)


def _number(text: str | None) -> float | None:
    """Read a number, nan for what is missing; None for other text."""
    if text is None or text.lower() in MISSING_SPELLINGS:
        return float("nan")
    try:
        return float(text)
    except ValueError:
        return None


def _seconds(text: str | None, name: str) -> float:
    if text is None or text.lower() in MISSING_SPELLINGS:
        return float("nan")
    try:
        moment = datetime.fromisoformat(text.removesuffix("UTC").strip())
    except ValueError as error:
        raise InputError(f"column {name!r} must hold {_FORMS}, got {text[:80]!r}") from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
