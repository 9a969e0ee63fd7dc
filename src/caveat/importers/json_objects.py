"""The objects of a JSON file, whether it is one array of them or has one a line."""

from collections.abc import Iterator
from typing import Any

from caveat.importers._base import Dropped, ReadOptions
from caveat.importers.json_lines import line_records
from caveat.importers.json_records import array_records
from caveat.importers.opening import Member


def object_records(
    member: Member, options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield number (from 1) and object of each record, of an array or of JSON lines."""
    start, _ = member.head(4096)
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        return array_records(member)
    return line_records(member, options, dropped)
