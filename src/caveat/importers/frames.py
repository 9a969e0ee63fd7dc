"""Evidence out of tables in memory: Arrow, pandas, polars and whatever else narwhals knows."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import narwhals as nw
import pyarrow as pa

from caveat.data.evidence import Evidence
from caveat.data.schema import Kind
from caveat.errors import InputError
from caveat.importers._base import Dropped, ReadOptions, TableStream
from caveat.importers.layout import read_table
from caveat.importers.written import history, order_known

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

_DEFAULTS = ReadOptions()


def read_frame(
    frame: "IntoFrame | pa.Table | pa.RecordBatch",
    *,
    kind: Kind | None,
    name: str = "<frame>",
    options: ReadOptions = _DEFAULTS,
) -> Evidence:
    """Read a table in memory; it is not changed.

    Parameters
    ----------
    frame
        Arrow table or batch, pandas, polars or another frame that narwhals knows. The index of
        a pandas frame is not read.
    kind
        Kind of evidence it must hold; None takes what it is.
    name
        Name of the table in messages.
    options
        How to read it.

    Raises
    ------
    InputError
        When it is no table, lacks columns, or a cell breaks a rule.
    """
    table = _arrow(frame)

    def chunks(
        wanted: tuple[str, ...] | None, _dropped: Dropped, /
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        row = 1
        chosen = table if wanted is None else table.select(list(wanted))
        for batch in chosen.to_batches():
            yield row, batch
            row += batch.num_rows

    stream = TableStream(
        names=tuple(table.column_names),
        rows=table.num_rows,
        order_known=order_known(table.schema),
        notices=history(table.schema),
        chunks=chunks,
    )
    return read_table(stream, name=name, format_name="frame", options=options, kind=kind)


def _arrow(frame: object) -> pa.Table:
    if isinstance(frame, pa.Table):
        return frame
    if isinstance(frame, pa.RecordBatch):
        return pa.table(frame)
    try:
        eager = nw.from_native(frame, pass_through=True)
        if isinstance(eager, nw.LazyFrame):
            eager = eager.collect()
    except nw.exceptions.NarwhalsError as error:
        raise InputError(f"frame must be a table with unique column names ({error})") from error
    if not isinstance(eager, nw.DataFrame):
        raise InputError(
            f"frame must be an Arrow table, a pandas or polars frame, a mapping of columns or a "
            f"list of records, got {type(frame).__name__}"
        )
    try:
        return eager.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        lists = {
            name: (eager[name].to_list(), eager[name].is_null().to_list()) for name in eager.columns
        }
        return pa.table({name: _column(*cells) for name, cells in lists.items()})


def _column(values: list[object], missing: list[bool]) -> pa.Array:
    """Return one column; a pandas column of mixed types becomes text."""
    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        cells = zip(values, missing, strict=True)
        return pa.array([None if gone else str(cell) for cell, gone in cells], pa.string())
