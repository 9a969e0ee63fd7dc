"""Results of promptfoo: `promptfoo eval -o results.json` or `results.jsonl`."""

from collections.abc import Iterator, Mapping
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import InputError
from caveat.importers._base import Dropped, Head, ReadOptions
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import mapping, metadata_columns, number
from caveat.importers.json_lines import line_records
from caveat.importers.json_walk import begun, walk
from caveat.importers.opening import Member
from caveat.importers.promptfoo_assertions import verdict
from caveat.importers.promptfoo_cases import Cases, prompt_of
from caveat.importers.record_batches import record_stream
from caveat.importers.tally import Tally
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

KNOWN_VERSIONS = (2, 3)
MAIN = "pass"
_RESULTS = ("results", "results")
_ARRAYS = (_RESULTS, ("results", "table", "body"), ("config", "tests"), ("config", "scenarios"))
_LINE = frozenset({"gradingResult", "provider", "success", "testCase"})
_ERROR = 2
NOTICE = (
    "promptfoo: metric 'pass' is read first: whether the assertions about the content passed; "
    "assertions about latency, cost and perplexity are left out of it (promptfoo's own verdict is "
    "in promptfoo_pass and promptfoo_score)"
)
REBUILT = "promptfoo: in {n} results an assertion about latency, cost or perplexity was left out"
NO_COST = (
    "promptfoo: {n} results have cost 0, which it writes for models whose price it does not "
    "know; their cost is read as unknown"
)
CACHED = "promptfoo: {n} results came from its cache; their latency and cost are read as unknown"
BROKEN = (
    "promptfoo: {n} answers were not scored because an assertion broke down; they have no score"
)
UNCLEAR = (
    "promptfoo: {n} results have no score: assertions about latency or cost count in their "
    "verdict, and the file does not say how it was made (by a scoring function, or by a "
    "threshold that old versions do not write)"
)


class Promptfoo:
    """Reads each output with the verdicts on its content; failed calls have no score."""

    name = "promptfoo"
    doc = "promptfoo results as JSON or JSON lines (results version 2 and 3)"
    kind: Kind = "responses"

    def recognises(self, head: Head) -> bool:
        """Look for results with a version and prompts, or for the keys of one result."""
        if set(head.keys) >= _LINE:
            return True
        results = begun(head).get("results")
        return isinstance(results, dict) and {"version", "results"} <= set(results)

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all results twice: first for the names of items and columns, then for the rows."""
        start, _ = member.head(4096)
        lines = b'"results"' not in start.split(b"\n", 1)[0][:2000] and _is_line(member)
        first = _First(member, options, lines=lines)
        tally = Tally()
        stream = record_stream(lambda dropped: _rows(first, options, dropped, tally))
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        evidence = told(read_records(stream, RESPONSES, source, options), NOTICE)
        for notice in first.notices:
            evidence = told(evidence, notice)
        return tally.told(evidence)


def _is_line(member: Member) -> bool:
    data, _ = member.head()
    return not isinstance(begun(Head(data=data, complete=False)).get("results"), dict)


class _First:
    """What a first reading tells: names of items and columns, benchmark, version."""

    def __init__(self, member: Member, options: ReadOptions, *, lines: bool) -> None:
        self.member, self._options, self._lines = member, options, lines
        self.cases = Cases()
        self.benchmark = "promptfoo"
        self.notices: list[str] = []
        self._version: object = None
        for _, result in self.results(_uncounted):
            self.cases.meet(result)
        self.cases.settle()
        self.names = self.cases.items()
        if not lines and self._version not in KNOWN_VERSIONS:
            self.notices.append(
                f"{member.name}: promptfoo results version {self._version!r} is not known here "
                f"(known: {', '.join(map(str, KNOWN_VERSIONS))}); read like version 3"
            )
        twins = ", ".join(self.cases.twins())
        if twins:
            self.notices.append(
                f"{member.name}: several columns have one provider and one prompt, so they are "
                f"told apart by their number: {twins}; give providers labels"
            )

    def results(self, dropped: Dropped) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Yield number and record of each result."""
        if self._lines:
            yield from line_records(self.member, self._options, dropped)
            return
        for found in walk(self.member, arrays=_ARRAYS):
            if found.keys == _RESULTS and found.number:
                if not isinstance(found.value, dict):
                    raise InputError(
                        f"{self.member.name}: results.results must hold objects, "
                        f"got {type(found.value).__name__}"
                    )
                yield found.number, found.value
            elif found.keys == ("results", "version"):
                self._version = found.value
            elif found.keys == ("config", "description") and isinstance(found.value, str):
                self.benchmark = found.value.strip()[:100] or self.benchmark


def _uncounted(_reason: str, _count: int, _example: str, /) -> None:
    """Rows are counted in the second reading."""


def _rows(
    first: _First, options: ReadOptions, dropped: Dropped, tally: Tally
) -> Iterator[tuple[int, dict[str, Any]]]:
    tally.clear()
    first.cases.begin()
    row = 0
    for _, result in first.results(dropped):
        for record in _records(result, first, options, tally):
            row += 1
            yield row, record


def _records(
    result: Mapping[str, Any], first: _First, options: ReadOptions, tally: Tally
) -> Iterator[dict[str, Any]]:
    test, grading = mapping(result.get("testCase")), mapping(result.get("gradingResult"))
    judged = verdict(grading, test)
    status = _status(result, grading, judged.passed)
    if judged.rebuilt:
        tally.add(REBUILT)
        tally.add(UNCLEAR, int(judged.unclear))
    if status == "unscored" and result.get("failureReason") == _ERROR:
        tally.add(BROKEN)
    common = {
        "benchmark": first.benchmark,
        **first.cases.place(result, first.names),
        "model": options.model_name or first.cases.model(result),
        "prompt": prompt_of(result),
        "prediction": answer_text(mapping(result.get("response")).get("output")),
        "target": judged.target,
        **_usage(result, tally),
        **metadata_columns(test.get("metadata")),
    }
    yield {
        **common,
        "metric": MAIN,
        "score": judged.passed if status == "scored" else None,
        "status": status,
        "promptfoo_pass": result.get("success"),
        "promptfoo_score": number(result.get("score")),
    }
    if status == "scored":
        for metric, score in judged.metrics.items():
            yield {**common, "metric": metric, "score": score, "status": status}


def _status(result: Mapping[str, Any], grading: Mapping[str, Any], passed: float | None) -> str:
    """Return `error` where the call failed; before version 3 nothing but its traces say so."""
    response = mapping(result.get("response"))
    answered = response.get("output") is not None and not response.get("error")
    failed = result.get("failureReason")
    broken = failed == _ERROR or (failed is None and not grading and bool(result.get("error")))
    if broken or response.get("error"):
        return "unscored" if answered else "error"
    return "unscored" if passed is None else "scored"


def _usage(result: Mapping[str, Any], tally: Tally) -> dict[str, Any]:
    """Return tokens, cost and latency of the model, and tokens of the judge."""
    response = mapping(result.get("response"))
    tokens = mapping(response.get("tokenUsage")) or mapping(result.get("tokenUsage"))
    judge = mapping(mapping(result.get("tokenUsage")).get("assertions"))
    cached = bool(response.get("cached"))
    cost = number(result.get("cost"))
    if cached:
        tally.add(CACHED)
    elif cost == 0 and response.get("output") is not None:
        tally.add(NO_COST)
    latency = number(result.get("latencyMs"))
    return {
        "input_tokens": number(tokens.get("prompt")) or None,
        "output_tokens": number(tokens.get("completion")) or None,
        "cost_usd": None if cached else cost or None,
        "latency_s": None if cached or latency is None else latency / 1000,
        "judge_tokens": number(judge.get("total")) or None,
    }
