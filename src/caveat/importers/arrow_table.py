"""Arrow IPC: files, streams and Feather."""

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from caveat.errors import SourceError
from caveat.importers._base import Dropped, Head, ReadOptions, TableStream
from caveat.importers.damage import damage_explained
from caveat.importers.opening import Member
from caveat.importers.written import history, order_known


class ArrowTable:
    """Reads Arrow IPC files (Feather version 2) and streams."""

    name = "arrow"
    doc = "Arrow IPC file or stream, Feather"

    def recognises(self, head: Head) -> bool:
        """Look for the magic bytes of files, streams and the old Feather."""
        return head.data.startswith((b"ARROW1", b"\xff\xff\xff\xff", b"FEA1"))

    def stream(self, member: Member, _options: ReadOptions) -> TableStream:
        """Open the table."""
        with _opened(member) as reader:
            schema = reader.schema
            names = tuple(schema.names)

        def chunks(
            wanted: tuple[str, ...] | None, _dropped: Dropped
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            row = 1
            with _opened(member) as reader:
                for batch in _batches(reader):
                    batch.validate(full=True)  # Arrow trusts offsets in IPC; a damaged file may lie
                    yield row, batch if wanted is None else batch.select(list(wanted))
                    row += batch.num_rows

        return TableStream(
            names=names, order_known=order_known(schema), notices=history(schema), chunks=chunks
        )


def _batches(reader: pa.RecordBatchReader | pa.RecordBatchFileReader) -> Iterator[pa.RecordBatch]:
    if isinstance(reader, pa.RecordBatchFileReader):
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number)
    else:
        yield from reader


@contextmanager
def _opened(member: Member) -> Iterator[pa.RecordBatchReader | pa.RecordBatchFileReader]:
    magic, _ = member.head(6)
    if magic.startswith(b"FEA1"):
        raise SourceError(f"{member.name}: Feather version 1 is too old; write it as version 2")
    with damage_explained(member):
        if magic == b"ARROW1":
            whole = member.compression != "none"
            source = pa.BufferReader(member.read_all()) if whole else pa.OSFile(str(member.path))
            yield pa.ipc.open_file(source)
        else:
            with member.open() as file:
                yield pa.ipc.open_stream(pa.PythonFile(file))
