"""evalstats: `compare` of the first models, as many as the second argument says.

No answer is a wrong answer; the table is made before the clock starts.
"""

import sys

import evalstats
import pyarrow.parquet as pq
from _clock import Clock

rows = pq.read_table(sys.argv[1], columns=["item", "model", "prediction", "target"])
frame = rows.to_pandas().astype("string")
first = sorted(frame["model"].unique())[: int(sys.argv[2])]
frame = frame[frame["model"].isin(first)]
right = (frame["prediction"] == frame["target"]).fillna(False)
long = frame[["item", "model"]].assign(score=right.astype(float))
clock = Clock()
evalstats.compare(evalstats.load_from(long), factors="model")
clock.done(f"{len(first)} models, {long['item'].nunique()} items")
