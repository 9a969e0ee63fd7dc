"""errorbars: intervals of all models, paired tests of all pairs corrected by Holm, and groups.

No answer is a wrong answer; what it takes is made before the clock starts."""

import sys

import pyarrow.compute as pc
import pyarrow.parquet as pq
from _clock import Clock
from errorbars.io import EvalData
from errorbars.leaderboard import build_leaderboard

rows = pq.read_table(sys.argv[1], columns=["item", "model", "prediction", "target"])
right = pc.equal(rows["prediction"].cast("string"), rows["target"].cast("string"))
data = EvalData(
    question_id=rows["item"].cast("string").to_pylist(),
    model=rows["model"].cast("string").to_pylist(),
    score=pc.fill_null(right, False).cast("int8").cast("float64").to_pylist(),
)
clock = Clock()
board = build_leaderboard(data)
clock.done(f"best {board.entries[0].model} {board.entries[0].mean:.6f}")
