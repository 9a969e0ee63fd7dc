"""Details of lighteval: `details/{model}/{time}/details_{task}_{time}.parquet`."""

import re
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from caveat.data.evidence import Evidence, told
from caveat.data.schema import RESPONSES, Kind
from caveat.errors import InputError, SourceError, UnrecognisedError
from caveat.importers._base import Claim, Dropped, ReadOptions, TableStream
from caveat.importers.case_fields import mapping
from caveat.importers.damage import damage_explained
from caveat.importers.json_values import json_object
from caveat.importers.lighteval_rows import NAMES, detail_rows
from caveat.importers.opening import Member
from caveat.importers.parts import Part
from caveat.importers.row_columns import Row, row_batches
from caveat.importers.tidy import read_records
from caveat.results.provenance import Source

_STAMP = r"(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"
_DETAILS = re.compile(rf"^details_(.+)_{_STAMP}\.parquet$")
_RESULTS = re.compile(rf"^results_{_STAMP}\.json$")
_ROWS = 2000
_NEW = ("doc.id", "doc.choices", "doc.gold_index", "model_response.text",
        "model_response.text_post_processed", "model_response.logprobs",
        "model_response.input_tokens", "model_response.output_tokens", "metric")  # fmt: skip
_OLD = ("choices", "gold", "gold_index", "predictions", "metrics", "input_tokens", "cont_tokens")
NOT_NAMED = (
    "{file}: details of lighteval do not name the model; keep them in their folder "
    "details/MODEL/TIME beside results/, or name the model with --model-name"
)
ONLY_RESULTS = (
    "{file}: results of lighteval without details: it holds scores of whole tasks and no answers "
    "to items; name the folder that has details/ too, or run lighteval again with --save-details"
)


class LightevalDetails:
    """Reads details by their columns; questions and prompts are not read."""

    name = "lighteval"
    doc = "lighteval details_*.parquet with results_*.json"
    kinds: tuple[Kind, ...] = ("responses",)

    def claims(self, parts: tuple[Part, ...]) -> Iterable[Claim]:
        """Look for names and beginnings of details, and for the results of the same time."""
        results = {
            found.group(1): part
            for part in parts
            if (found := _RESULTS.match(part.file)) and b'"config_general"' in part.start
        }
        free = dict(results)
        for part in parts:
            found = _DETAILS.match(part.file)
            if found and part.start.startswith(b"PAR1"):
                mine = results.get(found.group(2))
                free.pop(found.group(2), None)
                both = (part,) if mine is None else (part, mine)
                yield Claim(name=part.member.name, parts=both, kind="responses")
        for part in free.values():
            yield Claim(name=part.member.name, parts=(part,), kind="responses")

    def read(self, claim: Claim, options: ReadOptions) -> tuple[Evidence, ...]:
        """Read one row for each item and metric."""
        part = claim.parts[0]
        found = _DETAILS.match(part.file)
        if found is None:
            raise UnrecognisedError(ONLY_RESULTS.format(file=claim.name))
        results = claim.parts[1].member if len(claim.parts) > 1 else None
        model, notices = _model(part, results, options)
        benchmark, task, shots = _task(found.group(1))
        constants = {
            "benchmark": benchmark,
            "model": model,
            "task": task,
            "run": found.group(2),
            "prompt": shots,
        }
        prefix = f"{task}/" if task else ""

        def chunks(
            _wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            rows = _rows(part.member, prefix, dropped)
            yield from row_batches(rows, names=NAMES, constants=constants)

        names = (*NAMES, *(name for name, value in constants.items() if value is not None))
        stream = TableStream(names=names, chunks=chunks)
        source = Source(name=part.member.name, importer=self.name, kind="responses")
        evidence = read_records(stream, RESPONSES, source, options)
        for notice in notices:
            evidence = told(evidence, notice)
        return (evidence,)


def _model(part: Part, results: Member | None, options: ReadOptions) -> tuple[str, tuple[str, ...]]:
    if results is not None:
        content = json_object(results)
        named = mapping(content.get("config_general")).get("model_name")
        if isinstance(named, str) and named:
            return named, ()
    if options.model_name is not None:
        return options.model_name, ()
    folders = re.split(r"[/!]", part.place)
    if "details" in folders:
        last = len(folders) - 1 - folders[::-1].index("details")
        model = "/".join(folders[last + 1 : -1])
        if model:
            notice = f"{part.member.name}: the model's name {model!r} was taken from the folder"
            return model, (notice,)
    raise InputError(NOT_NAMED.format(file=part.member.name))


def _task(name: str) -> tuple[str, str | None, str | None]:
    """Split `suite|task:subset|shots` or `task:subset|shots`."""
    parts = [part for part in name.split("|") if part]
    shots = next((p for p in parts[1:] if p.isdigit()), None)
    before = parts[: parts.index(shots)] if shots is not None else parts
    benchmark, _, subset = before[-1].partition(":")
    return benchmark, subset or None, f"{shots}-shot" if shots is not None else None


def _rows(member: Member, prefix: str, dropped: Dropped) -> Iterator[Row]:
    with damage_explained(member):
        packed = member.compression != "none"
        file = pq.ParquetFile(pa.BufferReader(member.read_all()) if packed else member.path)
        columns = _columns(file.schema_arrow, member)
        number = 0
        for batch in file.iter_batches(_ROWS, columns=columns):
            for record in batch.to_pylist():
                number += 1
                yield from detail_rows(
                    record, number, prefix=prefix, file=member.name, dropped=dropped
                )


def _columns(schema: pa.Schema, member: Member) -> list[str]:
    leaves = {name for field in schema for name in _paths(field)}
    new = [name for name in _NEW if name in leaves]
    old = [name for name in _OLD if name in leaves]
    if "metric" in new or "metrics" in old:
        return new if "metric" in new else old
    raise SourceError(
        f"{member.name}: details of lighteval must have a column metric or metrics, got "
        f"{', '.join(schema.names)}; they may be of a version not known here"
    )


def _paths(field: pa.Field) -> Iterator[str]:
    yield field.name
    if pa.types.is_struct(field.type):
        for inner in field.type:
            yield f"{field.name}.{inner.name}"
