"""Reports of pydantic-evals, as `EvaluationReportAdapter.dump_json` writes them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import UnrecognisedError
from caveat.importers._base import Head, ReadOptions
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import mapping, metadata_columns, number, score_of
from caveat.importers.json_walk import begun, walk
from caveat.importers.opening import Member
from caveat.importers.record_batches import record_stream
from caveat.importers.tally import Tally
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_ARRAYS = (("cases",), ("failures",), ("analyses",), ("report_evaluator_failures",))
_MARKS = frozenset({"assertions", "scores", "labels", "task_duration"})
NOTICE = (
    "pydantic_evals: each assertion and each score is a metric of its own; the one that most cases "
    "have is read first, assertions before scores; labels are no scores and left out"
)
MODEL = (
    "{file}: the model is the report's name, {name!r}, for its metadata name none; "
    "--model-name says another"
)
FAILED = "pydantic_evals: {n} evaluators failed; what they would have scored is missing, not 0"
CRASHED = "pydantic_evals: {n} cases failed before they were answered; they have no score"


class PydanticEvals:
    """Reads assertions and scores of each case; cases that failed have no score."""

    name = "pydantic_evals"
    doc = "pydantic-evals reports as JSON"
    kind: Kind = "responses"

    def recognises(self, head: Head) -> bool:
        """Look for a name and cases with assertions and scores."""
        known = begun(head)
        cases = known.get("cases")
        if not isinstance(cases, list) or "name" not in known:
            return False
        return any(set(mapping(case)) >= _MARKS for case in cases) or (
            not cases and "failures" in known
        )

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all cases twice: what the report is about stands behind them in the file."""
        first = _First(member, options)
        tally = Tally()
        stream = record_stream(lambda _dropped: enumerate(_rows(member, first, tally), start=1))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        evidence = told(read_records(stream, RESPONSES, source, options), NOTICE)
        return tally.told(told(evidence, first.notice) if first.notice else evidence)


class _First:
    """What a first reading tells: model, data set, metrics in the order they are read."""

    def __init__(self, member: Member, options: ReadOptions) -> None:
        found_of: dict[str, Any] = {}
        asserted: dict[str, None] = {}
        scored: dict[str, None] = {}
        for found in walk(member, arrays=_ARRAYS):
            if found.keys == ("cases",) and found.number:
                asserted |= dict.fromkeys(mapping(mapping(found.value).get("assertions")))
                scored |= dict.fromkeys(mapping(mapping(found.value).get("scores")))
            elif not found.number:
                found_of[found.keys[0]] = found.value
        name = str(found_of.get("name") or "")
        stated = mapping(found_of.get("experiment_metadata")).get("model")
        model = options.model_name or answer_text(stated) or name
        if not model:
            raise UnrecognisedError(f"{member.name}: names no model; name it with --model-name")
        self.metrics = (*asserted, *(m for m in scored if m not in asserted))
        self.notice = (
            None if options.model_name or stated else MODEL.format(file=member.name, name=name)
        )
        self.common = {
            "benchmark": str(found_of.get("dataset_name") or "pydantic_evals"),
            "model": model,
        }


def _rows(member: Member, first: _First, tally: Tally) -> Iterator[dict[str, Any]]:
    tally.clear()
    met: Counter[str] = Counter()
    for found in walk(member, arrays=_ARRAYS):
        if not found.number or found.keys[0] not in ("cases", "failures"):
            continue
        case = mapping(found.value)
        item = str(case.get("source_case_name") or case.get("name"))
        met[item] += 1
        common = {**first.common, "item": item, "repeat": met[item], **_about(case)}
        if found.keys == ("failures",):
            tally.add(CRASHED)
            for metric in first.metrics or (None,):
                yield {**common, "metric": metric, "score": None, "status": "error"}
        else:
            for row in _scores(case, first, tally):
                yield {**common, **row}


def _about(case: Mapping[str, Any]) -> dict[str, Any]:
    used = mapping(case.get("metrics"))
    return {
        "prediction": answer_text(case.get("output")),
        "target": answer_text(case.get("expected_output")),
        "latency_s": number(case.get("task_duration")),
        "cost_usd": number(used.get("cost")),
        "input_tokens": number(used.get("input_tokens")),
        "output_tokens": number(used.get("output_tokens")),
        **metadata_columns(case.get("metadata")),
    }


def _scores(case: Mapping[str, Any], first: _First, tally: Tally) -> Iterator[dict[str, Any]]:
    given = {**mapping(case.get("scores")), **mapping(case.get("assertions"))}
    failed = case.get("evaluator_failures")
    names = [str(mapping(f).get("name")) for f in failed] if isinstance(failed, list) else []
    for name in (m for m in first.metrics if m in given):
        score = score_of(mapping(given[name]).get("value"))
        status = "unscored" if score is None else "scored"
        yield {"metric": name, "score": score, "status": status}
    tally.add(FAILED, len(names))
    for name in (m for m in first.metrics if m in names and m not in given):
        yield {"metric": name, "score": None, "status": "unscored"}
    if not given and not names:
        yield {"metric": None, "score": None, "status": "unscored"}
