"""Record logs of OpenAI's evals (`oaieval MODEL EVAL --record_path log.jsonl`)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import SourceError
from caveat.importers._base import Dropped, Head, ReadOptions
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import mapping, number, score_of
from caveat.importers.json_lines import line_records
from caveat.importers.json_walk import begun
from caveat.importers.opening import Member
from caveat.importers.record_batches import record_stream
from caveat.importers.tally import Tally
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

MATCH = "match"
NOTICE = (
    "openai_evals: each metric is a row of its own; 'match' is read first where it was recorded, "
    "else the first metric of the log"
)
UNFINISHED = "openai_evals: {n} runs have no final report: they stopped before the end"
NOT_SCORED = "openai_evals: {n} answers were sampled and never scored; they have no score"
INVALID = "openai_evals: {n} verdicts of the judging model could not be read; they have no score"
SEVERAL = (
    "openai_evals: {n} samples called one model several times; their tokens are left out, for the "
    "log does not say which calls were the judge's"
)
NO_SPEC = "must begin with the line of its spec, which names model and eval"
_INVALID = "__invalid__"
_REMEMBERED = 20_000
_TOKENS = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens"}


class OpenAIEvals:
    """Reads matches and metrics of each sample; samples that failed have no score."""

    name = "openai_evals"
    doc = "record logs of OpenAI evals: JSON lines that begin with a spec"
    kind: Kind = "responses"

    def recognises(self, head: Head) -> bool:
        """Look for a first line that holds the spec of a run."""
        spec = begun(head).get("spec")
        return isinstance(spec, dict) and bool({"completion_fns", "base_eval"} & set(spec))

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all runs of the log."""
        tally = Tally()
        stream = record_stream(
            lambda dropped: enumerate(_rows(member, options, dropped, tally), start=1)
        )
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        return tally.told(told(read_records(stream, RESPONSES, source, options), NOTICE))


@dataclass(slots=True)
class _Sample:
    """What was said and scored of one sample so far."""

    said: list[dict[str, Any]] = field(default_factory=list)
    scored: dict[str, int] = field(default_factory=dict)

    @property
    def is_alone(self) -> bool:
        """Whether the first call is known to be the model's only one: others called a judge."""
        said = self.said
        return len(said) < 2 or all(call["called"] != said[0]["called"] for call in said[1:])


class _Run:
    """One run: what its spec says, and what its samples said.

    The events of one sample stand close together, so a sample that was scored is forgotten once
    many others have come: memory does not grow with the log.
    """

    def __init__(self, spec: Mapping[str, Any], options: ReadOptions, tally: Tally) -> None:
        listed = spec.get("completion_fns")
        models = [str(m) for m in listed] if isinstance(listed, list) else []
        evaluation = spec.get("base_eval") or spec.get("eval_name") or "openai_evals"
        self.finished = False
        self._common = {
            "benchmark": str(evaluation),
            "model": options.model_name or (models[0] if models else None),
            "run": spec.get("run_id"),
            "judge": models[-1] if len(models) > 1 else None,
        }
        self._samples: dict[str, _Sample] = {}
        self._tally = tally
        self._room = _REMEMBERED

    def say(self, sample: str, data: Mapping[str, Any]) -> None:
        """Keep what a model said, until it is scored."""
        usage = mapping(data.get("usage"))
        self._sample(sample).said.append(
            {
                "called": str(data.get("model")),
                "prediction": answer_text(_single(data.get("sampled"))),
                **{new: number(usage.get(old)) for new, old in _TOKENS.items()},
            }
        )

    def row(
        self, sample: str, metric: str, *, score: float | None, **more: object
    ) -> dict[str, Any]:
        """Return one score of a sample; a metric recorded once more is a repeat."""
        so_far = self._sample(sample)
        so_far.scored[metric] = count = so_far.scored.get(metric, 0) + 1
        first: dict[str, Any] = so_far.said[0] if so_far.said else {}
        kept = ("prediction", *(_TOKENS if so_far.is_alone else ()))
        known = {name: first.get(name) for name in kept}
        given = {name: value for name, value in more.items() if value is not None}
        place = {"item": sample, "metric": metric, "repeat": count}
        return {**self._common, **place, **known, **given, "score": score}

    def rest(self) -> Iterator[dict[str, Any]]:
        """Yield the answers that were never scored, and count what is to be told of the run."""
        self._tally.add(UNFINISHED, int(not self.finished))
        for sample, so_far in list(self._samples.items()):
            self._tally.add(SEVERAL, int(not so_far.is_alone))
            if so_far.said and not so_far.scored:
                self._tally.add(NOT_SCORED)
                yield self.row(sample, MATCH, score=None, status="unscored")

    def _sample(self, sample: str) -> _Sample:
        found = self._samples.get(sample)
        if found is None:
            if len(self._samples) >= self._room:
                self._forget()
            found = self._samples[sample] = _Sample()
        return found

    def _forget(self) -> None:
        oldest = list(self._samples)[: self._room // 2]
        for sample in (name for name in oldest if self._samples[name].scored):
            self._tally.add(SEVERAL, int(not self._samples.pop(sample).is_alone))
        self._room = max(_REMEMBERED, 2 * len(self._samples))


def _rows(
    member: Member, options: ReadOptions, dropped: Dropped, tally: Tally
) -> Iterator[dict[str, Any]]:
    tally.clear()
    run: _Run | None = None
    for line, record in line_records(member, options, dropped):
        spec = record.get("spec")
        if isinstance(spec, dict):
            yield from run.rest() if run is not None else ()
            run = _Run(spec, options, tally)
        elif run is None:
            raise SourceError(f"{member.name}, row {line}: {NO_SPEC}")
        elif "final_report" in record:
            run.finished = True
        elif record.get("sample_id") is not None:
            yield from _event(record, run, tally)
    yield from run.rest() if run is not None else ()


def _event(record: Mapping[str, Any], run: _Run, tally: Tally) -> Iterator[dict[str, Any]]:
    """Read one event; those that are no sampling, score or error tell nothing here."""
    sample, data = str(record["sample_id"]), mapping(record.get("data"))
    what = record.get("type")
    if what == "sampling":
        run.say(sample, data)
    elif what == MATCH:
        picked = data.get("picked")
        answer = answer_text(_single(data.get("sampled") if picked in (None, []) else picked))
        yield run.row(
            sample,
            MATCH,
            score=score_of(data.get("correct")),
            status="scored",
            prediction=answer,
            target=answer_text(_single(data.get("expected"))),
        )
    elif what == "metrics":
        yield from _metrics(sample, data, run, tally)
    elif what == "error":
        yield run.row(sample, MATCH, score=None, status="error")


def _metrics(
    sample: str, data: Mapping[str, Any], run: _Run, tally: Tally
) -> Iterator[dict[str, Any]]:
    """Read what was measured of a sample; words among the numbers are the judge's choice."""
    choice = data.get("choice")
    invalid = choice == _INVALID
    tally.add(INVALID, int(invalid))
    for metric, value in data.items():
        score = score_of(value)
        judged = invalid and metric == "score"
        if score is None and not judged:
            continue
        yield run.row(
            sample,
            metric,
            score=None if judged else score,
            status="unparsed" if judged else "scored",
            judge_choice=choice if isinstance(choice, str) else None,
        )


def _single(value: object) -> object:
    """Return the one value of a list of one."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value
