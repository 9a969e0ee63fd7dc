"""Reads any source into evidence."""

from dataclasses import replace
from pathlib import Path

from caveat._files import sha256_of
from caveat.data.evidence import Evidence, told
from caveat.data.schema import Kind
from caveat.errors import InputError, SourceError, UnrecognisedError
from caveat.importers._base import ReadOptions
from caveat.importers.detect import detect
from caveat.importers.inspecting import Inspection, inspect_path
from caveat.importers.layout import read_table
from caveat.importers.opening import Member, files_in, members

__all__ = ["Inspection", "inspect_path", "read_path"]

_DEFAULTS = ReadOptions()


def read_path(
    path: str | Path, *, options: ReadOptions = _DEFAULTS, kind: Kind | None = None
) -> tuple[Evidence, ...]:
    """Read a file, an archive or a folder.

    Parameters
    ----------
    path
        A file of any known format, compressed or not, or a folder of them.
    options
        How to read it.
    kind
        Kind of evidence it must hold; None takes what it is.

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
    path = Path(path)
    files = files_in(path, options.limits) if path.is_dir() else (path,)
    found: list[Evidence] = []
    passed: list[str] = []
    for file in files:
        parts = members(file, limits=options.limits, progress=options.progress)
        read = [
            _read_or_pass(m, options, kind, passed, alone=len(parts) == 1 and file == path)
            for m in parts
        ]
        evidence = [e for e in read if e is not None]
        if evidence:
            digest, size = sha256_of(file), file.stat().st_size
            found += [_with_digest(e, digest, size) for e in evidence]
    if not found:
        raise SourceError(f"{path}: none of the {len(passed)} files in it holds evidence")
    return _told(found, passed, kind)


def _read_or_pass(
    member: Member, options: ReadOptions, kind: Kind | None, passed: list[str], *, alone: bool
) -> Evidence | None:
    try:
        return _read_member(member, options, kind)
    except UnrecognisedError:
        if alone:
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
