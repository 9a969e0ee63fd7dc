"""A damaged file gives an error of ours or evidence that adds up, never anything else."""

import io
import json

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caveat.errors import CaveatError
from caveat.importers._base import ReadOptions
from caveat.importers.reading import inspect_path, read_path

ROWS = [
    {"model_a": "x", "model_b": "y", "winner": "a", "extra": "é"},
    {"model_a": "y", "model_b": "z", "winner": "tie", "extra": None},
]


def _written(write):
    sink = io.BytesIO()
    write(pa.Table.from_pylist(ROWS), sink)
    return sink.getvalue()


def _stream(table, sink):
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


WHOLE = [
    _written(pq.write_table),
    _written(feather.write_feather),
    _written(_stream),
    json.dumps(ROWS).encode(),
    "\n".join(map(json.dumps, ROWS)).encode(),
    b'model_a,model_b,winner\nx,y,a\ny,"z\n1",tie\n',
    b'{"models": ["x", "y"], "X": [[0, 1]], "Y": [[1, 2, 3, 4]]}',
]


@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    whole=st.sampled_from(WHOLE),
    start=st.floats(0, 1),
    length=st.integers(0, 12),
    filling=st.binary(max_size=6),
    bad_rows=st.sampled_from(["error", "drop"]),
)
def test_damage(tmp_path, whole, start, length, filling, bad_rows):
    place = int(start * len(whole))
    path = tmp_path / "damaged"
    path.write_bytes(whole[:place] + filling + whole[place + length :])
    inspect_path(path)
    try:
        found = read_path(path, options=ReadOptions(bad_rows=bad_rows))
    except CaveatError:
        return
    for evidence in found:
        evidence.table.validate(full=True)
        account = evidence.provenance.account
        assert account.rows_read == account.kept + account.dropped
        assert account.kept == len(evidence)
