"""Parses JSON, also with NaN and Infinity, which Python writes although they are no JSON."""

import json
from collections.abc import Mapping
from typing import Any

import orjson

from caveat.errors import CaveatError, SourceError
from caveat.importers.opening import Member

_NOT_NUMBERS = (b"NaN", b"Infinity")


def json_value(data: bytes) -> object:
    """Return a value; what is no JSON raises ValueError."""
    try:
        value: object = orjson.loads(data)
    except orjson.JSONDecodeError:
        if not any(word in data for word in _NOT_NUMBERS):
            raise
        value = json.loads(data)
    return value


def json_object(member: Member) -> Mapping[str, Any]:
    """Return the one object that a small file holds.

    Raises
    ------
    SourceError
        When it is damaged, or no object.
    """
    try:
        value = json_value(member.read_all().removeprefix(b"\xef\xbb\xbf"))
    except CaveatError:  # it names the file already
        raise
    except ValueError as error:
        raise SourceError(
            f"{member.name}: the file is damaged or cut short ({error}); get it again"
        ) from error
    if not isinstance(value, dict):
        raise SourceError(f"{member.name}: must hold a JSON object, got {type(value).__name__}")
    return value
