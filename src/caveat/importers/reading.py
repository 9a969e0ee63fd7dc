"""Reads any source into evidence."""

from dataclasses import replace
from pathlib import Path

from caveat._files import on_disk, sha256_of
from caveat.data.evidence import Evidence, told
from caveat.data.schema import Kind
from caveat.errors import InputError, SourceError, UnrecognisedError
from caveat.importers._base import ReadOptions
from caveat.importers.detect import detect
from caveat.importers.inspecting import Inspection, inspect_path
from caveat.importers.layout import read_table
from caveat.importers.opening import Member, files_in, members
from caveat.importers.resembling import resembles_evidence

__all__ = ["Inspection", "inspect_path", "read_path"]

_DEFAULTS = ReadOptions()


def read_path(
    path: str | Path,
    *,
    options: ReadOptions = _DEFAULTS,
    kind: Kind | None = None,
    name: str | None = None,
) -> tuple[Evidence, ...]:
    """Read a file, an archive or a folder.

    Parameters
    ----------
    path
        A file of any known format, compressed or not, a pipe that brings one, or a folder of them.
    options
        How to read it.
    kind
        Kind of evidence it must hold; None takes what it is.
    name
        What messages call the source; its path by default.

    Returns
    -------
    tuple of Evidence
        One table for each file or member; not de-duplicated.

    Raises
    ------
    SourceError
        When a file is missing, damaged, too large or of no known format.
    InputError
        When columns are missing or a cell breaks a rule.
    """
    path = to_path(path)
    found: list[Evidence] = []
    passed: list[str] = []
    if path.is_dir():
        for file in files_in(path, options.limits):
            found += _read_file(file, str(file), options, kind, passed, alone=False)
    else:
        with on_disk(path, options.limits) as file:
            found += _read_file(file, name or str(path), options, kind, passed, alone=True)
    if not found:
        raise SourceError(f"{path}: none of the {len(passed)} files in it holds evidence")
    return _told(found, passed, kind)


def to_path(path: str | Path) -> Path:
    """Return the path of a source; an empty one is refused, for it would be the current folder."""
    if not str(path):
        raise InputError(f"source must be a path, got {path!r}")
    return Path(path)


def _read_file(
    file: Path,
    name: str,
    options: ReadOptions,
    kind: Kind | None,
    passed: list[str],
    *,
    alone: bool,
) -> list[Evidence]:
    try:
        parts = members(file, limits=options.limits, progress=options.progress, name=name)
    except UnrecognisedError:
        if alone:
            raise
        passed.append(name)
        return []
    alone = alone and len(parts) == 1
    read = [_read_or_pass(member, options, kind, passed, alone=alone) for member in parts]
    evidence = [e for e in read if e is not None]
    if not evidence:
        return []
    digest, size = sha256_of(file), file.stat().st_size
    return [_with_digest(e, digest, size) for e in evidence]


def _read_or_pass(
    member: Member, options: ReadOptions, kind: Kind | None, passed: list[str], *, alone: bool
) -> Evidence | None:
    try:
        return _read_member(member, options, kind)
    except SourceError as error:
        known = not isinstance(error, UnrecognisedError) and resembles_evidence(member, options)
        if alone or known:
            raise
        passed.append(member.name)
        return None


def _read_member(member: Member, options: ReadOptions, kind: Kind | None) -> Evidence:
    detected = detect(member)
    if detected.table is not None:
        stream = detected.table.stream(member, options)
        return read_table(
            stream, name=member.name, format_name=detected.name, options=options, kind=kind
        )
    importer = detected.importer
    if importer is None:
        raise UnrecognisedError(f"{member.name}: of no format known here")
    if kind is not None and kind != importer.kind:
        raise InputError(f"{member.name}: must hold {kind}, got {importer.kind} ({importer.name})")
    return importer.read(member, options)


def _with_digest(evidence: Evidence, digest: str, size: int) -> Evidence:
    sources = tuple(replace(s, sha256=digest, size=size) for s in evidence.provenance.sources)
    return replace(evidence, provenance=replace(evidence.provenance, sources=sources))


def _told(found: list[Evidence], passed: list[str], kind: Kind | None) -> tuple[Evidence, ...]:
    if not passed:
        return tuple(found)
    names = ", ".join(passed[:5]) + (" ..." if len(passed) > 5 else "")
    notice = f"passed over, not {kind or 'recognised as evidence'}: {names} ({len(passed)} in all)"
    return (told(found[0], notice), *found[1:])
