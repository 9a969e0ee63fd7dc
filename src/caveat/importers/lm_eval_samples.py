"""Turns samples of lm-evaluation-harness into rows: one for each sample, filter and metric."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from caveat.data.builder import show
from caveat.errors import SourceError
from caveat.importers._base import Dropped, ReadOptions, TableStream
from caveat.importers.case_fields import mapping, number
from caveat.importers.lm_eval_answers import answer_of
from caveat.importers.lm_eval_run import Run
from caveat.importers.own_ids import OWN, own_id
from caveat.importers.row_columns import Row, row_batches

Records = Callable[[Dropped], Iterator[tuple[int, dict[str, Any]]]]
_NAMES = (
    "item", "task", "metric", "filter", "prediction", "target", "score", "status", "n_options",
    "doc_hash", OWN,
)  # fmt: skip
_NO_METRIC = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
    "doc_hash", "prompt_hash", "target_hash",
})  # fmt: skip
_TASK_FIELDS = ("category", "subject", "subtask", "domain", "topic")
_BYPASS = "bypass"
_HASH = 16
UNCLEAR = (
    "{file}: in {n} rows the likeliest choice as computed here contradicts the score, or cannot be "
    "computed: they have no prediction"
)
UNNAMED = (
    "{file}: the samples do not name their filters, and no results beside them do; they are called "
    "1, 2, ... in the order of the file"
)


class Samples:
    """The samples of one file, read once from beginning to end."""

    def __init__(self, run: Run, *, file: str, options: ReadOptions) -> None:
        self._run, self._file, self._options = run, file, options
        self._unclear = 0
        self._unnamed = False
        self._seen: Counter[object] = Counter()

    def stream(self, records: Records) -> TableStream:
        """Return the rows as a table."""
        run = self._run
        constants = {
            "benchmark": run.benchmark,
            "model": run.model,
            "run": run.stamp,
            "prompt": run.prompt,
            "at": run.at,
        }
        names = (*_NAMES, *(name for name, value in constants.items() if value is not None))

        def chunks(
            _wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            rows = self._rows(records(dropped), dropped)
            yield from row_batches(rows, names=_NAMES, constants=constants)

        return TableStream(names=names, chunks=chunks)

    def notices(self) -> tuple[str, ...]:
        """Return what was met while reading."""
        notices = []
        if self._unclear:
            notices.append(UNCLEAR.format(file=self._file, n=f"{self._unclear:,}"))
        if self._unnamed:
            notices.append(UNNAMED.format(file=self._file))
        return tuple(notices)

    def _rows(
        self, records: Iterator[tuple[int, dict[str, Any]]], dropped: Dropped
    ) -> Iterator[Row]:
        for line, sample in records:
            place = f"{self._file}, row {line}"
            if "doc_id" not in sample or "filtered_resps" not in sample:
                self._refuse(sample, place, dropped)
                continue
            filtered = self._filter(sample)
            for metric, value in _metrics(sample):
                missing = value is None or value != value or metric == _BYPASS  # NaN differs
                score = None if missing else _score(value)
                if score is None and not missing:
                    dropped(f"metric {metric!r} is no single number for an item", 1, place)
                elif metric in self._run.lower_is_better:
                    dropped(f"metric {metric!r} is better when it is lower", 1, place)
                else:
                    yield self._row(sample, metric, score, filtered)

    def _row(
        self, sample: Mapping[str, Any], metric: str, score: float | None, filtered: str
    ) -> Row:
        answer = answer_of(sample, metric, score, self._run.delimiter)
        self._unclear += answer.unclear
        doc = mapping(sample.get("doc"))
        task = self._run.task if self._run.grouped else _task(doc)
        status = "unscored" if score is None and answer.status == "scored" else answer.status
        digest = sample.get("doc_hash")
        return (
            str(sample["doc_id"]) if sample["doc_id"] is not None else None,
            task,
            metric,
            filtered,
            answer.prediction,
            answer.target,
            score,
            status,
            answer.n_options,
            digest[:_HASH] if isinstance(digest, str) else None,
            own_id(doc),
        )

    def _filter(self, sample: Mapping[str, Any]) -> str:
        """Return the filter's name; old samples are written filter by filter without it."""
        named = sample.get("filter")
        if isinstance(named, str):
            return named
        doc, filters = sample["doc_id"], self._run.filters
        number_of = self._seen[doc]
        self._seen[doc] += 1
        if number_of < len(filters):
            return filters[number_of]
        self._unnamed = True
        return str(number_of + 1)

    def _refuse(self, sample: Mapping[str, Any], place: str, dropped: Dropped) -> None:
        rule = "must be a sample with doc_id and filtered_resps"
        if self._options.bad_rows == "drop":
            dropped(rule, 1, place)
            return
        raise SourceError(
            f"{place}: {rule}, got the keys {show(', '.join(sample))}; it may be of a version not "
            "known here; drop such rows with bad_rows='drop' (--bad-rows drop)"
        )


def _metrics(sample: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield names and values of the metrics; samples before 0.4.6 do not list them."""
    listed = sample.get("metrics")
    names = listed if isinstance(listed, list) else [k for k in sample if k not in _NO_METRIC]
    for name in names:
        if isinstance(name, str):
            yield name, sample.get(name)


def _score(value: object) -> float | None:
    return float(value) if isinstance(value, bool) else number(value)


def _task(doc: Mapping[str, Any]) -> str | None:
    named = (doc.get(name) for name in _TASK_FIELDS)
    return next((name.strip() for name in named if isinstance(name, str) and name.strip()), None)
