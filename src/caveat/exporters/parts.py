"""Rows of evidence that share one file: those of one model, benchmark and run."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from caveat.data.evidence import Evidence
from caveat.data.keys import combine

VOTES = "pairwise votes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Rows that share one file."""

    model: str
    benchmark: str
    run: str | None
    rows: pa.Table


def parts_of(evidence: Evidence) -> Iterator[Part]:
    """Yield the rows of each model, benchmark and run."""
    table = evidence.table
    votes = evidence.kind == "votes"
    names = ["model_a"] if votes else ["benchmark", "model", "run"]
    names = [name for name in names if name in table.column_names]
    key, _ = combine([table.column(name) for name in names])
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=key[order][:1] - 1))
    for start, stop in zip(starts, [*starts[1:], order.size], strict=True):
        rows = table.take(pa.array(order[start:stop]))
        first = {name: rows.column(name)[0].as_py() for name in names}
        yield Part(
            model=first["model_a" if votes else "model"],
            benchmark=VOTES if votes else first["benchmark"],
            run=first.get("run"),
            rows=rows,
        )
