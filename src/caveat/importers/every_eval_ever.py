"""Every Eval Ever: files of results, each with a file of samples beside it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from caveat.data import every_eval_ever as eee
from caveat.data.builder import show
from caveat.data.evidence import Evidence, told
from caveat.data.schema import PUBLISHED, RESPONSES, VOTES, Kind
from caveat.errors import UnrecognisedError
from caveat.importers._base import Claim, ReadOptions
from caveat.importers.eee_results import Aggregate, load, published
from caveat.importers.eee_samples import sample_stream
from caveat.importers.record_batches import record_stream
from caveat.importers.tally import Tally
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

if TYPE_CHECKING:
    from caveat.importers.parts import Part

_SAMPLES = "_samples.jsonl"
_OF_SAMPLES = (b'"evaluation_id"', b'"sample_id"', b'"model_id"')
_OF_RESULTS = (b'"evaluation_id"', b'"retrieved_timestamp"', b'"source_metadata"')
_OWN_VOTES = b'"caveat.kind":"votes"'


class EveryEvalEver:
    """Reads samples as responses, and the scores of the file beside them as published ones."""

    name = "every_eval_ever"
    doc = "Every Eval Ever 0.3: <uuid>.json and <uuid>_samples.jsonl"
    kinds: tuple[Kind, ...] = ("responses", "published", "votes")
    tested = eee.SCHEMA_VERSION

    def claims(self, parts: "tuple[Part, ...]") -> Iterable[Claim]:
        """Put each file of samples together with the file of results of its name."""
        known = {id(part) for part in parts}
        taken: set[int] = set()
        for part in parts:
            if _holds(part, _OF_SAMPLES) and b'"evaluation_results"' not in part.start:
                stem = part.file.partition(_SAMPLES)[0]
                pair = [p for p in part.beside(f"{_literal(stem)}.json*") if _is_results(p)][:1]
                if id(part) in taken or any(id(p) in taken for p in pair):
                    continue
                taken |= {id(part), *(id(p) for p in pair)}
                kind: Kind = "votes" if _OWN_VOTES in part.start else "responses"
                yield Claim(name=part.member.name, parts=(part, *pair), kind=kind)
        for part in parts:
            if id(part) in taken or not _is_results(part):
                continue
            stem = part.file.partition(".json")[0]
            pair = [p for p in part.beside(f"{_literal(stem)}{_SAMPLES}*") if id(p) not in known]
            kind = "responses" if pair else "published"
            yield Claim(name=part.member.name, parts=(*pair, part), kind=kind)

    def read(self, claim: Claim, options: ReadOptions) -> tuple[Evidence, ...]:
        """Read the samples where there are some, and the results where there are some."""
        results = next((p for p in claim.parts if _is_results(p)), None)
        samples = next((p for p in claim.parts if p is not results), None)
        aggregate = load(results.member) if results is not None else Aggregate()
        found = []
        if samples is not None:
            found.append(self._samples(samples, aggregate, options))
        if results is not None and aggregate.results:
            found.append(self._published(results, aggregate, options))
        if not found:
            raise UnrecognisedError(f"{claim.name}: holds neither samples nor results")
        return tuple(found)

    def _samples(self, part: "Part", aggregate: Aggregate, options: ReadOptions) -> Evidence:
        tally = Tally()
        votes = _OWN_VOTES in part.start
        stream = sample_stream(part.member, aggregate, options, tally)
        source = Source(
            name=part.member.name, importer=self.name, kind="votes" if votes else "responses"
        )
        evidence = read_records(stream, VOTES if votes else RESPONSES, source, options)
        if not aggregate.name:
            evidence = told(
                evidence,
                f"{part.member.name}: no file of results lies beside it; ids of results are read "
                "as names of metrics",
            )
        return tally.told(evidence)

    def _published(self, part: "Part", aggregate: Aggregate, options: ReadOptions) -> Evidence:
        source = Source(name=part.member.name, importer=self.name, kind="published")
        stream = record_stream(lambda _dropped: published(aggregate))
        plain = replace(options, mapping={})
        evidence = read_records(stream, PUBLISHED, source, plain)
        version = aggregate.document.get("schema_version")
        if version == eee.SCHEMA_VERSION:
            return evidence
        return told(
            evidence,
            f"{part.member.name}: schema version {show(version)} was not tested here (tested: "
            f"{eee.SCHEMA_VERSION}); it was read as that one",
        )


def _is_results(part: "Part") -> bool:
    return _holds(part, _OF_RESULTS)


def _holds(part: "Part", words: tuple[bytes, ...]) -> bool:
    start = part.start
    return start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and all(w in start for w in words)


def _literal(name: str) -> str:
    """Return a name as a shell pattern that matches it alone."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)
