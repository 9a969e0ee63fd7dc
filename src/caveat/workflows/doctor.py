"""What each source is, what it supports and what is wrong with it, without statistics."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from caveat.errors import CaveatError
from caveat.workflows.options import Progress
from caveat.workflows.read import combined

if TYPE_CHECKING:
    from caveat.data.builder import BadRows
    from caveat.data.evidence import Evidence
    from caveat.data.schema import Kind
    from caveat.importers._base import ReadOptions
    from caveat.importers.reading import Inspection
    from caveat.results.provenance import Account

_USUAL = "count is 0"
_PLACES = 3


def doctor(
    sources: Iterable[str | Path], *, progress: Progress | None = None
) -> "tuple[Inspection, ...]":
    """Look at each source, then read it to find what a command would stop at or drop.

    Parameters
    ----------
    sources : iterable of path
    progress : callable, optional
        Told how far reading has come.

    Returns
    -------
    tuple of Inspection
        `refused` is the error that the next command would stop at; `problems` hold it and each
        reason for which rows would be dropped, with their number and the first places.
    """
    return tuple(_examined(source, progress) for source in sources)


def _examined(source: str | Path, progress: Progress | None) -> "Inspection":
    from caveat._files import on_disk
    from caveat.importers.inspecting import Inspection
    from caveat.importers.reading import inspect_path, to_path

    name = str(source)
    reading = _reading(name, progress)
    try:
        with on_disk(to_path(source), reading.limits) as path:
            return _read_through(inspect_path(path, name=name), path, reading)
    except CaveatError as error:
        return Inspection(name=name, size=0, problems=(str(error),), refused=str(error))


def _reading(name: str, progress: Progress | None) -> "ReadOptions":
    from caveat.importers._base import ReadOptions

    if progress is None:
        return ReadOptions()
    return ReadOptions(progress=lambda done, total: progress(f"reading {name}", done, total))


def _read_through(found: "Inspection", path: Path, reading: "ReadOptions") -> "Inspection":
    """Read once with bad rows dropped and, if any was, once more as commands do."""
    problems: list[str] = []
    notices: tuple[str, ...] = ()
    refused = ""
    try:
        tables = _tables(path, found.name, reading, "drop").values()
    except CaveatError as error:
        problems.append(str(error))
    else:
        notices = tuple(n for table in tables for n in table.provenance.notices)
        problems += [p for table in tables for p in _dropped(table.provenance.account)]
    if problems:
        try:
            _tables(path, found.name, reading, "error")
        except CaveatError as error:
            refused = str(error)
            problems = [refused, *(p for p in problems if p != refused)]
    known = [p for p in found.problems if p not in problems]
    if not found.parts and problems:
        known = []  # the head was judged by the same rules
    return replace(found, problems=(*problems, *known), notices=notices, refused=refused)


def _tables(
    path: Path, name: str, reading: "ReadOptions", bad_rows: "BadRows"
) -> "dict[Kind, Evidence]":
    from caveat.importers.reading import read_path

    parts: dict[Kind, list[Evidence]] = {}
    for evidence in read_path(path, options=replace(reading, bad_rows=bad_rows), name=name):
        parts.setdefault(evidence.kind, []).append(evidence)
    return combined(parts, bad_rows=bad_rows)


def _dropped(account: "Account") -> list[str]:
    """Say what would be dropped and why; cells of 0 in tables of counts are no fault."""
    return [
        f"{drop.count:,} of {account.rows_read:,} rows cannot be used: {drop.reason}"
        f" (first: {'; '.join(drop.examples[:_PLACES])})"
        for drop in account.drops
        if drop.reason != _USUAL and drop.count
    ]
