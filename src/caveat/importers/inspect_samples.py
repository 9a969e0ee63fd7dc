"""Turns samples of Inspect into rows: one for each sample, epoch and score."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from caveat.importers._base import Dropped, TableStream
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import mapping, number
from caveat.importers.inspect_header import Header
from caveat.importers.row_columns import Row, row_batches

_NAMES = (
    "item", "repeat", "task", "metric", "prediction", "target", "score", "status", "n_options",
    "input_tokens", "output_tokens", "cost_usd", "latency_s", "limit", "at",
)  # fmt: skip
_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_TASK_FIELDS = ("category", "subject", "subtask", "domain", "topic")
FAILED = (
    "{file}: the run has status {status!r}{why}; samples it did not score are missing, not wrong"
)
NOT_RUN = "{file}: {n} of {expected} samples are not in the log; they are missing, not wrong"
BROKEN = "{file}: {n} samples ended in an error; they are missing, not wrong"

Samples = Iterable[tuple[str, Mapping[str, Any]]]
SampleReader = Callable[[Dropped], Samples]


class InspectSamples:
    """The samples of one log, read once from beginning to end."""

    def __init__(self, header: Header, *, file: str) -> None:
        self._header, self._file = header, file
        self._metrics: dict[str, None] = {}
        self._broken = self._read = 0

    def stream(self, samples: SampleReader) -> TableStream:
        """Return the rows as a table; `samples` yields places and samples."""
        header = self._header
        constants = {
            "benchmark": header.benchmark,
            "model": header.model,
            "run": header.run,
            "prompt": header.prompt,
            "dataset": header.dataset,
            "revision": header.revision,
        }
        names = (*_NAMES, *(name for name, value in constants.items() if value is not None))

        def chunks(
            _wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            rows = self._rows(samples(dropped), dropped)
            yield from row_batches(rows, names=_NAMES, constants=constants)

        return TableStream(names=names, chunks=chunks)

    def notices(self) -> tuple[str, ...]:
        """Return what was met while reading."""
        header = self._header
        notices = list(header.notices)
        if header.status != "success":
            why = f" ({header.error})" if header.error else ""
            notices.append(FAILED.format(file=self._file, status=header.status, why=why))
        if self._broken:
            notices.append(BROKEN.format(file=self._file, n=f"{self._broken:,}"))
        expected = header.expected
        if expected is not None and self._read < expected:
            notices.append(
                NOT_RUN.format(
                    file=self._file, n=f"{expected - self._read:,}", expected=f"{expected:,}"
                )
            )
        return tuple(notices)

    def _rows(self, samples: Samples, dropped: Dropped) -> Iterator[Row]:
        unscored: list[tuple[Row, Row, str]] = []
        for place, sample in samples:
            self._read += 1
            before, after = self._around(sample)
            if self._header.invalidated or sample.get("invalidation"):
                dropped("declared void in the log (invalidated)", 1, place)
                continue
            scores = _scores(sample, self._header)
            if sample.get("error"):
                self._broken += 1
                unscored.append((before, after, "error"))
            elif not scores:
                status = "unscored" if self._header.status == "success" else "error"
                unscored.append((before, after, status))
            else:
                yield from self._scored(sample, scores, (before, after), place, dropped)
        known = tuple(self._metrics) or self._header.scorers
        metrics: list[str | None] = list(known) if known else [None]
        for before, after, status in unscored:
            for name in metrics:
                yield (*before, name, None, None, None, status, *after)

    def _scored(
        self,
        sample: Mapping[str, Any],
        scores: Mapping[str, Any],
        around: tuple[Row, Row],
        place: str,
        dropped: Dropped,
    ) -> Iterator[Row]:
        before, after = around
        target = answer_text(_single(sample.get("target")))
        for metric, given in _flat(scores):
            self._metrics[metric] = None
            score = _number(given.get("value"))
            if score is None:
                dropped(f"score {metric!r} is no number and no grade (C, I, P, N)", 1, place)
                continue
            prediction = answer_text(given.get("answer"))
            status = _status(given, score, prediction)
            value = None if math.isnan(score) else score
            yield (*before, metric, prediction, target, value, status, *after)

    def _around(self, sample: Mapping[str, Any]) -> tuple[Row, Row]:
        """Return the values before and after those of a score."""
        metadata = mapping(sample.get("metadata"))
        tasks = (metadata.get(name) for name in _TASK_FIELDS)
        choices = sample.get("choices")
        usage = _usage(sample, self._header)
        limit = sample.get("limit")
        item, epoch = sample.get("id"), sample.get("epoch")
        return (
            (
                None if item is None else str(item),
                None if epoch is None else str(epoch),
                next((t for t in tasks if isinstance(t, str) and t.strip()), None),
            ),
            (
                len(choices) if isinstance(choices, list) and choices else None,
                usage.get("input"),
                usage.get("output"),
                usage.get("cost"),
                number(sample.get("total_time")),
                mapping(limit).get("type"),
                sample.get("completed_at") or self._header.created,
            ),
        )


def _scores(sample: Mapping[str, Any], header: Header) -> Mapping[str, Any]:
    """Return the scores by name; logs of version 1 have one without a name."""
    scores = sample.get("scores")
    if isinstance(scores, Mapping):
        return scores
    old = sample.get("score")
    return {(header.scorers or ("score",))[0]: old} if isinstance(old, Mapping) else {}


def _flat(scores: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield names and scores; of a score that is several values each is one."""
    for name, given in scores.items():
        score = mapping(given)
        value = score.get("value")
        if isinstance(value, Mapping):
            for key, part in value.items():
                yield f"{name}/{key}", {**score, "value": part}
        elif isinstance(value, list):
            for place, part in enumerate(value, 1):
                yield f"{name}/{place}", {**score, "value": part}
        else:
            yield name, score


def _number(value: object) -> float | None:
    """Return a score as a number, nan for one that is marked unscored, None for other text."""
    if value is None:
        return math.nan
    if not isinstance(value, str):
        return float(value) if isinstance(value, (bool, int, float)) else None
    known = _GRADES.get(value, _WORDS.get(value.strip().lower()))
    if known is not None:
        return known
    try:
        found = float(value)
    except ValueError:
        return None
    return None if math.isinf(found) else found


def _status(given: Mapping[str, Any], score: float, prediction: str | None) -> str:
    if math.isnan(score):
        return "unscored"
    if given.get("value") == "N":
        return "refused"
    unread = prediction is None and isinstance(given.get("answer"), str) and not score > 0
    return "unparsed" if unread else "scored"


def _single(target: object) -> object:
    return target[0] if isinstance(target, list) and len(target) == 1 else target


def _usage(sample: Mapping[str, Any], header: Header) -> dict[str, float | None]:
    """Return tokens and cost of the evaluated model; those of graders are not its own."""
    used = mapping(sample.get("model_usage"))
    own = mapping(used.get(header.model))
    if not used:
        own = mapping(mapping(sample.get("output")).get("usage"))
    roles = mapping(sample.get("role_usage"))
    others = [mapping(roles.get(role)) for role in header.sharing]

    def net(*names: str) -> float | None:
        found = [number(own.get(name)) for name in names]
        if found[0] is None:
            return None
        played = sum(number(other.get(name)) or 0 for other in others for name in names)
        return sum(value or 0 for value in found) - played

    return {
        "input": net("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write"),
        "output": net("output_tokens"),
        "cost": net("total_cost"),
    }
