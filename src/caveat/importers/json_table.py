"""Tables in JSON: one object a line, or one array of objects."""

from caveat.importers._base import Head, ReadOptions, TableStream
from caveat.importers.json_lines import line_blocks
from caveat.importers.json_records import array_records
from caveat.importers.opening import Member
from caveat.importers.record_batches import block_stream, record_stream

_BEFORE = b"\xef\xbb\xbf \t\r\n"


class JsonLinesTable:
    """Reads one JSON object a line; columns may turn up late, nested values are left out."""

    name = "jsonl"
    doc = "JSON lines: one object a line"

    def recognises(self, head: Head) -> bool:
        """Look for a first line that begins an object and does more than that."""
        first = head.data.lstrip(_BEFORE).split(b"\n", 1)[0].strip()
        return first.startswith(b"{") and first != b"{"

    def stream(self, member: Member, options: ReadOptions) -> TableStream:
        """Open the table."""
        return block_stream(lambda dropped: line_blocks(member, options, dropped))


class JsonArrayTable:
    """Reads an array of JSON objects."""

    name = "json"
    doc = "JSON: an array of objects"

    def recognises(self, head: Head) -> bool:
        """Look for an array whose first element is an object."""
        return bool(head.keys) and head.data.lstrip(_BEFORE).startswith(b"[")

    def stream(self, member: Member, _options: ReadOptions) -> TableStream:
        """Open the table."""
        return record_stream(lambda _dropped: array_records(member))
