"""Says what a source is and what it supports, from its beginning only (`caveat doctor`)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from caveat.data.schema import Kind
from caveat.errors import CaveatError
from caveat.importers._base import ReadOptions, TableStream
from caveat.importers.bundling import Claimed, claimed
from caveat.importers.detect import detect
from caveat.importers.layout import Layout, layout_of
from caveat.importers.opening import Member, files_in, members
from caveat.importers.pair_counts import COLUMNS as COUNTS

_DEFAULTS = ReadOptions()
_SUPPORTS: dict[Kind, tuple[str, ...]] = {
    "votes": ("rank",),
    "responses": ("agree", "scores"),
    "models": ("costs",),
    "voters": ("voters",),
    "published": ("published scores",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """What one file or member is.

    Attributes
    ----------
    name, size, compression : str, int, str
    format : str
        Container: csv, jsonl, json, parquet, arrow, or the name of a special format.
    importer : str
        What would read it: the format, with the layout behind it where that is not tidy.
    kind : str or None
        Kind of evidence; None where it is none.
    columns : tuple of (str, str)
        Column of the source and its role; "a model" or "count of tie" where a column is a model
        or an outcome, "left out" for one that is not kept, "" for an extra column.
    rows : int or None
        Rows, where the format tells without reading.
    problems : tuple of str
        Why it cannot be read, or not all of it.
    supports : tuple of str
        What can be run on it.
    parts : tuple of Inspection
        Files of a folder, members of an archive.
    notices : tuple of str
        What was taken for what when it was read; empty where only the beginning was looked at.
    refused : str
        The error a command that reads it stops at; empty if there is none.
    """

    name: str
    size: int
    compression: str = "none"
    format: str = ""
    importer: str = ""
    kind: Kind | None = None
    columns: tuple[tuple[str, str], ...] = ()
    rows: int | None = None
    problems: tuple[str, ...] = ()
    supports: tuple[str, ...] = ()
    parts: tuple["Inspection", ...] = ()
    notices: tuple[str, ...] = ()
    refused: str = ""


def inspect_path(
    path: str | Path, *, options: ReadOptions = _DEFAULTS, name: str | None = None
) -> Inspection:
    """Look at a file, an archive or a folder.

    Nothing is read beyond the beginning, and nothing is raised for a file that cannot be used:
    its `problems` say why. A folder, and an archive of several files, has `parts`. `name` is what
    messages call it; its path by default.
    """
    path = Path(path)
    if path.is_dir():
        try:
            files = files_in(path, options.limits)
        except CaveatError as error:
            return Inspection(name=str(path), size=0, format="folder", problems=(str(error),))
        parts = _of_files(files, options)
        return _whole(str(path), sum(part.size for part in parts), "folder", parts)
    return _of_file(path, name or str(path), options, alone=True)


def _of_files(files: tuple[Path, ...], options: ReadOptions) -> tuple[Inspection, ...]:
    """Look at the files of a folder, archives after the others."""
    plain: list[Member] = []
    others: list[Inspection] = []
    for file in files:
        try:
            found = members(file, limits=options.limits)
        except CaveatError as error:
            others.append(_failed(file, str(file), error))
            continue
        if found and found[0].inside is None:
            plain += found
        else:
            others.append(_of_file(file, str(file), options, alone=False))
    return (*_of_members(tuple(plain), options, alone=False), *others)


def _of_file(path: Path, name: str, options: ReadOptions, *, alone: bool) -> Inspection:
    try:
        found = members(path, limits=options.limits, name=name)
    except CaveatError as error:
        return _failed(path, name, error)
    parts = _of_members(found, options, alone=alone and len(found) == 1)
    size = path.stat().st_size
    return parts[0] if len(parts) == 1 else _whole(name, size, "zip", parts)


def _failed(path: Path, name: str, error: CaveatError) -> Inspection:
    size = path.stat().st_size if path.is_file() else 0
    return Inspection(name=name, size=size, problems=(str(error),))


def _of_members(
    found: tuple[Member, ...], options: ReadOptions, *, alone: bool
) -> tuple[Inspection, ...]:
    claims, rest = claimed(found, alone=alone)
    return (
        *(_of_claim(claim) for claim in claims),
        *(_of_member(member, options) for member in rest),
    )


def _of_claim(claimed: Claimed) -> Inspection:
    claim, name = claimed.claim, claimed.bundle.name
    files = {part.member.path: part.member.compression for part in claim.parts}
    return Inspection(
        name=claim.name,
        size=sum(path.stat().st_size for path in files),
        compression=next(iter(files.values())),
        format=name,
        importer=name,
        kind=claim.kind,
        supports=_SUPPORTS.get(claim.kind, ()),
    )


def _whole(name: str, size: int, form: str, parts: tuple[Inspection, ...]) -> Inspection:
    kinds = {part.kind for part in parts if part.kind is not None}
    return Inspection(
        name=name,
        size=size,
        format=form,
        kind=kinds.pop() if len(kinds) == 1 else None,
        problems=tuple(problem for part in parts for problem in part.problems),
        supports=tuple(dict.fromkeys(s for part in parts for s in part.supports)),
        parts=parts,
    )


def _of_member(member: Member, options: ReadOptions) -> Inspection:
    size = member.path.stat().st_size
    compression = member.compression
    name = ""
    try:
        detected = detect(member)
        name = detected.name
        if detected.importer is not None:
            kind = detected.importer.kind
            return Inspection(
                name=member.name, size=size, compression=compression, format=name, importer=name,
                kind=kind, supports=_SUPPORTS[kind],
            )  # fmt: skip
        if detected.table is None:
            return Inspection(name=member.name, size=size, compression=compression)
        stream = detected.table.stream(member, options)
        return _of_table(member, stream, name, options)
    except CaveatError as error:
        return Inspection(
            name=member.name, size=size, compression=compression, format=name,
            problems=(str(error),),
        )  # fmt: skip


def _of_table(member: Member, stream: TableStream, name: str, options: ReadOptions) -> Inspection:
    layout = layout_of(stream, name=member.name, options=options, kind=None)
    empty = stream.rows == 0 or (stream.rows is None and _first_chunk_is_empty(stream))
    return Inspection(
        name=member.name,
        size=member.path.stat().st_size,
        compression=member.compression,
        format=name,
        importer=name if layout.shape == "tidy" else f"{name}, {layout.name}",
        kind=layout.plan.schema.kind,
        columns=tuple(_roles(stream.names, layout)),
        rows=stream.rows,
        problems=(f"{member.name}: has columns but no rows",) if empty else (),
        supports=() if empty else _SUPPORTS[layout.plan.schema.kind],
    )


def _roles(names: tuple[str, ...], layout: Layout) -> Iterator[tuple[str, str]]:
    if layout.known is not None:
        yield from ((name, layout.known.roles.get(name, "")) for name in names)
        return
    for old, new in layout.plan.renames.items():
        yield old, _role(old, new, layout)


def _role(old: str, new: str, layout: Layout) -> str:
    if layout.models is not None and old in layout.models.names:
        return "a model"
    if layout.shape == "pair counts" and old in COUNTS:
        return f"count of {COUNTS[old]}"
    return new if layout.plan.schema.column(new) is not None else ""


def _first_chunk_is_empty(stream: TableStream) -> bool:
    first = next(iter(stream.chunks(None, lambda *_: None)), None)
    return first is None or first[1].num_rows == 0
