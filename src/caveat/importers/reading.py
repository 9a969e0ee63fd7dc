"""Reads any source into evidence."""

from dataclasses import dataclass, replace
from pathlib import Path

from caveat._files import on_disk, sha256_of
from caveat.data.evidence import Evidence, told
from caveat.data.schema import Kind
from caveat.errors import InputError, SourceError, UnrecognisedError
from caveat.importers._base import ReadOptions
from caveat.importers.bundling import Claimed, claimed
from caveat.importers.detect import detect
from caveat.importers.inspecting import Inspection, inspect_path
from caveat.importers.layout import read_table
from caveat.importers.opening import Member, files_in, members
from caveat.importers.resembling import resembles_evidence
from caveat.results.provenance import Account, Drop

__all__ = ["Inspection", "Survey", "inspect_path", "read_path", "survey_path"]

_DEFAULTS = ReadOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What reading a path gave, file by file.

    Attributes
    ----------
    found : tuple of Evidence
        One table for each file or member, or group of files.
    passed, failed : tuple of (str, str)
        Files that are no evidence, and files that cannot be read, each with the reason.
    """

    found: tuple[Evidence, ...]
    passed: tuple[tuple[str, str], ...] = ()
    failed: tuple[tuple[str, str], ...] = ()


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
        One table for each file or member, or group of files that belong together; not
        de-duplicated.

    Raises
    ------
    SourceError
        When a file is missing, damaged, too large or of no known format.
    InputError
        When columns are missing or a cell breaks a rule.
    """
    path = to_path(path)
    reader = _Reader(options, kind)
    reader.read_all(path, name or str(path))
    return reader.told(str(path))


def survey_path(path: str | Path, *, options: ReadOptions = _DEFAULTS) -> Survey:
    """Read a file, an archive or a folder, and say of every file what came of it.

    What would stop `read_path` is told instead, so that one look shows all there is to mend.

    Raises
    ------
    SourceError
        When there is no such path, or the folder holds no files or too many.
    """
    path = to_path(path)
    reader = _Surveyor(options, None)
    try:
        reader.read_all(path, str(path))
    except (SourceError, InputError) as error:
        if not path.exists() or path.is_dir():
            raise
        reader.failed.append((str(path), str(error)))
    return reader.survey()


def to_path(path: str | Path) -> Path:
    """Return the path of a source; an empty one is refused, for it would be the current folder."""
    if not str(path):
        raise InputError(f"source must be a path, got {path!r}")
    return Path(path)


class _Reader:
    """Reads files and keeps what became of each."""

    def __init__(self, options: ReadOptions, kind: Kind | None) -> None:
        self._options, self._kind = options, kind
        self._found: list[Evidence] = []
        self._passed: list[tuple[str, str]] = []
        self._lost: list[Drop] = []
        self._digests: dict[Path, str] = {}

    def read_all(self, path: Path, name: str) -> None:
        """Read a path, whatever it is."""
        if path.is_dir():
            files = files_in(path, self._options.limits)
            self.read(tuple((file, str(file)) for file in files), alone=False)
            return
        with on_disk(path, self._options.limits) as file:
            self.read(((file, name),), alone=True)

    def read(self, files: tuple[tuple[Path, str], ...], *, alone: bool) -> None:
        """Read files with the names messages call them; `alone`: the one that was named."""
        plain: list[Member] = []
        archives: list[tuple[Member, ...]] = []
        for file, name in files:
            found = self._members(file, name, alone=alone)
            if found and found[0].inside is None:
                plain += found
            elif found:
                archives.append(found)
        for group in (tuple(plain), *archives):
            self._read_group(group, alone=alone)

    def told(self, name: str) -> tuple[Evidence, ...]:
        """Return what was found; what was passed over and what was lost is told by the first."""
        if not self._found:
            if self._lost:
                raise SourceError(self._lost[0].reason)
            raise SourceError(f"{name}: none of the {len(self._passed)} files in it holds evidence")
        first = self._found[0]
        if self._passed:
            what = self._kind or "recognised as evidence"
            first = told(first, f"passed over, not {what}: {_listed([n for n, _ in self._passed])}")
        if self._lost:
            lost = Account(
                rows_read=len(self._lost),
                kept=0,
                drops=tuple(self._lost),
            )
            names = _listed([drop.examples[0] for drop in self._lost])
            first = told(first, f"not read, for it is damaged: {names}")
            account = first.provenance.account + lost
            first = replace(first, provenance=replace(first.provenance, account=account))
        return (first, *self._found[1:])

    def _members(self, file: Path, name: str, *, alone: bool) -> tuple[Member, ...]:
        options = self._options
        try:
            return members(file, limits=options.limits, progress=options.progress, name=name)
        except UnrecognisedError as error:
            if alone:
                raise
            self._passed.append((name, str(error)))
        except SourceError as error:
            if alone:
                raise
            self._lose(name, error)
        return ()

    def _read_group(self, group: tuple[Member, ...], *, alone: bool) -> None:
        claims, rest = claimed(group, alone=alone and len(group) == 1)
        alone = alone and len(claims) + len(rest) == 1
        for claim in claims:
            self._read_claim(claim, alone=alone)
        for member in rest:
            self._read_one(member, alone=alone)

    def _read_claim(self, claimed: Claimed, *, alone: bool) -> None:
        try:
            self._found += claimed.read(self._options, self._kind)
        except UnrecognisedError as error:
            if alone:
                raise
            self._passed.append((claimed.claim.name, str(error)))
        except (SourceError, InputError) as error:
            if alone:
                raise
            self._lose(claimed.claim.name, error)

    def _read_one(self, member: Member, *, alone: bool) -> None:
        try:
            evidence = _read_member(member, self._options, self._kind)
        except SourceError as error:
            known = not isinstance(error, UnrecognisedError)
            known = known and resembles_evidence(member, self._options)
            if alone:
                raise
            if known:
                self._lose(member.name, error)
            else:
                self._passed.append((member.name, str(error)))
        except InputError as error:
            self._break(member.name, error)
        else:
            self._found.append(self._with_digest(evidence, member.path))

    def _break(self, _name: str, error: Exception) -> None:
        """Stop at a cell that breaks a rule; dropping bad rows is the business of who reads it."""
        raise error

    def _lose(self, name: str, error: Exception) -> None:
        """Stop at a file that cannot be read, or count it as one dropped row."""
        if self._options.bad_rows != "drop":
            raise error
        self._lost.append(Drop(reason=f"a file cannot be read: {error}", count=1, examples=(name,)))

    def _with_digest(self, evidence: Evidence, path: Path) -> Evidence:
        if path not in self._digests:
            self._digests[path] = sha256_of(path)
        digest, size = self._digests[path], path.stat().st_size
        sources = tuple(replace(s, sha256=digest, size=size) for s in evidence.provenance.sources)
        return replace(evidence, provenance=replace(evidence.provenance, sources=sources))


class _Surveyor(_Reader):
    """Goes on behind what cannot be read."""

    def __init__(self, options: ReadOptions, kind: Kind | None) -> None:
        super().__init__(options, kind)
        self.failed: list[tuple[str, str]] = []

    def survey(self) -> Survey:
        """Return all that came of it."""
        return Survey(
            found=tuple(self._found), passed=tuple(self._passed), failed=tuple(self.failed)
        )

    def _break(self, name: str, error: Exception) -> None:
        self.failed.append((name, str(error)))

    def _lose(self, name: str, error: Exception) -> None:
        self.failed.append((name, str(error)))


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
        raise UnrecognisedError(
            f"{member.name}: must hold {kind}, got {importer.kind} ({importer.name})"
        )
    return importer.read(member, options)


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:5]) + (" ..." if len(names) > 5 else "")
    return f"{shown} ({len(names)} in all)"
