"""Delimited text: CSV, TSV and their relatives. Everything is read as text first."""

import csv
import io
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.csv as pacsv

from caveat._files import MEBIBYTE
from caveat.data.encoding import TEXT
from caveat.data.winners import LEAVE_OUT
from caveat.errors import CellError, SourceError
from caveat.importers._base import Dropped, Head, ReadOptions, TableStream
from caveat.importers.opening import Member
from caveat.importers.text_errors import invalid_utf8

_DELIMITERS = (",", "\t", ";", "|")
_BLOCK = 16 * MEBIBYTE
WRONG_WIDTH = "wrong number of fields"


class CsvTable:
    """Reads delimited text by streaming; quotes and newlines inside fields are fine."""

    name = "csv"
    doc = "CSV, TSV and other delimited text with a header; the delimiter is found by itself"

    def recognises(self, head: Head) -> bool:
        """Take any text for delimited text that is neither JSON nor binary."""
        start = head.data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        return b"\0" not in head.data and start not in (b"{", b"[")

    def stream(self, member: Member, options: ReadOptions) -> TableStream:
        """Open the table."""
        data, complete = member.head()
        names, delimiter = _header(data, member, complete=complete)

        def chunks(
            wanted: tuple[str, ...] | None, dropped: Dropped
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            reading = _Reading(member, options, names, delimiter)
            return reading.chunks(wanted, dropped)

        return TableStream(names=names, text_only=True, chunks=chunks)


class _Reading:
    """One pass over a file."""

    def __init__(
        self, member: Member, options: ReadOptions, names: tuple[str, ...], delimiter: str
    ) -> None:
        self._member = member
        self._options = options
        self._names = names
        self._delimiter = delimiter
        self._invalid: list[pacsv.InvalidRow] = []

    def chunks(
        self, wanted: tuple[str, ...] | None, dropped: Dropped
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        try:
            with self._member.open() as file:
                row = 1
                for batch in self._reader(pa.PythonFile(file), wanted):
                    for first, part in self._numbered(row, batch, dropped):
                        yield first, part
                        row = first + part.num_rows
                self._tell(dropped)
        except pa.ArrowInvalid as error:
            raise self._explained(error) from error

    def _reader(
        self, file: pa.NativeFile, wanted: tuple[str, ...] | None
    ) -> pacsv.CSVStreamingReader:
        block = min(_BLOCK, self._options.limits.line)
        return pacsv.open_csv(
            file,
            read_options=pacsv.ReadOptions(block_size=block, use_threads=False),
            parse_options=pacsv.ParseOptions(
                delimiter=self._delimiter,
                newlines_in_values=True,
                invalid_row_handler=self._handle,
            ),
            convert_options=pacsv.ConvertOptions(
                column_types=dict.fromkeys(self._names, TEXT),
                strings_can_be_null=False,
                include_columns=list(wanted) if wanted is not None else [],
            ),
        )

    def _handle(self, row: pacsv.InvalidRow) -> str:
        self._invalid.append(row)
        return "skip" if self._options.bad_rows == "drop" else "error"

    def _numbered(
        self, row: int, batch: pa.RecordBatch, dropped: Dropped
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Split a chunk where invalid rows stood, so that row numbers stay those of the source."""
        start = 0
        for number in self._tell(dropped):
            length = number - row - start
            if 0 < length <= batch.num_rows - start:
                yield row + start, batch.slice(start, length)
                start += length
            row += 1
        if start < batch.num_rows:
            yield row + start, batch.slice(start)

    def _tell(self, dropped: Dropped) -> list[int]:
        numbers = []
        for invalid in self._invalid:
            number = (invalid.number or 1) - 1
            numbers.append(number)
            dropped(WRONG_WIDTH, 1, f"{self._member.name}, row {number}")
        self._invalid.clear()
        return numbers

    def _explained(self, error: pa.ArrowInvalid) -> Exception:
        text = str(error)
        if self._invalid:
            row = self._invalid[0]
            return CellError(
                file=self._member.name,
                row=(row.number or 1) - 1,
                column="*",
                rule=f"must have {row.expected_columns} fields, as the header",
                value=f"{row.actual_columns}: {row.text[:60]!a}",
                remedy=LEAVE_OUT,
            )
        if "UTF8" in text or "utf8" in text.lower():
            return invalid_utf8(self._member)
        if "straddling" in text:
            limit = min(_BLOCK, self._options.limits.line)
            return SourceError(
                f"{self._member.name}: a row is longer than {limit:,} bytes, or a quote is never "
                "closed"
            )
        return SourceError(f"{self._member.name}: not readable as delimited text ({text})")


def _header(data: bytes, member: Member, *, complete: bool) -> tuple[tuple[str, ...], str]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if complete or error.start < len(data) - 4:
            raise invalid_utf8(member) from error
        text = data[: error.start].decode("utf-8-sig")
    if not text.strip():
        raise SourceError(f"{member.name}: the file holds nothing but blanks")
    lines = text.splitlines(keepends=True)
    sample = lines[:50] if complete or len(lines) > 50 else lines[:-1] or lines
    best = max(_DELIMITERS, key=lambda d: _fit(sample, d))
    try:
        row = next(r for r in csv.reader(io.StringIO(text), delimiter=best) if r)
    except csv.Error as error:
        raise SourceError(f"{member.name}: the header is not readable ({error})") from error
    return tuple(row), best


def _fit(lines: list[str], delimiter: str) -> tuple[float, int]:
    """How well a delimiter explains the first lines: share of equal rows, then columns."""
    try:
        rows = [r for r in csv.reader(lines, delimiter=delimiter) if r]
    except csv.Error:
        return (0.0, 0)
    if not rows or len(rows[0]) < 2:
        return (0.0, 1)
    return (sum(len(r) == len(rows[0]) for r in rows) / len(rows), len(rows[0]))
