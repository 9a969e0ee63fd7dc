"""The file of samples of Every Eval Ever: one line for each result of each item."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from caveat.data import every_eval_ever as eee
from caveat.data.builder import show
from caveat.errors import SourceError
from caveat.importers._base import Dropped, ReadOptions, TableStream
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import mapping, metadata_columns, number
from caveat.importers.eee_results import Aggregate, Reading, reading_of, time_of
from caveat.importers.json_lines import line_records
from caveat.importers.opening import Member
from caveat.importers.record_batches import batches, first_names
from caveat.importers.tally import Tally

Row = dict[str, Any]  # cells of any JSON type
REFUSED = frozenset({"refusal", "refused"})
ERRORS = (
    "every_eval_ever: {n} rows carry an error; their score is a placeholder and is not used "
    "(missing, not wrong)"
)
NO_RESULT = (
    "every_eval_ever: {n} rows point at no result though their run has some; they are read as "
    "not scored"
)
CONFLICT = (
    "every_eval_ever: in {n} rows is_correct contradicts a score of 0 or 1; the score counts, "
    "and is_correct is kept beside it"
)
SEVERAL = "every_eval_ever: {n} rows hold several outputs; the first is compared"
TOO_MANY = "every_eval_ever: {n} columns were left out, for there are too many"
OTHER_VERSION = (
    "every_eval_ever: {n} rows are of schema version VERSION, which was not tested here (tested: "
    f"{eee.SCHEMA_VERSION}); they were read as that one"
)
_TIMESTAMP = re.compile(r"timestamp\[(s|ms|us|ns)(?:, tz=(.+))?\]")
_CORE = frozenset({"benchmark", "item", "model", "prediction", "target", "score"})
_MOST_COLUMNS = 500
_VOTE_CORE = frozenset({"model_a"})
_FROM_TEXT: dict[str, Callable[[str], object]] = {
    "int64": int,
    "double": float,
    "bool": lambda text: text == "true",
}


def sample_stream(
    member: Member, aggregate: Aggregate, options: ReadOptions, tally: Tally
) -> TableStream:
    """Return the samples as a table of responses, or of votes that this program wrote."""

    def rows(dropped: Dropped) -> Iterator[tuple[int, Row]]:
        tally.clear()
        reader = _Rows(member, aggregate, options, tally)
        return reader.rows(dropped)

    def chunks(
        wanted: tuple[str, ...] | None, dropped: Dropped, /
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        unwanted = frozenset() if wanted is None else frozenset(names) - frozenset(wanted)
        for first, batch in batches(rows(dropped), unwanted):
            yield first, _typed(batch, aggregate.types, member.name)

    names = first_names(rows(lambda *_: None))
    return TableStream(names=names, order_known=aggregate.order_known, chunks=chunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """What a key of ours becomes; no name for one that is no column."""

    name: str | None = None
    read: Callable[[str], object] | None = None


class _Rows:
    """Turns records into rows, and counts what a reader should know."""

    def __init__(
        self, member: Member, aggregate: Aggregate, options: ReadOptions, tally: Tally
    ) -> None:
        self._member, self._aggregate = member, aggregate
        self._options, self._tally = options, tally
        self._ids = aggregate.ids
        self._types = {n: _FROM_TEXT[t] for n, t in aggregate.types.items() if t in _FROM_TEXT}
        self._of_responses: dict[str, _Column] = {}
        self._of_votes: dict[str, _Column] = {}
        self._readings: dict[tuple[str, str | None], Reading] = {}
        self._at = time_of(aggregate, {}) if aggregate.name else None

    def rows(self, dropped: Dropped) -> Iterator[tuple[int, Row]]:
        """Yield number and row of each line."""
        for line, record in line_records(self._member, self._options, dropped):
            try:
                yield line, self._row(record)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                self._refuse(line, record, error, dropped)

    def _refuse(self, line: int, record: Row, error: Exception, dropped: Dropped) -> None:
        version = record.get("schema_version")
        why = f"not a sample of Every Eval Ever {eee.SCHEMA_VERSION}"
        if self._options.bad_rows == "drop":
            dropped(why, 1, f"{self._member.name}, row {line}")
            return
        what = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise SourceError(
            f"{self._member.name}, row {line}: {why} (it says version {show(version)}; {what}); "
            "drop such rows with bad_rows='drop' (--bad-rows drop)"
        ) from error

    def _row(self, record: Row) -> Row:
        version = record["schema_version"]
        if version != eee.SCHEMA_VERSION:
            self._tally.add(OTHER_VERSION.replace("VERSION", show(version)))
        metadata = mapping(record.get("metadata"))
        if metadata.get(eee.KIND) == "votes":
            return self._own_vote(record, metadata)
        if eee.STATUS in metadata:
            return self._own(record, metadata)
        return self._foreign(record, metadata)

    def _own_vote(self, record: Row, metadata: Mapping[str, str]) -> Row:
        row: Row = {}
        self._keep(row, metadata, self._of_votes)
        row["model_a"] = record["model_id"]
        return row

    def _own(self, record: Row, metadata: Mapping[str, str]) -> Row:
        evaluation = record["evaluation"]
        references = record["input"]["reference"]
        outputs = record["output"]["raw"]
        row: Row = {
            "benchmark": record["evaluation_name"],
            "model": record["model_id"],
            "item": record["sample_id"],
            "repeat": metadata.get("epoch"),
            "prediction": outputs[0] if outputs else None,
            "target": references[0] if references else None,
            "score": None if eee.SCORE in metadata else evaluation["score"],
        }
        row |= self._measured(record)
        self._keep(row, metadata, self._of_responses)
        return row

    def _keep(self, row: Row, metadata: Mapping[str, str], plan: dict[str, "_Column"]) -> None:
        """Put in the columns that this program kept as text."""
        for key, text in metadata.items():
            column = plan.get(key)
            if column is None:
                core = _CORE if plan is self._of_responses else _VOTE_CORE
                column = plan[key] = self._planned(key, core)
            if column.name is not None:
                row[column.name] = text if column.read is None else column.read(text)

    def _planned(self, key: str, core: frozenset[str]) -> "_Column":
        name = key.removeprefix(eee.PREFIX)
        if name == key or key in (eee.KIND, eee.SCORE) or name in core:
            return _Column()
        if len(self._of_responses) + len(self._of_votes) >= _MOST_COLUMNS:
            self._tally.add(TOO_MANY)
            return _Column()
        return _Column(name=name, read=self._types.get(name))

    def _foreign(self, record: Row, metadata: Mapping[str, Any]) -> Row:
        name, result_id = record["evaluation_name"], record.get("evaluation_result_id")
        found = self._readings.get((name, result_id))
        if found is None:
            found = reading_of(self._aggregate, name, result_id)
            self._readings[name, result_id] = found
        score, status, correct = self._verdict(record, result_id)
        references = record["input"]["reference"]
        row: Row = {
            "benchmark": found.benchmark,
            "model": record["model_id"],
            "item": record["sample_id"],
            "run": record["evaluation_id"],
            "repeat": metadata.get("epoch"),
            "metric": found.metric,
            "filter": found.filter,
            "prediction": answer_text(self._answer(record)),
            "target": answer_text(references[0] if len(references) == 1 else references or None),
            "score": score,
            "status": status,
        }
        others = {
            "n_options": len(record["input"].get("choices") or ()) or None,
            "at": self._at,
            "split": found.split,
            "is_correct": correct,
            "sample_hash": record.get("sample_hash"),
            "error": answer_text(record.get("error")),
        }
        extras = metadata_columns({k: v for k, v in metadata.items() if k != "epoch"})
        return (
            extras
            | self._measured(record)
            | {k: v for k, v in others.items() if v is not None}
            | row
        )

    def _verdict(
        self, record: Row, result_id: object
    ) -> tuple[float | None, str | None, bool | None]:
        """Return score, status where it is not for the reader to derive, and a contradiction."""
        evaluation = record["evaluation"]
        score, correct, error = evaluation["score"], evaluation["is_correct"], record.get("error")
        if error is not None and str(error).strip().lower() not in REFUSED:
            self._tally.add(ERRORS)
            return None, "error", None
        if result_id is None and self._ids:
            self._tally.add(NO_RESULT)
            return None, "unscored", None
        contradicts = isinstance(correct, bool) and score == (not correct)
        if contradicts:
            self._tally.add(CONFLICT)
        return score, None if error is None else "refused", correct if contradicts else None

    def _answer(self, record: Row) -> object:
        """Return the value that was extracted last, or what the model wrote."""
        attributions = record["answer_attribution"]
        final = [a for a in attributions if a.get("is_terminal")] or attributions
        if final:
            return final[-1]["extracted_value"]
        output = record.get("output")
        if output is not None:
            if len(output["raw"]) > 1:
                self._tally.add(SEVERAL)
            return output["raw"][0] if output["raw"] else None
        said = [m for m in record.get("messages") or () if m.get("role") == "assistant"]
        return said[-1].get("content") if said else None

    def _measured(self, record: Row) -> Row:
        """Return tokens and times, where there are any."""
        row: Row = {}
        usage, times = record.get("token_usage"), record.get("performance")
        if usage:
            for name in ("input_tokens", "output_tokens"):
                row[name] = usage.get(name)
            for name in eee.TOKEN_EXTRAS:
                self._put(row, name, usage.get(name))
        if times:
            latency = number(times.get("latency_ms"))
            row["latency_s"] = None if latency is None else latency / 1000
            for name in eee.TIME_EXTRAS:
                self._put(row, name, times.get(name))
        for name in eee.WHOLE_EXTRAS:
            self._put(row, name, record["evaluation"].get(name))
        hashed = record.get("sample_hash")
        if hashed is not None:
            row["sample_hash"] = hashed
        return row

    def _put(self, row: Row, name: str, value: Any) -> None:  # noqa: ANN401 - any JSON
        if value is not None:
            row[name] = (
                float(value) if name in eee.TIME_EXTRAS or self._types.get(name) is float else value
            )


def _typed(batch: pa.RecordBatch, types: Mapping[str, str], file: str) -> pa.RecordBatch:
    """Return the chunk with times and dates that were kept as text."""
    columns = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        kind = _time_type(types.get(name, ""))
        try:
            plain = kind is None or pa.types.is_null(column.type)
            columns[name] = column if plain else column.cast(kind)
        except pa.ArrowInvalid as error:
            raise SourceError(f"{file}, {eee.PREFIX}{name}: must be a time ({error})") from error
    return pa.RecordBatch.from_pydict(columns)


def _time_type(name: str) -> pa.DataType | None:
    if name == "date32[day]":
        return pa.date32()
    found = _TIMESTAMP.fullmatch(name)
    return pa.timestamp(found[1], tz=found[2]) if found else None
