"""Logs of Inspect: `.eval` archives, also compressed by zstd, and `.json`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import SourceError, UnrecognisedError
from caveat.importers._base import Claim, Dropped, ReadOptions
from caveat.importers.case_fields import mapping
from caveat.importers.inspect_header import Header, read_header
from caveat.importers.inspect_samples import InspectSamples
from caveat.importers.json_values import json_object
from caveat.importers.json_walk import walk
from caveat.importers.opening import Member
from caveat.importers.parts import Part
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_HEADER, _START = "header.json", "_journal/start.json"
_JSON = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"\w+"\s*,\s*"eval"\s*:'
)
_FILE = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[^_]*)_.*_([A-Za-z0-9]{16,})\.(?:eval|json)$")
_NO_SAMPLES = (
    "{file}: a log of Inspect without samples (status {status!r}{error}); run it with log_samples"
)
_RETRIED = (
    "{file}: the run has status {status!r} and was tried again in {later}, which holds its "
    "samples; name that log"
)


class InspectLogs:
    """Reads every epoch and every score; what broke is missing, not wrong."""

    name = "inspect"
    doc = "Inspect logs: .eval (deflate or zstd) and .json"
    kinds: tuple[Kind, ...] = ("responses",)

    def claims(self, parts: tuple[Part, ...]) -> Iterable[Claim]:
        """Look for the files inside an `.eval`, or the beginning of a `.json`."""
        inside = {part.member.inside for part in parts}
        if _HEADER in inside or (_START in inside and None not in inside):
            if any(str(name).startswith(("samples/", "_journal/")) for name in inside):
                name = parts[0].member.name.partition("!")[0]
                yield Claim(name=name, parts=parts, kind="responses")
            return
        for part in parts:
            if _JSON.match(part.start):
                yield Claim(name=part.member.name, parts=(part,), kind="responses")

    def read(self, claim: Claim, options: ReadOptions) -> tuple[Evidence, ...]:
        """Read one row for each sample, epoch and score."""
        part = claim.parts[0]
        archive = part.member.inside is not None
        members = {p.member.inside: p.member for p in claim.parts}
        content = _archive_header(members) if archive else _json_header(part.member)
        header = read_header(content, name=claim.name)
        _refuse_retried(part, header, claim.name)
        samples = InspectSamples(header, file=claim.name)

        def records(dropped: Dropped) -> Iterator[tuple[str, Mapping[str, Any]]]:
            if archive:
                return _archive_samples(members, options, dropped)
            return _json_samples(part.member)

        if next(iter(records(_ignore)), None) is None:
            error = f": {header.error}" if header.error else ""
            raise UnrecognisedError(
                _NO_SAMPLES.format(file=claim.name, status=header.status, error=error)
            )
        source = Source(name=claim.name, importer=self.name, kind="responses")
        evidence = read_records(samples.stream(records), RESPONSES, source, options)
        for notice in samples.notices():
            evidence = told(evidence, notice)
        return (evidence,)


def _archive_header(members: Mapping[str | None, Member]) -> Mapping[str, Any]:
    """Return the header; a run that was killed has only what it wrote when it started."""
    if _HEADER in members:
        return json_object(members[_HEADER])
    return {**json_object(members[_START]), "status": "started"}


def _json_header(member: Member) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for entry in walk(member, arrays=(("samples",),)):
        if entry.keys == ("samples",):
            break
        found[entry.keys[0]] = entry.value
    return found


def _archive_samples(
    members: Mapping[str | None, Member], options: ReadOptions, dropped: Dropped
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name in sorted(name for name in members if name and name.startswith("samples/")):
        member = members[name]
        try:
            yield member.name, json_object(member)
        except SourceError as error:
            if options.bad_rows != "drop":
                raise
            dropped("a sample that cannot be read", 1, str(error))


def _json_samples(member: Member) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for entry in walk(member, arrays=(("samples",),)):
        if entry.keys == ("samples",) and entry.number:
            yield f"{member.name}, sample {entry.number}", mapping(entry.value)


def _refuse_retried(part: Part, header: Header, name: str) -> None:
    """Refuse a broken run that was tried again: the retry keeps its samples and its task id."""
    found = _FILE.match(part.member.path.name)
    if header.status == "success" or found is None:
        return
    path = part.member.path
    for other in sorted(path.parent.glob(f"*_{found.group(2)}.*")):
        later = _FILE.match(other.name)
        if later is not None and other != path and later.group(1) > found.group(1):
            raise UnrecognisedError(
                _RETRIED.format(file=name, status=header.status, later=other.name)
            )


def _ignore(_reason: str, _count: int, _example: str, /) -> None:
    """Rows are counted when they are read in earnest."""
