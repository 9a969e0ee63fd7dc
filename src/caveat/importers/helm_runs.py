"""Runs of HELM: folders with `run_spec.json`, `scenario_state.json`, `per_instance_stats.json`."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import UnrecognisedError
from caveat.importers._base import Claim, ReadOptions
from caveat.importers.case_fields import mapping
from caveat.importers.helm_spec import read_spec
from caveat.importers.helm_states import HelmStates
from caveat.importers.helm_stats import AllStats, read_stats
from caveat.importers.json_values import json_object
from caveat.importers.json_walk import walk
from caveat.importers.opening import Member
from caveat.importers.parts import Part
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_SPEC, _STATE, _STATS = "run_spec.json", "scenario_state.json", "per_instance_stats.json"
_BEGINNINGS = {
    _SPEC: (b'"name"', b'"adapter_spec"'),
    _STATE: (b'"adapter_spec"',),
    _STATS: (b'"instance_id"',),
}
_OTHERS = (
    "scenario.json", "stats.json", "instances.json", "display_predictions.json",
    "display_requests.json",
)  # fmt: skip
_NEEDED = (
    "{file}: a run of HELM needs {needed} beside it; name the whole run folder, or an archive of it"
)


class HelmRuns:
    """Reads instances with their answers and main metrics; perturbed copies are left out."""

    name = "helm"
    doc = "HELM run folders: run_spec.json, scenario_state.json, per_instance_stats.json"
    kinds: tuple[Kind, ...] = ("responses",)

    def claims(self, parts: tuple[Part, ...]) -> Iterable[Claim]:
        """Look for folders that have files of a run."""
        folders: dict[str, list[Part]] = {}
        for part in parts:
            if part.file in _BEGINNINGS or part.file in _OTHERS:
                folders.setdefault(part.place, []).append(part)
        for place, found in folders.items():
            own = tuple(part for part in found if _is_run(part))
            if own:
                rest = tuple(part for part in found if part.file in _OTHERS)
                name = own[0].member.name if len(parts) == 1 else place
                yield Claim(name=name, parts=(*own, *rest), kind="responses")

    def read(self, claim: Claim, options: ReadOptions) -> tuple[Evidence, ...]:
        """Read one row for each instance, trial and metric."""
        files = _files(claim)
        spec_part, state, stats = (files.get(name) for name in (_SPEC, _STATE, _STATS))
        if stats is None:
            raise UnrecognisedError(_NEEDED.format(file=claim.name, needed=_STATS))
        run_spec = json_object(spec_part) if spec_part is not None else {}
        adapter = _adapter(state) if state is not None else {}
        spec = read_spec(run_spec, adapter, name=claim.name)
        scores = read_stats(stats)
        rows = HelmStates(spec, scores, file=claim.name)
        main = state or stats
        source = Source(name=main.name, importer=self.name, kind="responses")
        evidence = read_records(rows.stream(lambda: _states(state)), RESPONSES, source, options)
        for notice in (*rows.notices(), *_without_answers(claim.name, state, scores)):
            evidence = told(evidence, notice)
        return (evidence,)


def _is_run(part: Part) -> bool:
    beginnings = _BEGINNINGS.get(part.file, ())
    return bool(beginnings) and all(key in part.start for key in beginnings)


def _files(claim: Claim) -> dict[str, Member]:
    """Return the files of the run by name, also those beside one that was named alone."""
    first = claim.parts[0]
    beside = (part for part in first.beside(*_BEGINNINGS) if _is_run(part))
    return {part.file: part.member for part in (*beside, *claim.parts)}


def _adapter(member: Member) -> Mapping[str, Any]:
    found = (e.value for e in walk(member, arrays=_ARRAYS) if e.keys == ("adapter_spec",))
    return mapping(next(found, None))


_ARRAYS = (("request_states",),)


def _states(member: Member | None) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if member is None:
        return
    for entry in walk(member, arrays=_ARRAYS):
        if entry.keys == _ARRAYS[0] and entry.number:
            yield entry.number, mapping(entry.value)


def _without_answers(name: str, state: Member | None, scores: AllStats) -> tuple[str, ...]:
    if state is not None or not scores.found:
        return ()
    return (f"{name}: no {_STATE} beside the scores: they are read without answers",)
