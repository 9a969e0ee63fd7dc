"""Whether a file that cannot be read looks like evidence, so that it is not passed over."""

import csv
import re

from caveat.data.schema import RESPONSES
from caveat.errors import SourceError, UnrecognisedError
from caveat.importers._base import Head, ReadOptions
from caveat.importers.columns import choose, plan
from caveat.importers.opening import Member
from caveat.importers.pair_counts import is_pair_counts
from caveat.importers.registry import FORMATS, IMPORTERS, TABLES

_JSON_KEY = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:')
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def resembles_evidence(member: Member, options: ReadOptions) -> bool:
    """Judge a file by the names of its columns or keys, whatever its encoding and damage.

    What cannot even be decompressed, and every damaged Parquet or Arrow file, may be evidence.
    """
    try:
        data, complete = member.head()
    except UnrecognisedError:
        return False
    except SourceError:
        return True
    text = data.decode("utf-16" if data.startswith(_UTF16) else "utf-8", "replace")
    names = _names(text.lstrip("\ufeff \t\r\n"))
    head = Head(data=data, complete=complete, keys=names)
    if any(importer.recognises(head) for importer in IMPORTERS) or any(
        table.recognises(frozenset(names)) for table in TABLES
    ):
        return True
    binary = ("parquet", "arrow")
    if any(table.recognises(head) for table in FORMATS if table.name in binary):
        return True
    if len(set(names)) < len(names):
        names = tuple(dict.fromkeys(names))
    here = {new: old for new, old in options.mapping.items() if old in names}
    if choose(names, here, file=member.name, kind=None) is not None:
        return True
    return is_pair_counts(names, options) is not None or _is_wide(names)


def _names(text: str) -> tuple[str, ...]:
    if text.startswith(("{", "[")):
        return tuple(dict.fromkeys(_JSON_KEY.findall(text)))
    first = text.splitlines()[:1]
    try:
        rows: list[list[str]] = []
        for mark in ",\t;|":
            rows += csv.reader(first, delimiter=mark)
    except csv.Error:
        return ()
    widest = max(map(len, rows), default=0)
    return next((tuple(row) for row in rows if len(row) == widest), ())


def _is_wide(names: tuple[str, ...]) -> bool:
    """Whether there is an item column, and others that may be models."""
    found = plan(RESPONSES, names, {})
    return "item" in found.has and len(names) - len(found.has) > 1
