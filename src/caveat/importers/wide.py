"""Wide tables: one row per item, one column per model."""

from collections.abc import Iterator

import pyarrow as pa

from caveat.data.builder import TableBuilder
from caveat.data.evidence import Evidence
from caveat.data.schema import RESPONSES, Kind
from caveat.importers._base import ReadOptions, TableStream
from caveat.importers.columns import Plan, plan
from caveat.importers.wide_columns import (
    Models,
    candidates,
    models_in,
    notice,
    refuse_outside,
    unnamed,
)
from caveat.results.provenance import Source

_CELLS_OF = ("prediction", "score")
_OF_CELLS = (*_CELLS_OF, "status")


def wide_plan(stream: TableStream, options: ReadOptions, kind: Kind | None) -> Plan | None:
    """Return the roles of the columns if there is an item and may be several models."""
    responses = plan(RESPONSES, stream.names, options.mapping)
    if "item" not in responses.has or "model" in responses.has or kind not in (None, "responses"):
        return None
    return responses if len(candidates(responses)) > 1 else None


def is_wide(stream: TableStream, responses: Plan, kind: Kind | None, *, file: str) -> Models | None:
    """Return which columns are models, judged by the first chunk; None if there are none."""
    head = next(iter(stream.chunks(None, _ignore)), None)
    if head is not None:
        return models_in(head[1], responses, file=file, certain=kind is not None)
    if kind is None:
        return None
    return Models(names=candidates(responses), cell="prediction")


def read_wide(
    stream: TableStream, responses: Plan, models: Models, source: Source, options: ReadOptions
) -> Evidence:
    """Read each cell as one response; rows read are cells.

    An empty cell may be an unreadable answer or none at all; it is dropped, so that it counts as
    missing and not as wrong. Columns that are no models describe the item and are repeated.
    """
    builder = TableBuilder(
        RESPONSES,
        file=source.name,
        bad_rows=options.bad_rows,
        columns=options.columns,
        infer=stream.text_only,
        needed=frozenset(_CELLS_OF),
    )
    builder.notice(notice(models))
    if models.left_out:
        builder.notice(
            "left out, no name of a model but an index as pandas saves it: column "
            f"{', '.join(map(repr, models.left_out))}"
        )
    around = {
        old: f"{new}_source" if new in _OF_CELLS else new
        for old, new in responses.renames.items()
        if old not in models.names and not unnamed(old)
    }
    extras = [old for old, new in around.items() if RESPONSES.column(new) is None]
    if extras:
        builder.notice(f"wide table: no models, kept as extra columns: {', '.join(extras)}")
    for first_row, batch in stream.chunks(None, builder.drop):
        if models.cell == "score":
            refuse_outside(batch, models.names, file=source.name)
        for model, table in _melted(batch, around, models):
            builder.add(table, first_row=first_row, shown={**responses.shown, models.cell: model})
    return builder.finish(source)


def _melted(
    batch: pa.RecordBatch, around: dict[str, str], models: Models
) -> Iterator[tuple[str, pa.Table]]:
    shared = {new: batch.column(old) for old, new in around.items() if old in batch.schema.names}
    for model in models.names:
        name = pa.DictionaryArray.from_arrays(
            pa.repeat(pa.scalar(0, pa.int32()), batch.num_rows), pa.array([model.strip()])
        )
        yield model, pa.table({**shared, "model": name, models.cell: batch.column(model)})


def _ignore(_reason: str, _count: int, _example: str, /) -> None:
    """Rows are counted when they are read in earnest."""
