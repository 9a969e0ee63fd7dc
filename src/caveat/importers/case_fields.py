"""Fields of a test case that tools for testing prompts share: numbers, metadata, identity."""

import hashlib
import math
from collections.abc import Mapping
from typing import Any

import orjson

from caveat.data.schema import RESPONSES

_TASK = ("task", "category", "subject", "topic", "domain")
_MOST = 30
_LONGEST = 60
_RESERVED = frozenset(
    {name for column in RESPONSES.columns for name in (column.name, *column.aliases)}
)


def number(value: object) -> float | None:
    """Return a finite number, or None for anything else; true and false are no numbers here."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:  # JSON sets no limit to whole numbers
        return None
    return found if math.isfinite(found) else None


def score_of(value: object) -> float | None:
    """Return a score: a finite number, or 1 and 0 for true and false."""
    return float(value) if isinstance(value, bool) else number(value)


def mapping(value: object) -> Mapping[str, Any]:
    """Return a JSON object, or an empty one where there is none."""
    return value if isinstance(value, dict) else {}


def metadata_columns(metadata: object) -> dict[str, Any]:
    """Return single values of a case's metadata as columns; one that names a part is its task.

    Names that mean something in the evidence are kept as `metadata_<name>`, so that a key
    called `model` or `score` does not become one.

    Examples
    --------
    >>> metadata_columns({"category": "easy", "score": 3, "source": "x", "nested": {}})
    {'task': 'easy', 'metadata_score': 3, 'source': 'x'}
    """
    columns: dict[str, Any] = {}
    for key, value in mapping(metadata).items():
        single = isinstance(value, (str, int, float, bool)) and not str(key).startswith("_")
        if not single or len(key) > _LONGEST or len(columns) >= _MOST:
            continue
        if key in _TASK and "task" not in columns:
            columns["task"] = str(value)
        else:
            columns[f"metadata_{key}" if key.lower() in _RESERVED else key] = value
    return columns


def identity(*parts: object) -> str:
    """Return a short id of what a case asks, the same wherever it stands in a file."""
    text = orjson.dumps(parts, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS, default=str)
    return hashlib.sha256(text).hexdigest()[:12]
