"""Exports of Langfuse: scores, joined to the observations (and traces) they are about."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import CaveatError, UnrecognisedError
from caveat.importers._base import Claim, Dropped, ReadOptions, TableFormat, TableStream
from caveat.importers.arrow_table import ArrowTable
from caveat.importers.csv_table import CsvTable
from caveat.importers.json_table import JsonArrayTable, JsonLinesTable
from caveat.importers.langfuse_traces import Answer, Traces
from caveat.importers.looking import look
from caveat.importers.nested_cells import number_in, plain_name, records_of
from caveat.importers.opening import Member
from caveat.importers.parquet_table import ParquetTable
from caveat.importers.parts import Part
from caveat.importers.record_batches import record_stream
from caveat.importers.tally import Tally
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_FORMATS: tuple[TableFormat, ...] = (
    ParquetTable(), ArrowTable(), JsonArrayTable(), JsonLinesTable(), CsvTable(),
)  # fmt: skip
_SCORES = frozenset({"id", "trace_id", "observation_id", "name", "value", "source"})
_OBSERVATIONS = frozenset({"id", "trace_id", "type", "start_time"})
_TRACES = frozenset({"id", "timestamp", "name", "session_id", "release", "bookmarked"})
_LONG = frozenset({"input", "output", "tool_definitions", "tool_calls", "model_parameters"})
_NUMBERS = ("NUMERIC", "BOOLEAN")
NO_TRACE = "the score belongs to no trace"
LABEL = "the score is a label or a text, no number"
ALONE = (
    "{file}: scores of Langfuse without the observations they are about, so no model is named; "
    "name the folder that has observations_v2/ (or observations/) beside scores/"
)
NOTICE = (
    "langfuse: each score's name is a metric of its own (with its source where that is not the "
    "API); the one that most answers have is read first; the item is the input of the trace; "
    "latency is end minus start, for the exported figure is in seconds or in milliseconds"
)
UNSCORED = "langfuse: {n} answers have no score"


class Langfuse:
    """Reads every numeric score with the model, answer, tokens and cost of its trace."""

    name = "langfuse"
    doc = "Langfuse exports: scores/ with observations_v2/ or observations/ (and traces/)"
    kinds: tuple[Kind, ...] = ("responses",)

    def claims(self, parts: tuple[Part, ...]) -> Iterable[Claim]:
        """Take all files of scores, observations and traces as one export."""
        mine = [(part, role) for part in parts for role in [_role(part)] if role]
        order = ("scores", "observations", "traces")
        mine.sort(key=lambda entry: order.index(entry[1]))
        if any(role != "traces" for _, role in mine):
            files = tuple(part for part, _ in mine)
            yield Claim(name=files[0].member.name, parts=files, kind="responses")

    def read(self, claim: Claim, options: ReadOptions) -> tuple[Evidence, ...]:
        """Read observations first, then the scores."""
        roles = {part.member.name: _role(part) for part in claim.parts}
        if "observations" not in roles.values():
            raise UnrecognisedError(ALONE.format(file=claim.name))
        traces = Traces()
        for part in claim.parts:
            role = roles[part.member.name]
            if role != "scores":
                for _, record in _records(part.member, options, _uncounted, role):
                    traces.take(record, role)
        tally = Tally()
        scores = [p.member for p in claim.parts if roles[p.member.name] == "scores"]
        stream = record_stream(
            lambda dropped: enumerate(_rows(scores, traces, options, dropped, tally), start=1)
        )
        source = Source(name=claim.name, importer=self.name, kind="responses")
        evidence = told(read_records(stream, RESPONSES, source, options), NOTICE)
        return (tally.told(traces.told(evidence)),)


def _role(part: Part) -> str:
    """Return what a file holds: scores, observations or traces; empty for anything else."""
    names = frozenset(plain_name(name) for name in part.keys or _header(part))
    if names >= _SCORES:
        return "scores"
    if names >= _OBSERVATIONS and names & {"provided_model_name", "parent_observation_id"}:
        return "observations"
    return "traces" if names >= _TRACES else ""


def _header(part: Part) -> tuple[str, ...]:
    """Return the columns of a table that is not JSON."""
    if part.start.startswith((b"PAR1", b"ARROW1")):
        try:
            return _stream(part.member, ReadOptions()).names
        except CaveatError:  # told when somebody reads it
            return ()
    line = part.start.split(b"\n", 1)[0].decode("utf-8", "ignore")
    return tuple(name.strip().strip('"') for name in line.split(","))


def _stream(member: Member, options: ReadOptions) -> TableStream:
    head = look(member)
    for table in _FORMATS:
        if table.recognises(head):
            return table.stream(member, options)
    raise UnrecognisedError(f"{member.name}: must be a table of JSON, CSV or Parquet")


def _records(
    member: Member, options: ReadOptions, dropped: Dropped, role: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    unwanted = _LONG - {"input", "output"} if role == "observations" else _LONG | {"comment"}
    return records_of(_stream(member, options), dropped, unwanted)


def _uncounted(_reason: str, _count: int, _example: str, /) -> None:
    """Count nothing: observations are no rows, the scores are."""


def _rows(
    scores: list[Member], traces: Traces, options: ReadOptions, dropped: Dropped, tally: Tally
) -> Iterator[dict[str, Any]]:
    tally.clear()
    met: Counter[tuple[object, ...]] = Counter()
    scored: set[str] = set()
    for member in scores:
        for row, record in _records(member, options, dropped, "scores"):
            answer, reason = _scored(record, traces)
            if answer is None:
                dropped(reason, 1, f"{member.name}, row {row}")
                continue
            scored.add(str(record["trace_id"]))
            known = {"metric": _metric(record), "run": record.get("dataset_run_id")}
            fields = answer.columns(options.model_name)
            place = (fields["item"], fields["model"], fields["prompt"], *known.values())
            met[place] += 1
            score = None if answer.failed else number_in(record.get("value"))
            status = "scored" if score is not None else "unscored"
            yield {
                **fields,
                **known,
                "repeat": met[place],
                "score": score,
                "status": "error" if answer.failed else status,
                "at": record.get("timestamp"),
            }
    for trace, answer in traces.answers():
        if trace not in scored:
            tally.add(UNSCORED)
            status = "error" if answer.failed else "unscored"
            fields = answer.columns(options.model_name)
            place = (fields["item"], fields["model"], fields["prompt"])
            met[place] += 1
            yield {**fields, "metric": None, "repeat": met[place], "score": None, "status": status}


def _scored(record: dict[str, Any], traces: Traces) -> tuple[Answer | None, str]:
    """Return the answer that a score is about, or why there is none."""
    kind = record.get("data_type")
    if kind is not None and str(kind).upper() not in _NUMBERS:
        return None, LABEL
    trace = record.get("trace_id")
    if not trace:
        return None, NO_TRACE
    return traces.answer(str(trace), str(record.get("observation_id") or ""))


def _metric(record: dict[str, Any]) -> str:
    source = str(record.get("source") or "API").upper()
    return str(record.get("name")) + ("" if source == "API" else f" ({source.lower()})")
