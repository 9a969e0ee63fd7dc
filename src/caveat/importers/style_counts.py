"""Counts of style that LMArena keeps for both answers of a battle, in flat pairs of columns."""

from collections.abc import Mapping
from typing import Any

_NAMES = {
    "sum_assistant_{}_tokens": "tokens_{}",
    "context_{}_tokens": "context_tokens_{}",
    "header_count_{}": "headers_{}",
    "list_count_{}": "lists_{}",
    "bold_count_{}": "bold_{}",
}
_PLACES = {old.format(side): new.format(side) for old, new in _NAMES.items() for side in ("a", "b")}
STYLE_COLUMNS = tuple(_PLACES.values())


def style_counts(metadata: object) -> dict[str, int | None]:
    """Return tokens, headers, lists and bold of both answers out of a `conv_metadata` record.

    Counts by level (`h1` to `h6`), by sort of list or by mark of bold are added up, as arenas do
    for style control. What is missing or no whole number is null, and so is a sum with such a part.

    Examples
    --------
    >>> found = style_counts({"sum_assistant_a_tokens": 7, "header_count_a": {"h1": 1, "h2": 2}})
    >>> found["tokens_a"], found["headers_a"], found["tokens_b"]
    (7, 3, None)
    """
    record: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else {}
    return {new: _total(record.get(old)) for old, new in _PLACES.items()}


def _total(value: object) -> int | None:
    if isinstance(value, Mapping):
        parts = [_whole(part) for part in value.values()]
        known = [part for part in parts if part is not None]
        return sum(known) if parts and len(known) == len(parts) else None
    return _whole(value)


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value // 1:
        return None
    return int(value)
