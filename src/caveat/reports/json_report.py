"""Results as JSON: undefined is null, and `schema_version` comes first."""

import json
from collections.abc import Mapping

import orjson

from caveat.results._plain import to_plain
from caveat.results.report import SCHEMA_VERSION


def to_json(mapping: Mapping[str, object]) -> str:
    """Return indented JSON with a final newline; nan and infinity become null.

    Keys keep their order, after `schema_version`, which is added when absent.
    """
    plain = to_plain({"schema_version": SCHEMA_VERSION} | dict(mapping))
    try:
        return orjson.dumps(plain, option=orjson.OPT_INDENT_2).decode() + "\n"
    except TypeError:  # integers beyond 64 bits and lone surrogates: the slower writer has both
        return json.dumps(plain, indent=2, allow_nan=False) + "\n"
