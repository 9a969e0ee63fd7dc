"""DuckDB: scan of the same three fields, nothing checked."""

import sys

import duckdb
from _clock import Clock

clock = Clock()
metric = sys.argv[2]
rows = duckdb.sql(
    f"select doc_id, filtered_resps[1] as reply, {metric} as score from read_json('{sys.argv[1]}', "
    "format='newline_delimited', columns={"
    f"'doc_id': 'BIGINT', 'filtered_resps': 'JSON[]', '{metric}': 'DOUBLE'}})"
).arrow()
table = rows.read_all() if hasattr(rows, "read_all") else rows
clock.done(f"{len(table):,} rows, mean {table.column('score').to_numpy().mean():.5f}")
