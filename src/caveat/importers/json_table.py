"""Tables in JSON: one object a line, or one array of objects."""

from collections.abc import Iterator

import pyarrow as pa

from caveat.importers._base import Dropped, Head, ReadOptions, TableStream
from caveat.importers.json_lines import line_records
from caveat.importers.json_records import array_records
from caveat.importers.opening import Member
from caveat.importers.record_batches import batches, first_names


class JsonLinesTable:
    """Reads one JSON object a line; columns may turn up late, nested values are left out."""

    name = "jsonl"
    doc = "JSON lines: one object a line"

    def recognises(self, head: Head) -> bool:
        """Look for a first line that is an object, or an object that is the whole file."""
        return head.data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")

    def stream(self, member: Member, options: ReadOptions) -> TableStream:
        """Open the table; its columns are those of the first record."""

        def chunks(
            wanted: tuple[str, ...] | None, dropped: Dropped
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            only = frozenset(wanted) if wanted is not None else None
            return batches(line_records(member, options, dropped), only)

        return TableStream(names=first_names(chunks), chunks=chunks)


class JsonArrayTable:
    """Reads an array of JSON objects."""

    name = "json"
    doc = "JSON: an array of objects"

    def recognises(self, head: Head) -> bool:
        """Look for an array whose first element is an object."""
        return bool(head.keys) and head.data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")

    def stream(self, member: Member, _options: ReadOptions) -> TableStream:
        """Open the table; its columns are those of the first record."""

        def chunks(
            wanted: tuple[str, ...] | None, _dropped: Dropped
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            only = frozenset(wanted) if wanted is not None else None
            return batches(array_records(member), only)

        return TableStream(names=first_names(chunks), chunks=chunks)
