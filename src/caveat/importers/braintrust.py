"""Experiments of Braintrust: what its SDK returns, and exports of spans as JSON or CSV."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from caveat.data.evidence import Evidence
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import UnrecognisedError
from caveat.importers._base import LEFT_OUT, Dropped, Head, ReadOptions, TableStream
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import identity, mapping, metadata_columns
from caveat.importers.json_walk import begun, walk
from caveat.importers.nested_cells import number_in, opened, plain_name, records_of
from caveat.importers.opening import Member
from caveat.importers.record_batches import batches, record_stream
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_NEEDED = frozenset({"input", "output", "scores"})
_MARKS = frozenset({"expected", "span_id", "root_span_id", "span_attributes", "origin", "tags"})
_NESTED = ("scores", "metrics", "metadata", "span_attributes", "span_parents")
_LISTS = ("data", "events")
_SHORT = 60
_COLUMNS = (
    "benchmark", "item", "model", "repeat", "metric", "prediction", "target", "score", "status",
    "input_tokens", "output_tokens", "cost_usd", "latency_s", "judge_cost_usd", "at",
)  # fmt: skip
PART_OF_TRACE = "a span within the trace of another row"
NO_MODEL = (
    "names no model (metadata.model of a row, or of a call of a model within its trace); "
    "name it with --model-name"
)
NOTICE = (
    "braintrust: each score is a metric of its own; the one that most rows have is read first; "
    "rows with an error have no score; the item is the input, which Braintrust compares by, too; "
    "tokens and cost are those of calls within the task, not of scorers"
)


@dataclass(slots=True)
class _Trace:
    """What the spans below a row tell."""

    models: set[str] = field(default_factory=set)
    counts: dict[str, float] = field(default_factory=dict)
    latency: float | None = None


class Braintrust:
    """Reads the scores of each row of an experiment; spans below it only for what they cost."""

    name = "braintrust"
    doc = "Braintrust experiments: rows with input, output, expected and scores"
    kind: Kind = "responses"
    roles: Mapping[str, str] = {
        "input": "item",
        "output": "prediction",
        "expected": "target",
        "scores": "metric and score",
        "metrics": "tokens, cost and latency",
        "metadata": "model, task and extra columns",
        "error": "status",
        "created": "at",
        **dict.fromkeys(
            (
                "span_id", "root_span_id", "span_parents", "is_root", "span_attributes", "tags",
                "classifications", "origin", "context", "id", "_xact_id", "_pagination_key",
                "project_id", "experiment_id", "comments", "audit_data", "facets", "log_id",
                "org_id",
            ),
            LEFT_OUT,
        ),
    }  # fmt: skip

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for input, output and scores, and what else a row has."""
        plain = {plain_name(name) for name in names}
        scored = any(name.startswith("scores.") for name in plain)
        needed = _NEEDED - {"scores"} if scored else _NEEDED
        return plain >= needed and bool(plain & _MARKS)

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:
        """Return one row for each score; rows are numbered by score."""

        def chunks(
            _wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            experiment = _Experiment(stream, file, options)
            return batches(enumerate(experiment.rows(dropped), start=1))

        return TableStream(names=_COLUMNS, notices=(*stream.notices, NOTICE), chunks=chunks)


class BraintrustAnswer:
    """Reads the rows that Braintrust's API answers a query with."""

    name = "braintrust_api"
    doc = "answers of Braintrust's API: rows of an experiment in `data` or `events`"
    kind: Kind = "responses"

    def recognises(self, head: Head) -> bool:
        """Look for rows of an experiment within an object."""
        known = begun(head)
        return any(
            isinstance(known.get(name), list)
            and any(Braintrust().recognises(frozenset(mapping(row))) for row in known[name])
            for name in _LISTS
        )

    def read(self, member: Member, options: ReadOptions) -> Evidence:
        """Read all rows."""
        stream = record_stream(lambda _dropped: _listed(member))
        translated = Braintrust().translated(stream, file=member.name, options=options)
        source = Source(name=member.name, importer=self.name, kind=self.kind)
        return read_records(translated, RESPONSES, source, options)


def _listed(member: Member) -> Iterator[tuple[int, dict[str, Any]]]:
    for found in walk(member, arrays=[(name,) for name in _LISTS]):
        if found.number:
            yield found.number, dict(mapping(found.value))


class _Experiment:
    """All rows of one export; a first reading looks at the spans."""

    def __init__(self, stream: TableStream, file: str, options: ReadOptions) -> None:
        self._stream, self._file, self._options = stream, file, options
        self._traces: dict[str, _Trace] = {}
        self._metrics: dict[str, None] = {}
        for _, record in self._records(_uncounted):
            if _is_root(record):
                self._metrics |= dict.fromkeys(mapping(record.get("scores")))
            else:
                self._look(record)

    def rows(self, dropped: Dropped) -> Iterator[dict[str, Any]]:
        """Yield the scores of each row."""
        met: Counter[tuple[str, str]] = Counter()
        for row, record in self._records(dropped):
            if not _is_root(record):
                dropped(PART_OF_TRACE, 1, f"{self._file}, row {row}")
                continue
            common = self._common(record, row)
            met[common["item"], common["model"]] += 1
            common["repeat"] = met[common["item"], common["model"]]
            given = mapping(record.get("scores"))
            failed = record.get("error") is not None
            names = list(self._metrics) if failed else [n for n in self._metrics if n in given]
            for name in (*names,) or (None,):
                score = None if failed or name is None else number_in(given.get(name))
                status = "error" if failed else "unscored" if score is None else "scored"
                yield {**common, "metric": name, "score": score, "status": status}

    def _records(self, dropped: Dropped) -> Iterator[tuple[int, dict[str, Any]]]:
        for row, record in records_of(self._stream, dropped):
            for name in _NESTED:
                inner = {
                    key.partition(".")[2]: record[key]
                    for key in record
                    if key.startswith(f"{name}.")
                }
                record[name] = opened(record.get(name)) or inner
            record["error"] = opened(record.get("error"))
            yield row, record

    def _look(self, record: Mapping[str, Any]) -> None:
        trace = self._traces.setdefault(str(record.get("root_span_id")), _Trace())
        attributes, metrics = mapping(record.get("span_attributes")), mapping(record.get("metrics"))
        kind, judge = attributes.get("type"), attributes.get("purpose") == "scorer"
        if kind == "llm":
            for name in ("prompt_tokens", "completion_tokens", "estimated_cost"):
                value = number_in(metrics.get(name))
                if value is not None:
                    place = f"judge {name}" if judge else name
                    trace.counts[place] = trace.counts.get(place, 0.0) + value
            model = mapping(record.get("metadata")).get("model")
            if model and not judge:
                trace.models.add(str(model))
        elif kind == "task":
            trace.latency = _duration(metrics)

    def _common(self, record: Mapping[str, Any], row: int) -> dict[str, Any]:
        trace = self._traces.get(str(record.get("root_span_id")), _Trace())
        metadata = mapping(record.get("metadata"))
        model = self._options.model_name or metadata.get("model")
        if not model and len(trace.models) == 1:
            model = next(iter(trace.models))
        if not model:
            raise UnrecognisedError(f"{self._file}, row {row}: {NO_MODEL}")
        asked = opened(record.get("input"))
        text = answer_text(asked)
        short = isinstance(asked, str) and text is not None and len(text) <= _SHORT
        counts = {**mapping(record.get("metrics")), **trace.counts}
        about = {key: value for key, value in metadata.items() if key != "model"}
        return {
            "benchmark": "braintrust",
            "item": text if short else identity(asked),
            "model": str(model),
            "prediction": answer_text(opened(record.get("output"))),
            "target": answer_text(opened(record.get("expected"))),
            "input_tokens": number_in(counts.get("prompt_tokens")),
            "output_tokens": number_in(counts.get("completion_tokens")),
            "cost_usd": number_in(counts.get("estimated_cost")),
            "latency_s": trace.latency,
            "judge_cost_usd": number_in(counts.get("judge estimated_cost")),
            "at": record.get("created"),
            **metadata_columns(about),
        }


def _is_root(record: Mapping[str, Any]) -> bool:
    """Whether a row is an example of the experiment, not a span within its trace."""
    stated = record.get("is_root")
    if isinstance(stated, bool):
        return stated
    if record.get("span_parents"):
        return False
    root = record.get("root_span_id")
    return root is None or record.get("span_id") in (None, root)


def _duration(metrics: Mapping[str, Any]) -> float | None:
    start, end = number_in(metrics.get("start")), number_in(metrics.get("end"))
    return None if start is None or end is None else end - start


def _uncounted(_reason: str, _count: int, _example: str, /) -> None:
    """Rows are counted in the second reading."""
