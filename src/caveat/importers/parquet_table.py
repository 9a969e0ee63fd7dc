"""Parquet."""

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from caveat.importers._base import Dropped, Head, ReadOptions, TableStream
from caveat.importers.damage import damage_explained
from caveat.importers.opening import Member
from caveat.importers.written import history, order_known

_ROWS = 1 << 20
_FEW = 4  # columns for which threads cost more than they bring


class ParquetTable:
    """Reads Parquet by row group, text as dictionaries."""

    name = "parquet"
    doc = "Parquet"

    def recognises(self, head: Head) -> bool:
        """Look for the magic bytes."""
        return head.data.startswith(b"PAR1")

    def stream(self, member: Member, options: ReadOptions) -> TableStream:
        """Open the table."""
        with damage_explained(member):
            file = _open(member, ())
            schema = file.schema_arrow
            names = tuple(schema.names)
        text = tuple(
            f.name
            for f in schema
            if pa.types.is_string(f.type)
            or pa.types.is_large_string(f.type)
            or pa.types.is_string_view(f.type)
        )
        total = file.metadata.num_rows

        def chunks(
            wanted: tuple[str, ...] | None, _dropped: Dropped
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            row = 1
            with damage_explained(member):
                columns = list(wanted) if wanted is not None else None
                few = len(names if columns is None else columns) <= _FEW
                batches = _open(member, text).iter_batches(
                    _ROWS, columns=columns, use_threads=not few
                )
                for batch in batches:
                    yield row, batch
                    row += batch.num_rows
                    if options.progress is not None:
                        options.progress(row - 1, total)

        return TableStream(
            names=names,
            rows=total,
            order_known=order_known(schema),
            notices=history(schema),
            chunks=chunks,
        )


def _open(member: Member, text: tuple[str, ...]) -> pq.ParquetFile:
    source = member.path if member.compression == "none" else pa.BufferReader(member.read_all())
    return pq.ParquetFile(source, read_dictionary=list(text))
