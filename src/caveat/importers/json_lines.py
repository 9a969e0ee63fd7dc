"""Streams the objects of JSON lines."""

from collections.abc import Iterator
from typing import Any

from caveat._files import MEBIBYTE
from caveat.data.builder import show
from caveat.errors import SourceError
from caveat.importers._base import Dropped, ReadOptions
from caveat.importers.json_values import json_value
from caveat.importers.opening import Member
from caveat.importers.text_errors import invalid_utf8

Record = dict[str, Any]  # the values are whatever JSON holds
_BLOCK = MEBIBYTE
NOT_JSON = "not a JSON object"


def line_records(
    member: Member, options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[int, Record]]:
    """Yield line number (blank lines not counted) and object of each line."""
    lines = _Lines(member, options, dropped)
    for block, ended in _blocks(member):
        yield from lines.records(block, ended=ended)


def line_blocks(
    member: Member, options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[int, list[Record]]]:
    """Yield the number of a first line and the objects of the lines that follow it.

    A block holds a few megabytes, or one line; it ends where a line holds no object.
    """
    lines = _Lines(member, options, dropped)
    for block, ended in _blocks(member):
        records: list[Record] = []
        first = 0
        for number, record in lines.records(block, ended=ended):
            if records and number != first + len(records):
                yield first, records
                records = []
            if not records:
                first = number
            records.append(record)
        if records:
            yield first, records


def _blocks(member: Member) -> Iterator[tuple[list[bytes], bool]]:
    """Yield lines, some megabytes at once, and whether the last of them ends as a line does.

    A line past the limit comes unfinished.
    """
    with member.open() as file:
        rest = file.read(_BLOCK).removeprefix(b"\xef\xbb\xbf")
        while data := file.read(_BLOCK):
            whole, end, rest = rest.rpartition(b"\n")
            if end:
                yield whole.split(end), True
            elif len(rest) > member.limits.line:
                break
            rest += data
        lines = rest.split(b"\n")
        yield lines, not lines[-1]


class _Lines:
    """Parses lines and numbers them; one that is no object stops reading, or is dropped."""

    def __init__(self, member: Member, options: ReadOptions, dropped: Dropped) -> None:
        self._member, self._options, self._dropped = member, options, dropped
        self._number = 0

    def records(self, lines: list[bytes], *, ended: bool) -> Iterator[tuple[int, Record]]:
        """Yield number and object of each line; `ended`: the last one ends as a line does."""
        limit = self._member.limits.line
        for line in lines:
            if not line or line.isspace():
                continue
            self._number += 1
            record = _parsed(line) if len(line) <= limit else None
            if isinstance(record, dict):
                yield self._number, record
            else:
                self._refuse(line, ended=ended or line is not lines[-1])

    def _refuse(self, line: bytes, *, ended: bool) -> None:
        member, number, limit = self._member, self._number, self._member.limits.line
        if len(line) > limit:
            raise SourceError(
                f"{member.name}, row {number}: a line is longer than {limit:,} bytes; "
                "leave out its long texts, or split it"
            )
        if self._options.bad_rows != "drop":
            raise _bad_line(member, number, line, ended=ended)
        self._dropped(NOT_JSON, 1, f"{member.name}, row {number}")


def _parsed(line: bytes) -> object:
    try:
        return json_value(line)
    except ValueError:
        return None


def _bad_line(member: Member, number: int, line: bytes, *, ended: bool) -> SourceError:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return invalid_utf8(member)
    cut = "" if ended else " (the file may be cut short)"
    return SourceError(
        f"{member.name}, row {number}: must be one JSON object a line, got {show(text.strip())}"
        f"{cut}; drop such rows with bad_rows='drop' (--bad-rows drop)"
    )
