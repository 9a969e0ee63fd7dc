"""Battles of LMArena as tables: the Parquet files of its human-preference data."""

from collections.abc import Iterator, Mapping

import pyarrow as pa

from caveat.data.schema import Kind
from caveat.importers._base import LEFT_OUT, Dropped, ReadOptions, TableStream
from caveat.importers.style_counts import STYLE_COLUMNS, style_counts
from caveat.importers.translating import columns_of, source_chunks

_NEEDED = frozenset({"model_a", "model_b", "winner", "conv_metadata"})


class LMArenaVotes:
    """Reads who won and the counts of style; the conversations are never read."""

    name = "lmarena"
    doc = "battles of LMArena as a table with model_a, model_b, winner and conv_metadata"
    kind: Kind = "votes"
    roles: Mapping[str, str] = {
        "id": "battle",
        "judge_hash": "voter",
        "conv_metadata": "counts of style of both answers",
        **dict.fromkeys(("conversation_a", "conversation_b", "full_conversation"), LEFT_OUT),
    }

    def recognises(self, names: frozenset[str]) -> bool:
        """Look for a vote with counts of its conversation."""
        return names >= _NEEDED

    def translated(self, stream: TableStream, *, file: str, options: ReadOptions) -> TableStream:  # noqa: ARG002 - the protocol's
        """Return the votes with one column for each count of either answer."""

        def chunks(
            wanted: tuple[str, ...] | None, dropped: Dropped, /
        ) -> Iterator[tuple[int, pa.RecordBatch]]:
            for first_row, batch in source_chunks(stream, self.roles, wanted, dropped):
                yield first_row, _flat(batch)

        names = (_renamed(name) for name in stream.names if self.roles.get(name) != LEFT_OUT)
        flat = dict.fromkeys((*(n for n in names if n != "conv_metadata"), *STYLE_COLUMNS))
        return TableStream(
            names=tuple(flat),
            text_only=stream.text_only,
            rows=stream.rows,
            order_known=stream.order_known,
            notices=stream.notices,
            chunks=chunks,
        )


def _renamed(name: str) -> str:
    return {"id": "battle", "judge_hash": "voter"}.get(name, name)


def _flat(batch: pa.RecordBatch) -> pa.RecordBatch:
    given = columns_of(batch, needed=_NEEDED)
    counts = [style_counts(record) for record in given.pop("conv_metadata").to_pylist()]
    columns = {_renamed(name): column for name, column in given.items()}
    for name in STYLE_COLUMNS:
        columns[name] = pa.array([row[name] for row in counts], pa.int64())
    return pa.RecordBatch.from_pydict(columns)
