"""What the observations of Langfuse tell of each trace: who answered what, at which cost."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import identity, mapping
from caveat.importers.nested_cells import number_in, opened

UNKNOWN = "the trace of the score is not in the export"
SEVERAL = "several models worked on the trace, so that the score belongs to none of them"
NO_MODEL = "no model worked on what was scored"
JUDGES = (
    "langfuse: {n} calls of judging models (evaluators, environments langfuse-...) are no answers "
    "and count neither as cost nor as tokens"
)
NO_COST = (
    "langfuse: {n} calls have cost 0 and no model definition behind it; their cost is read as "
    "unknown"
)
_JUDGING = "EVALUATOR"
_SHORT = 60


@dataclass(slots=True)
class Answer:
    """What one model did on one trace, over all its calls."""

    model: str
    prompt: str | None
    prediction: str | None
    asked: str | None
    benchmark: str
    input_tokens: float | None
    output_tokens: float | None
    cost: float | None
    latency: float | None
    failed: bool
    at: str

    def columns(self, model: str | None) -> dict[str, Any]:
        """Return the fields of a response."""
        return {
            "benchmark": self.benchmark,
            "item": self.asked,
            "model": model or self.model,
            "prompt": self.prompt,
            "prediction": self.prediction,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": self.cost,
            "latency_s": self.latency,
        }


class Traces:
    """Calls of models, by trace and by observation."""

    def __init__(self) -> None:
        self._calls: dict[str, dict[str, Answer]] = {}
        self._parents: dict[str, tuple[str, str]] = {}
        self._asked: dict[str, str] = {}
        self._judging: list[tuple[str, str]] = []
        self._settled: dict[str, Answer] = {}
        self.judges = self.free = 0

    def take(self, record: Mapping[str, Any], role: str) -> None:
        """Take note of one observation, or of one trace."""
        own = str(record.get("id") or "")
        if role == "traces":
            return
        trace = str(record.get("trace_id") or "")
        parent = str(record.get("parent_observation_id") or "")
        kind = str(record.get("type") or "").upper()
        self._parents[own] = (parent, kind)
        if str(record.get("environment") or "").startswith("langfuse-"):
            self.judges += int(bool(record.get("provided_model_name")))
            return
        asked = opened(record.get("input"))
        if not parent and asked is not None:
            self._asked[trace] = _item(record, asked)
        if record.get("provided_model_name"):
            self._calls.setdefault(trace, {})[own] = self._call(record, asked)

    def _call(self, record: Mapping[str, Any], asked: object) -> Answer:
        usage = mapping(opened(record.get("usage_details")))
        cost = number_in(record.get("total_cost"))
        unknown = cost == 0 and not record.get("model_id")
        self.free += int(unknown)
        named, version = record.get("prompt_name"), record.get("prompt_version")
        return Answer(
            model=str(record["provided_model_name"]),
            prompt=f"{named} {version}".removesuffix(".0") if named and version else named or None,
            prediction=answer_text(opened(record.get("output"))),
            asked=None if asked is None else _item(record, asked),
            benchmark=str(record.get("trace_name") or "langfuse"),
            input_tokens=number_in(usage.get("input")),
            output_tokens=number_in(usage.get("output")),
            cost=None if unknown else cost,
            latency=_seconds(record),
            failed=str(record.get("level") or "").upper() == "ERROR",
            at=str(record.get("start_time") or ""),
        )

    def answer(self, trace: str, observation: str) -> tuple[Answer | None, str]:
        """Return the answer that a score of a trace or of one observation is about."""
        calls = self._own(trace)
        if observation in calls:
            answer = calls[observation]
            answer.asked = self._asked.get(trace) or answer.asked or trace
            return answer, ""
        if not calls:
            return None, NO_MODEL if trace in self._asked or trace in self._calls else UNKNOWN
        if len({call.model for call in calls.values()}) > 1:
            return None, SEVERAL
        return self._whole(trace, calls), ""

    def answers(self) -> Iterator[tuple[str, Answer]]:
        """Yield each trace on which one model worked, and its answer."""
        for trace in self._calls:
            calls = self._own(trace)
            if len({call.model for call in calls.values()}) == 1:
                yield trace, self._whole(trace, calls)

    def told(self, evidence: Evidence) -> Evidence:
        """Return the evidence with what is to be told of the calls."""
        for notice, count in ((JUDGES, self.judges), (NO_COST, self.free)):
            if count:
                evidence = told(evidence, notice.replace("{n}", f"{count:,}"))
        return evidence

    def _own(self, trace: str) -> dict[str, Answer]:
        """Return the calls of a trace that no evaluator made."""
        calls = self._calls.get(trace, {})
        for call in [own for own in calls if self._is_judge(own)]:
            del calls[call]
            self.judges += 1
        return calls

    def _is_judge(self, own: str) -> bool:
        seen: set[str] = set()
        while own and own not in seen:
            seen.add(own)
            own, kind = self._parents.get(own, ("", ""))
            if kind == _JUDGING:
                return True
        return False

    def _whole(self, trace: str, calls: Mapping[str, Answer]) -> Answer:
        """Return all calls of a trace as one answer: the last one's text, everybody's tokens."""
        if trace not in self._settled:
            ordered = sorted(calls.values(), key=lambda call: call.at)
            last = ordered[-1]
            if len(ordered) > 1:
                last = Answer(
                    model=last.model,
                    prompt=last.prompt,
                    prediction=last.prediction,
                    asked=ordered[0].asked,
                    benchmark=last.benchmark,
                    input_tokens=_sum(call.input_tokens for call in ordered),
                    output_tokens=_sum(call.output_tokens for call in ordered),
                    cost=_sum(call.cost for call in ordered),
                    latency=_sum(call.latency for call in ordered),
                    failed=last.failed,
                    at=last.at,
                )
            last.asked = self._asked.get(trace) or last.asked or trace
            self._settled[trace] = last
        return self._settled[trace]


def _item(record: Mapping[str, Any], asked: object) -> str:
    """Return the id of a data set's item where the metadata has it, else a name of the input."""
    known = mapping(opened(record.get("metadata"))).get("dataset_item_id")
    if known:
        return str(known)
    text = answer_text(asked)
    if isinstance(asked, str) and text is not None and len(text) <= _SHORT:
        return text
    return identity(asked)


def _sum(values: Iterator[float | None]) -> float | None:
    """Return a sum; unknown where a part is."""
    found = list(values)
    return None if None in found else sum(v for v in found if v is not None)


def _seconds(record: Mapping[str, Any]) -> float | None:
    start, end = (_time(record.get(name)) for name in ("start_time", "end_time"))
    return None if start is None or end is None else (end - start).total_seconds()


def _time(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if not isinstance(value, str) or not value:
        return None
    try:
        return datetime.fromisoformat(value.strip()).replace(tzinfo=None)
    except ValueError:
        return None
