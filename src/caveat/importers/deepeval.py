"""Test runs of DeepEval: `test_run_*.json` in its results folder, `.latest_test_run.json`."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import InputError, UnrecognisedError
from caveat.importers._base import Head, ReadOptions
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import identity, mapping, metadata_columns, number
from caveat.importers.json_walk import begun, walk
from caveat.importers.opening import Member
from caveat.importers.record_batches import record_stream
from caveat.importers.tally import Tally
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_SINGLE, _TALK = "testCases", "conversationalTestCases"
NO_MODEL = (
    "names no model (hyperparameters.model of a DeepEval run is where it would stand); "
    "name it with --model-name"
)
NOTICE = (
    "deepeval: each metric is a row of its own; the one that most cases have is read "
    "first; cost_usd is tokenCost, the judge's cost is judge_cost_usd"
)
FAILED = "deepeval: {n} scores are missing because their metric failed; they are no zeros"
LOWER = "deepeval: metric {name!r} passes low scores; its score is kept as it is, less is better"


class DeepEval:
    """Reads each metric of each test case; metrics that failed have no score."""

    name = "deepeval"
    doc = "DeepEval test runs as JSON"
    kind: Kind = "responses"

    def recognises(self, head: Head) -> bool:
        """Look for test cases and their metrics."""
        known = begun(head)
        if _SINGLE not in known and _TALK not in known:
            return False
        cases = [*_cases(known.get(_SINGLE)), *_cases(known.get(_TALK))]
        return "metricsScores" in known or any("metricsData" in case for case in cases)

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all cases twice: the model stands behind them in the file."""
        first = _First(member, options)
        tally = Tally()
        stream = record_stream(lambda _dropped: enumerate(_rows(first, tally), start=1))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        return tally.told(told(read_records(stream, RESPONSES, source, options), NOTICE))


def _cases(value: object) -> list[Mapping[str, Any]]:
    return [c for c in value if isinstance(c, Mapping)] if isinstance(value, list) else []


class _First:
    """What a first reading tells: model, prompt, data set, and which names stand for one case."""

    def __init__(self, member: Member, options: ReadOptions) -> None:
        self._member = member
        self._asked: dict[str, set[str]] = {}
        settings: Mapping[str, Any] = {}
        benchmark: object = None
        for found in walk(member, arrays=((_SINGLE,), (_TALK,))):
            if found.number:
                case = self._case(found.value)
                self._asked.setdefault(str(case.get("name")), set()).add(_key(case))
            elif found.keys == ("hyperparameters",):
                settings = mapping(found.value)
            elif found.keys == ("datasetAlias",):
                benchmark = found.value
        model = options.model_name or settings.get("model")
        if not model:
            raise UnrecognisedError(f"{member.name}: {NO_MODEL}")
        prompt = answer_text(settings.get("prompt"))
        self.common = {
            "benchmark": str(benchmark or "deepeval"),
            "model": answer_text(model),
            "prompt": prompt if prompt is None or len(prompt) <= 60 else identity(prompt),
        }

    def cases(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the name of the item and the case."""
        for found in walk(self._member, arrays=((_SINGLE,), (_TALK,))):
            if found.number:
                case = self._case(found.value)
                name, key = str(case.get("name")), _key(case)
                yield name if len(self._asked[name]) == 1 else f"{name} {key[:8]}", case

    def _case(self, value: object) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise InputError(
                f"{self._member.name}: test cases must be objects, got {type(value).__name__}"
            )
        return value


def _key(case: Mapping[str, Any]) -> str:
    return identity(case.get("input"), case.get("scenario"))


def _rows(first: _First, tally: Tally) -> Iterator[dict[str, Any]]:
    tally.clear()
    met: Counter[str] = Counter()
    lower: set[str] = set()
    for item, case in first.cases():
        met[item] += 1
        turns = _cases(case.get("turns"))
        common = {
            **first.common,
            "item": item,
            "repeat": met[item],
            "prediction": answer_text(case.get("actualOutput") or _last_answer(turns)),
            "target": answer_text(case.get("expectedOutput") or case.get("expectedOutcome")),
            "cost_usd": number(case.get("tokenCost")),
            "latency_s": number(case.get("completionTime")),
            "input_tokens": number(case.get("inputTokenCount")),
            "output_tokens": number(case.get("outputTokenCount")),
            **metadata_columns(case.get("metadata")),
        }
        metrics = _cases(case.get("metricsData"))
        for metric in metrics:
            yield {**common, **_score(metric, tally, lower)}
        if not metrics:
            yield {**common, "metric": None, "score": None, "status": "unscored"}


def _score(metric: Mapping[str, Any], tally: Tally, lower: set[str]) -> dict[str, Any]:
    name, score = str(metric.get("name")), number(metric.get("score"))
    passed, threshold = metric.get("success"), number(metric.get("threshold"))
    failed = score is None or bool(metric.get("error"))
    tally.add(FAILED, int(failed))
    if not failed and threshold is not None and score is not None and name not in lower:
        turned = (passed is True and score < threshold) or (passed is False and score > threshold)
        if turned:
            lower.add(name)
            tally.add(LOWER.format(name=name))
    return {
        "metric": name,
        "score": None if failed else score,
        "status": "unscored" if failed else "scored",
        "passed": passed if isinstance(passed, bool) else None,
        "threshold": threshold,
        "judge": answer_text(metric.get("evaluationModel")),
        "judge_cost_usd": number(metric.get("evaluationCost")),
    }


def _last_answer(turns: list[Mapping[str, Any]]) -> object:
    said = [turn.get("content") for turn in turns if turn.get("role") == "assistant"]
    return said[-1] if said else None
