"""Tidy tables: one row per vote, answer or model."""

from collections.abc import Iterator

import pyarrow as pa

from caveat.data.builder import TableBuilder
from caveat.data.evidence import Evidence
from caveat.importers._base import ReadOptions, TableStream
from caveat.importers.columns import Plan, extended
from caveat.results.provenance import Source

_ALWAYS = frozenset({"prediction", "target", "score", "status", "count"})


def read_tidy(stream: TableStream, plan: Plan, source: Source, options: ReadOptions) -> Evidence:
    """Read a table whose columns need nothing but their right names."""
    builder = TableBuilder(
        plan.schema,
        file=source.name,
        bad_rows=options.bad_rows,
        columns=options.columns,
        infer=stream.text_only,
    )
    for text in plan.notices:
        builder.notice(text)
    for first_row, batch in renamed(stream, plan, options, builder):
        builder.add(batch, first_row=first_row, shown=plan.shown)
    return builder.finish(source, order_known=stream.order_known)


def renamed(
    stream: TableStream, plan: Plan, options: ReadOptions, builder: TableBuilder
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield the chunks with canonical column names; columns that turn up later are placed too."""
    for first_row, batch in stream.chunks(_wanted(plan, options), builder.drop):
        late = tuple(name for name in batch.schema.names if name not in plan.renames)
        if late:
            plan = extended(plan, late, options.mapping)
        yield first_row, batch.rename_columns([plan.renames[n] for n in batch.schema.names])


def _wanted(plan: Plan, options: ReadOptions) -> tuple[str, ...] | None:
    if options.columns is None:
        return None
    needed = options.columns | _ALWAYS | {c.name for c in plan.schema.required}
    return tuple(old for old, new in plan.renames.items() if new in needed)
