"""Turns the requests of a HELM run into rows: one for each instance, trial and metric."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from caveat.importers._base import Dropped, TableStream
from caveat.importers.answer_texts import answer_text
from caveat.importers.case_fields import mapping, number
from caveat.importers.helm_spec import Spec
from caveat.importers.helm_stats import AllStats, Key, Stats, key_of
from caveat.importers.row_columns import Row, row_batches

_NAMES = (
    "item", "repeat", "metric", "prediction", "target", "score", "status", "n_options",
    "input_tokens", "output_tokens", "latency_s", "split", "at",
)  # fmt: skip
_SEPARATE = "multiple_choice_separate"
PERTURBED = "a perturbed copy of an instance"
FURTHER = "a further trial of one request, which HELM averages"
States = Iterable[tuple[int, Mapping[str, Any]]]
StateReader = Callable[[], States]


class HelmStates:
    """The instances of one run."""

    def __init__(self, spec: Spec, stats: AllStats, *, file: str) -> None:
        self._spec, self._stats, self._file = spec, stats, file
        self._prefix = f"{spec.task}/" if spec.task else ""

    def stream(self, states: StateReader) -> TableStream:
        """Return the rows as a table."""
        spec = self._spec
        constants = {
            "benchmark": spec.benchmark,
            "model": spec.model,
            "task": spec.task,
            "prompt": spec.prompt,
        }
        names = (*_NAMES, *(name for name, value in constants.items() if value is not None))

        def chunks(
            _wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            rows = self._rows(states(), dropped)
            yield from row_batches(rows, names=_NAMES, constants=constants)

        return TableStream(names=names, chunks=chunks)

    def notices(self) -> tuple[str, ...]:
        """Say which metrics are read and which are not."""
        read = dict.fromkeys(name for s in self._stats.found.values() for name in s.scores)
        left_out = [name for name in self._stats.left_out if name not in read]
        if not left_out:
            return ()
        return (
            f"{self._file}: metrics read: {', '.join(read) or 'none'}; left out: "
            f"{', '.join(left_out)}",
        )

    def _rows(self, states: States, dropped: Dropped) -> Iterator[Row]:
        seen: set[Key] = set()
        perturbed = 0
        for number_of, state in states:
            place = f"{self._file}, request {number_of}"
            instance = mapping(state.get("instance"))
            if instance.get("perturbation"):
                perturbed += 1
                dropped(PERTURBED, 1, place)
                continue
            key = key_of(state, instance.get("id"))
            if key is None:
                dropped("no item", 1, place)
            elif key not in seen:
                seen.add(key)
                yield from self._instance(key, state)
            elif not self._spec.method.startswith(_SEPARATE):  # there a choice is a request
                dropped(FURTHER, 1, place)
        if not seen and not perturbed and self._stats.perturbed:
            dropped(PERTURBED, self._stats.perturbed, self._file)
        for key, stats in self._stats.found.items():
            if key not in seen:
                yield from self._lines(key, stats, (None, None, None), None, None)

    def _instance(self, key: Key, state: Mapping[str, Any]) -> Iterator[Row]:
        stats = self._stats.found.get(key, Stats(split=mapping(state["instance"]).get("split")))
        result = mapping(state.get("result"))
        if result.get("success") is False or not result:
            yield from self._lines(key, stats, (None, None, None), "error", None)
            return
        answer = _answer(state, separate=self._spec.method.startswith(_SEPARATE))
        unread = answer[0] is None and not self._spec.method.startswith(_SEPARATE)
        status = "unparsed" if unread else "scored"
        yield from self._lines(key, stats, answer, status, result)

    def _lines(
        self,
        key: Key,
        stats: Stats,
        answer: tuple[str | None, str | None, int | None],
        status: str | None,
        result: Mapping[str, Any] | None,
    ) -> Iterator[Row]:
        prediction, target, n_options = answer
        latency = stats.latency
        if latency is None and result is not None:
            latency = number(result.get("request_time"))
        scores: Mapping[str, float | None] = stats.scores or {"exact_match": None}
        for metric, score in scores.items():
            yield (
                self._prefix + key[0],
                str(key[1]),
                metric,
                prediction,
                target,
                score,
                _status(status, score),
                n_options,
                stats.input_tokens,
                stats.output_tokens,
                latency,
                stats.split,
                _time(result),
            )


def _status(status: str | None, score: float | None) -> str | None:
    if status == "error":
        return status
    if score is None:
        return "unscored"
    return "scored" if status == "unparsed" and score > 0 else status


def _answer(
    state: Mapping[str, Any], *, separate: bool
) -> tuple[str | None, str | None, int | None]:
    """Return prediction, target and number of options.

    Where the options have letters, answer and target are letters, and a text that is none of them
    is no answer.
    """
    instance = mapping(state.get("instance"))
    references = [mapping(r) for r in instance.get("references") or ()]
    correct = [
        mapping(r.get("output")).get("text") for r in references if "correct" in r.get("tags", ())
    ]
    completions = mapping(state.get("result")).get("completions")
    first = mapping(completions[0]) if isinstance(completions, list) and completions else {}
    text = first.get("text")
    letters = mapping(state.get("output_mapping"))
    if separate:
        return None, _listed(correct), len(references) or None
    if not letters:
        return answer_text(text), _listed(correct), None
    chosen = str(text or "").strip()
    right = [letter for letter, option in letters.items() if option in correct]
    return chosen if chosen in letters else None, _listed(right), len(letters)


def _listed(values: list[Any]) -> str | None:
    return answer_text(values[0] if len(values) == 1 else values) if values else None


def _time(result: Mapping[str, Any] | None) -> str | None:
    seconds = number(mapping(result).get("request_datetime"))
    if seconds is None or not 0 < seconds < 1e11:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
