"""Cells of a table that hold nested values, or their JSON as text."""

import re
from collections.abc import Iterator
from typing import Any

import orjson

from caveat.importers._base import Dropped, TableStream
from caveat.importers.case_fields import score_of

_WORDS = {"true": 1.0, "false": 0.0}
_NEXT_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def plain_name(name: str) -> str:
    """Return a field's name in lower case with low lines: `traceId` is `trace_id`.

    Examples
    --------
    >>> plain_name("traceId"), plain_name("Data Type"), plain_name("usage_details")
    ('trace_id', 'data_type', 'usage_details')
    """
    return _NEXT_WORD.sub("_", name.strip().lstrip("\ufeff")).lower().replace(" ", "_")


def opened(value: object) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return the object or list that a text holds, or the value itself; blank text is None."""
    if isinstance(value, dict):  # a column of objects has the keys of all its rows
        return {key: inner for key, inner in value.items() if inner is not None}
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text[:1] in ("{", "["):
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            return value
    return text or None


def number_in(value: object) -> float | None:
    """Return the finite number that a cell holds, as a number, as text, or as true or false."""
    if isinstance(value, str):
        word = value.strip().lower()
        try:
            value = _WORDS.get(word) if word in _WORDS else float(word)
        except ValueError:
            return None
    return score_of(value)


def records_of(
    stream: TableStream, dropped: Dropped, unwanted: frozenset[str] = frozenset()
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield row and record of a table, by the plain names of its columns."""
    wanted = tuple(n for n in stream.names if plain_name(n) not in unwanted)
    for first_row, batch in stream.chunks(wanted, dropped):
        names = [plain_name(name) for name in batch.schema.names]
        batch = batch.rename_columns(names)
        yield from enumerate(batch.to_pylist(), start=first_row)
