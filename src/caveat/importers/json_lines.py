"""Streams the objects of JSON lines."""

import json
from collections.abc import Iterator
from typing import Any

import orjson

from caveat.data.builder import show
from caveat.errors import SourceError
from caveat.importers._base import Dropped, ReadOptions
from caveat.importers.opening import Member
from caveat.importers.text_errors import invalid_utf8

Record = dict[str, Any]  # the values are whatever JSON holds
_NOT_NUMBERS = (b"NaN", b"Infinity")
NOT_JSON = "not a JSON object"


def line_records(
    member: Member, options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[int, Record]]:
    """Yield line number (blank lines not counted) and object of each line."""
    limit = member.limits.line
    number = 0
    with member.open() as file:
        while line := file.readline(limit + 1):
            if len(line) > limit:
                raise SourceError(
                    f"{member.name}, row {number + 1}: a line is longer than {limit:,} bytes; "
                    "leave out its long texts, or split it"
                )
            line = line.removeprefix(b"\xef\xbb\xbf") if number == 0 else line
            if not line.strip():
                continue
            number += 1
            record = _parsed(line)
            if isinstance(record, dict):
                yield number, record
            elif options.bad_rows == "drop":
                dropped(NOT_JSON, 1, f"{member.name}, row {number}")
            else:
                raise _bad_line(member, number, line)


def _parsed(line: bytes) -> object:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return _with_nan(line) if any(word in line for word in _NOT_NUMBERS) else None


def _with_nan(line: bytes) -> object:
    """Read NaN and Infinity, which are no JSON, but which Python's own module writes."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def _bad_line(member: Member, number: int, line: bytes) -> SourceError:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return invalid_utf8(member)
    cut = "" if line.endswith(b"\n") else " (the file may be cut short)"
    return SourceError(
        f"{member.name}, row {number}: must be one JSON object a line, got {show(text.strip())}"
        f"{cut}; drop such rows with bad_rows='drop' (--bad-rows drop)"
    )
