"""Wide tables: one row per item, one column per model."""

from collections.abc import Iterator
from itertools import chain, islice

import numpy as np
import pyarrow as pa

from caveat.data.builder import TableBuilder
from caveat.data.encoding import encode, is_nested
from caveat.data.evidence import Evidence
from caveat.data.numbers import read_numbers
from caveat.data.schema import RESPONSES, Kind
from caveat.importers._base import ReadOptions, TableStream
from caveat.importers.columns import Plan, plan
from caveat.results.provenance import Source

_AROUND = ("benchmark", "item", "task", "target", "cluster", "prompt", "run", "repeat", "at")
_CELLS_OF = ("prediction", "score")


def is_wide(stream: TableStream, options: ReadOptions, kind: Kind | None) -> Plan | None:
    """Return how to read the table if it has an item column and columns that look like models.

    Columns look like models when all of them hold numbers from 0 to 1, or when they share values
    with each other (answers to the same items do; a title and a length do not).
    """
    responses = plan(RESPONSES, stream.names, options.mapping)
    if "item" not in responses.has or "model" in responses.has or kind not in (None, "responses"):
        return None
    models = model_columns(responses)
    if len(models) < 2:
        return None
    if kind == "responses":
        return responses
    head = next(iter(stream.chunks(None, _ignore)), None)
    if head is None:
        return None
    targets = [old for old, new in responses.renames.items() if new == "target"]
    columns = [head[1].column(name) for name in models]
    others = [head[1].column(name) for name in targets]
    if any(is_nested(column.type) for column in columns):
        return None
    return responses if _all_scores(columns) or _share_values(columns, others) else None


def model_columns(responses: Plan) -> tuple[str, ...]:
    """Return the columns that belong to models: all that describe no item."""
    return tuple(old for old, new in responses.renames.items() if new not in _AROUND)


def read_wide(
    stream: TableStream, responses: Plan, source: Source, options: ReadOptions
) -> Evidence:
    """Read each cell as one response; rows read are cells.

    Whether cells are scores or predictions is decided once, from the first chunk: scores if all
    are numbers from 0 to 1, predictions otherwise. An empty cell may be an unreadable answer or
    none at all; it is dropped, so that it counts as missing and not as wrong.
    """
    builder = TableBuilder(
        RESPONSES,
        file=source.name,
        bad_rows=options.bad_rows,
        columns=options.columns,
        infer=stream.text_only,
        needed=frozenset(_CELLS_OF),
    )
    models = model_columns(responses)
    chunks = iter(stream.chunks(None, builder.drop))
    head = list(islice(chunks, 1))
    scores = bool(head) and _all_scores([head[0][1].column(name) for name in models])
    cell = "score" if scores else "prediction"
    builder.notice(f"wide table: {len(models)} columns were read as models, their cells as {cell}s")
    for first_row, batch in chain(head, chunks):
        for model, table in _melted(batch, responses, models, cell):
            builder.add(table, first_row=first_row, shown={**responses.shown, cell: model})
    return builder.finish(source)


def _melted(
    batch: pa.RecordBatch, responses: Plan, models: tuple[str, ...], cell: str
) -> Iterator[tuple[str, pa.Table]]:
    around = {new: batch.column(old) for old, new in responses.renames.items() if new in _AROUND}
    for model in models:
        name = pa.DictionaryArray.from_arrays(
            pa.repeat(pa.scalar(0, pa.int32()), batch.num_rows), pa.array([model.strip()])
        )
        yield model, pa.table({**around, "model": name, cell: batch.column(model)})


def _all_scores(columns: list[pa.Array]) -> bool:
    for column in columns:
        if is_nested(column.type):
            return False
        numbers = read_numbers(column)
        values = numbers.values[~np.isnan(numbers.values)]
        if numbers.bad.any() or (values < 0).any() or (values > 1).any():
            return False
    return True


def _share_values(columns: list[pa.Array], others: list[pa.Array]) -> bool:
    """Whether at least half of the columns share a value with another one, or with the target."""
    values = [_texts(column) for column in (*columns, *others)]
    sharing = sum(
        any(mine & other for number, other in enumerate(values) if number != place)
        for place, mine in enumerate(values[: len(columns)])
    )
    return sharing * 2 >= len(columns)


def _texts(column: pa.Array) -> set[str]:
    return {text for text in encode(column).dictionary.to_pylist() if text and text.strip()}


def _ignore(_reason: str, _count: int, _example: str, /) -> None:
    """Rows are counted when they are read in earnest."""
