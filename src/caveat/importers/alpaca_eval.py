"""Preferences of AlpacaEval's judges: each model against one baseline."""

from collections.abc import Iterator, Mapping
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from caveat.data.numbers import read_numbers
from caveat.data.schema import Kind
from caveat.importers._base import LEFT_OUT, Dropped, ReadOptions, TableStream
from caveat.importers.translating import Sieve, columns_of, same_text, source_chunks, text_ids

Form = Literal["annotations", "items"]
_ANNOTATIONS = frozenset({"generator_1", "generator_2", "preference"})
_ITEMS = frozenset({"model", "baseline", "preference"})
_RENAMED = {
    "generator_1": "model_a",
    "generator_2": "model_b",
    "annotator": "judge",
    "dataset": "task",
    "category": "task",
    "preference_price_per_example": "judge_cost_usd",
    "preference_time_per_example": "judge_time_s",
}
_OF_ITEMS = {"baseline": "model_a", "model": "model_b"}
_BASELINE = "_baseline"
RULE: dict[Form, str] = {
    "annotations": "must be 1 (output_1) to 2 (output_2), or 0 or 1.5 for a draw",
    "items": "must be a probability, from 0 to 1",
}
ITSELF = "the baseline against itself"
NOT_READ = "the judge's preference could not be read (null)"
NOTICE = (
    "alpaca_eval: the preference is a probability; above one half wins, as in its discrete win "
    "rate (the win rate it publishes is the mean probability); it is kept as win_probability_b; "
    "which answer was shown first is not known"
)


class AlpacaEval:
    """Reads which of two answers the judge found likelier to be preferred."""

    name = "alpaca_eval"
    doc = "AlpacaEval annotations.json, or a table with model, baseline and preference"
    kind: Kind = "votes"
    roles: Mapping[str, str] = {
        **_RENAMED,
        **_OF_ITEMS,
        "preference": "outcome and win_probability_b",
        "instruction": "item",
        "output_1": "chars_a",
        "output_2": "chars_b",
        **dict.fromkeys(
            ("preference_raw_completion", "preference_date", "preference_version"), LEFT_OUT
        ),
    }

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for two generators, or a model and its baseline, and a preference."""
        return names >= _ANNOTATIONS or names >= _ITEMS

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:
        """Return the verdicts; of the answers only their lengths are kept."""
        form: Form = "annotations" if set(stream.names) >= _ANNOTATIONS else "items"
        places = {
            name: _new_name(name, form, stream.names)
            for name in stream.names
            if self.roles.get(name) != LEFT_OUT and name != "preference"
        }

        def chunks(
            wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            asked = None if wanted is None else tuple(n for n in places if places[n] in wanted)
            for first_row, batch in source_chunks(stream, self.roles, asked, dropped):
                sieve = Sieve(
                    file=file,
                    first_row=first_row,
                    length=batch.num_rows,
                    options=options,
                    dropped=dropped,
                )
                yield from sieve.runs(_verdicts(batch, sieve, form, places))

        return TableStream(
            names=tuple(dict.fromkeys((*places.values(), "outcome", "win_probability_b"))),
            text_only=stream.text_only,
            rows=stream.rows,
            order_known=False,
            notices=(*stream.notices, NOTICE),
            chunks=chunks,
        )


def _new_name(name: str, form: Form, names: tuple[str, ...]) -> str:
    """Return a column's name in the evidence; `x` and `x_baseline` are a pair of columns."""
    if name in ("instruction", "output_1", "output_2"):
        return {"instruction": "item", "output_1": "chars_a", "output_2": "chars_b"}[name]
    if form == "items" and name in _OF_ITEMS:
        return _OF_ITEMS[name]
    if name.endswith(_BASELINE) and name.removesuffix(_BASELINE) in names:
        return f"{name.removesuffix(_BASELINE)}_a"
    if f"{name}{_BASELINE}" in names:
        return f"{name}_b"
    return _RENAMED.get(name, name)


def _verdicts(
    batch: pa.RecordBatch, sieve: Sieve, form: Form, places: Mapping[str, str]
) -> pa.RecordBatch:
    sides = ("generator_1", "generator_2") if form == "annotations" else tuple(_OF_ITEMS)
    given = columns_of(batch, needed=("preference", *sides))
    probability = _probability(given.pop("preference"), sieve, form)
    code = np.where(probability > 0.5, 1, np.where(probability < 0.5, 0, 2)).astype(np.int32)
    unknown = np.isnan(probability)
    columns = {
        "outcome": pa.DictionaryArray.from_arrays(
            pa.array(code, mask=unknown), pa.array(["a", "b", "tie"])
        ),
        "win_probability_b": pa.array(probability, mask=unknown),
    }
    for name, column in given.items():
        if name == "instruction":
            column = text_ids(column)
        elif name in ("output_1", "output_2"):
            column = pc.utf8_length(column.cast(pa.string()))
        columns.setdefault(places.get(name, name), column)
    sieve.drop(same_text(columns["model_a"], columns["model_b"]), ITSELF)
    sieve.drop(unknown, NOT_READ)
    return pa.RecordBatch.from_pydict(columns)


def _probability(array: pa.Array, sieve: Sieve, form: Form) -> NDArray[np.float64]:
    numbers = read_numbers(array)
    values = numbers.values
    if form == "annotations":
        values = np.where(values == 0, 0.5, values - 1)
    with np.errstate(invalid="ignore"):
        bad = numbers.bad | (values < 0) | (values > 1)
    sieve.refuse(bad, column="preference", rule=RULE[form], values=array)
    return values
