"""What known tables of other tools share: reading columns, dropping rows, hashing texts."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from caveat.data.builder import show
from caveat.data.encoding import encode
from caveat.data.numbers import MISSING_SPELLINGS
from caveat.data.winners import LEAVE_OUT
from caveat.errors import CellError
from caveat.importers._base import LEFT_OUT as NOT_KEPT
from caveat.importers._base import Dropped, ReadOptions, TableStream

Mask = NDArray[np.bool_]
_DIGITS = 12


def source_chunks(
    stream: TableStream,
    roles: Mapping[str, str],
    wanted: tuple[str, ...] | None,
    dropped: Dropped,
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Read the columns that have a role and the wanted ones that have none."""
    read = tuple(
        name
        for name in stream.names
        if roles.get(name) != NOT_KEPT and (name in roles or wanted is None or name in wanted)
    )
    for first_row, batch in stream.chunks(read, dropped):
        late = [name for name in batch.schema.names if roles.get(name) != NOT_KEPT]
        yield first_row, batch.select(late)


def columns_of(batch: pa.RecordBatch, *, needed: Iterable[str]) -> dict[str, pa.Array]:
    """Return the columns of a chunk; needed ones that no row of it has are null."""
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    missing = {name: pa.nulls(batch.num_rows) for name in needed if name not in columns}
    return columns | missing


def texts(array: pa.Array) -> pa.StringArray:
    """Return a column as text without blanks around it; blank and spelled-out nulls are null."""
    plain = pc.utf8_trim_whitespace(encode(array).cast(pa.string()))
    missing = pc.is_in(pc.utf8_lower(plain), value_set=pa.array(MISSING_SPELLINGS))
    return pc.if_else(missing, None, plain)


def same_text(one: pa.Array, other: pa.Array) -> Mask:
    """Return where two columns hold the same text; null is the same as nothing."""
    same = pc.equal(texts(one), texts(other))
    return np.asarray(pc.fill_null(same, False), dtype=bool)  # noqa: FBT003 - Arrow


def text_ids(array: pa.Array) -> pa.DictionaryArray:
    """Return texts as short ids: the same text has the same id, and the text is not kept."""
    encoded = encode(array)
    ids = pa.array([text_id(text) for text in encoded.dictionary.to_pylist()], pa.string())
    return pa.DictionaryArray.from_arrays(encoded.indices, ids)


def text_id(text: str | None) -> str | None:
    """Return the beginning of a text's SHA-256 in hexadecimal; null for a blank one."""
    if text is None or not text.strip():
        return None
    return hashlib.sha256(text.strip().encode()).hexdigest()[:_DIGITS]


class Sieve:
    """Rows of one chunk that break a rule: an error, or dropped and counted, as the user says."""

    def __init__(
        self, *, file: str, first_row: int, length: int, options: ReadOptions, dropped: Dropped
    ) -> None:
        self._file, self._first_row = file, first_row
        self._options, self._dropped = options, dropped
        self.keep: Mask = np.ones(length, dtype=bool)

    def refuse(self, where: Mask, *, column: str, rule: str, values: pa.Array) -> None:
        """Stop at the first bad cell, or drop the rows of all."""
        if not where.any():
            return
        if self._options.bad_rows == "error":
            row = int(np.argmax(where))
            raise CellError(
                file=self._file,
                row=self._first_row + row,
                column=column,
                rule=rule,
                value=show(values[row].as_py()),
                remedy=LEAVE_OUT,
            )
        self.drop(where, f"{column}: {rule}")

    def drop(self, where: Mask, reason: str) -> None:
        """Drop rows and count them."""
        rows = np.flatnonzero(where & self.keep)
        if rows.size:
            self.keep[rows] = False
            place = f"{self._file}, row {self._first_row + int(rows[0])}"
            self._dropped(reason, int(rows.size), place)

    def runs(self, batch: pa.RecordBatch) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield what is left, as runs of consecutive rows with the number of their first."""
        rows = np.flatnonzero(self.keep)
        if not rows.size:
            return
        breaks = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
        for start, stop in zip(breaks, [*breaks[1:], rows.size], strict=True):
            first = int(rows[start])
            yield self._first_row + first, batch.slice(first, int(stop) - int(start))
