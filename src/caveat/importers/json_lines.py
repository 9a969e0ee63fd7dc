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
_BLOCK = 4 * MEBIBYTE
NOT_JSON = "not a JSON object"


def line_records(
    member: Member, options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[int, Record]]:
    """Yield line number (blank lines not counted) and object of each line."""
    for first, records in line_blocks(member, options, dropped):
        yield from enumerate(records, first)


def line_blocks(
    member: Member, options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[int, list[Record]]]:
    """Yield the number of a first line and the objects of the lines that follow it.

    A block holds a few megabytes, or one line; it ends where a line holds no object.
    """
    number = 0
    for lines, ended in _blocks(member):
        records: list[Record] = []
        first = number + 1
        for line in lines:
            if not line or line.isspace():
                continue
            number += 1
            record = None if len(line) > member.limits.line else _parsed(line)
            if isinstance(record, dict):
                records.append(record)
                continue
            _refuse(member, number, line, options, dropped, ended=ended or line is not lines[-1])
            if records:
                yield first, records
            records, first = [], number + 1
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


def _refuse(
    member: Member,
    number: int,
    line: bytes,
    options: ReadOptions,
    dropped: Dropped,
    *,
    ended: bool,
) -> None:
    """Stop at a line that is no object, or drop it; one past the limit always stops."""
    limit = member.limits.line
    if len(line) > limit:
        raise SourceError(
            f"{member.name}, row {number}: a line is longer than {limit:,} bytes; "
            "leave out its long texts, or split it"
        )
    if options.bad_rows != "drop":
        raise _bad_line(member, number, line, ended=ended)
    dropped(NOT_JSON, 1, f"{member.name}, row {number}")


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
