"""Pair-count tables: one row per pair of models, one column per outcome."""

import pyarrow as pa

from caveat.data.builder import TableBuilder
from caveat.data.evidence import Evidence
from caveat.data.schema import OUTCOMES, VOTES
from caveat.importers._base import ReadOptions, TableStream
from caveat.importers.columns import Plan, plan
from caveat.results.provenance import Source

COLUMNS = {"n_a": "a", "n_b": "b", "n_tie": "tie", "n_both_bad": "both_bad"}
NOTICE = (
    "pair counts: every cell (pair and outcome) counts as one row read, a cell of 0 as dropped; "
    "which model was shown first is not known"
)


def is_pair_counts(names: tuple[str, ...], options: ReadOptions) -> Plan | None:
    """Return how to read the table if it has two models and counts of both wins."""
    votes = plan(VOTES, names, options.mapping)
    if {"model_a", "model_b"} <= votes.has and {"n_a", "n_b"} <= set(names):
        return votes
    return None


def read_pair_counts(
    stream: TableStream, votes: Plan, source: Source, options: ReadOptions
) -> Evidence:
    """Read each cell as one row with its count."""
    builder = TableBuilder(
        VOTES,
        file=source.name,
        bad_rows=options.bad_rows,
        columns=options.columns,
        infer=stream.text_only,
    )
    builder.notice(NOTICE)
    cells = {name: outcome for name, outcome in COLUMNS.items() if name in stream.names}
    for first_row, batch in stream.chunks(None, builder.drop):
        shared = [name for name in batch.schema.names if name not in cells]
        for name, outcome in cells.items():
            add_cells(
                builder,
                {votes.renames[n]: batch.column(n) for n in shared},
                outcome=outcome,
                count=batch.column(name),
                first_row=first_row,
                shown={**votes.shown, "count": name},
            )
    return builder.finish(source, order_known=False)


def add_cells(
    builder: TableBuilder,
    shared: dict[str, pa.Array],
    *,
    outcome: str,
    count: pa.Array,
    first_row: int,
    shown: dict[str, str],
) -> None:
    """Add the cells of one outcome: the pairs, the outcome, the count."""
    code = pa.repeat(pa.scalar(OUTCOMES.index(outcome), pa.int32()), len(count))
    labels = pa.DictionaryArray.from_arrays(code, pa.array(OUTCOMES))
    columns = {**shared, "outcome": labels, "count": count}
    builder.add(pa.table(columns), first_row=first_row, shown=shown)
