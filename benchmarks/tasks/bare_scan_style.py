"""One scan of the columns that style control needs: read, count cells, add the numbers up."""

import sys

import numpy as np
import pyarrow.parquet as pq
from _clock import Clock

clock = Clock()
total, cells = 0, None
source = pq.ParquetFile(sys.argv[1])
for batch in source.iter_batches(1 << 20):
    a, b, o = (batch[c].indices.to_numpy() for c in ("model_a", "model_b", "winner"))
    m = len(batch["model_a"].dictionary)
    found = np.bincount((a.astype(np.int64) * m + b) * 4 + o, minlength=m * m * 4)
    cells = found if cells is None else cells + found
    total += sum(int(batch[k].to_numpy().sum()) for k in range(3, batch.num_columns))
clock.done(f"{int(cells.sum())} votes, {total}")
