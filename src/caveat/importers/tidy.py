"""Tidy tables: one row per vote, answer or model."""

from collections.abc import Iterator

import pyarrow as pa

from caveat.data.builder import TableBuilder
from caveat.data.evidence import Evidence
from caveat.data.schema import Schema
from caveat.importers._base import ReadOptions, TableStream
from caveat.importers.answer_texts import LONGEST
from caveat.importers.columns import Plan, bind, extended, plan, unknown_columns
from caveat.importers.gathering import gathered
from caveat.importers.long_texts import with_short_texts
from caveat.results.provenance import Source

_LONG = (
    f"texts of more than {LONGEST} characters are kept as their beginning, length and SHA-256; the "
    "same texts stay the same"
)
_ALWAYS = frozenset({"prediction", "target", "score", "status", "count"})


def read_records(
    stream: TableStream, schema: Schema, source: Source, options: ReadOptions
) -> Evidence:
    """Read the records of a special format; the user's mapping counts there, too."""
    options = bind(options, stream.names, source.name)
    found = plan(schema, stream.names, options.mapping)
    if not found.complete:
        raise unknown_columns(stream.names, file=source.name, kind=schema.kind)
    return read_tidy(stream, found, source, options)


def read_tidy(stream: TableStream, columns: Plan, source: Source, options: ReadOptions) -> Evidence:
    """Read a table whose columns need nothing but their right names."""
    builder = TableBuilder(
        columns.schema,
        file=source.name,
        bad_rows=options.bad_rows,
        columns=options.columns,
        infer=stream.text_only,
    )
    for text in (*stream.notices, *columns.notices):
        builder.notice(text)
    for first_row, batch in gathered(renamed(stream, columns, options, builder)):
        builder.add(batch, first_row=first_row, shown=columns.shown)
    return builder.finish(source, order_known=stream.order_known)


def renamed(
    stream: TableStream, columns: Plan, options: ReadOptions, builder: TableBuilder
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield the chunks with canonical column names; columns that turn up later are placed too."""
    for first_row, batch in stream.chunks(_wanted(columns, options), builder.drop):
        late = tuple(name for name in batch.schema.names if name not in columns.renames)
        if late:
            columns = extended(columns, late, options.mapping)
        batch = batch.rename_columns([columns.renames[n] for n in batch.schema.names])
        batch, long = with_short_texts(batch, columns.schema)
        for name in long:
            builder.notice(f"column {columns.shown.get(name, name)!r}: {_LONG}")
        yield first_row, batch


def _wanted(columns: Plan, options: ReadOptions) -> tuple[str, ...] | None:
    if options.columns is None:
        return None
    needed = options.columns | _ALWAYS | {c.name for c in columns.schema.required}
    return tuple(old for old, new in columns.renames.items() if new in needed)
