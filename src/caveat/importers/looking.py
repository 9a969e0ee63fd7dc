"""Looks at the beginning of a source."""

import re

import orjson

from caveat.errors import SourceError, UnrecognisedError
from caveat.importers._base import Head
from caveat.importers.json_records import array_records
from caveat.importers.opening import Member

_FIRST_KEY = re.compile(rb'\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:')
_EMPTY_ARRAY = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*\]\s*")


def look(member: Member) -> Head:
    """Return the head of a member; its first record is read whole where it is JSON."""
    data, complete = member.head()
    if not data:
        raise UnrecognisedError(f"{member.name}: the file is empty")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SourceError(f"{member.name}: is UTF-16; save the file as UTF-8")
    if complete and _EMPTY_ARRAY.fullmatch(data):
        raise UnrecognisedError(f"{member.name}: holds no rows, only an empty JSON array")
    return Head(data=data, complete=complete, keys=_keys(data, member))


def _keys(data: bytes, member: Member) -> tuple[str, ...]:
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"["):
        if not re.match(rb"\[\s*\{", start):
            return ()
        return next((tuple(record) for _, record in array_records(member)), ())
    if start.startswith(b"{"):
        line = start.split(b"\n", 1)[0]
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            first = _FIRST_KEY.match(start)
            return (first.group(1).decode("utf-8", "replace"),) if first else ()
        return tuple(record) if isinstance(record, dict) else ()
    return ()
