"""arena-rank: Bradley-Terry with its sandwich intervals from the same file."""

import sys

import pandas as pd
from _clock import Clock
from arena_rank.models.bradley_terry import BradleyTerry
from arena_rank.utils.data_utils import PairDataset

clock = Clock()
frame = pd.read_parquet(sys.argv[1])
for column in ("model_a", "model_b"):
    frame[column] = frame[column].astype(str)
frame["winner"] = (
    frame["winner"]
    .map({"a": "model_a", "b": "model_b", "tie": "tie", "both_bad": "both_bad"})
    .astype(str)
)
dataset = PairDataset.from_pandas(frame)
model = BradleyTerry(n_competitors=dataset.n_competitors)
model.fit(dataset)
ratings = model.compute_ratings_and_cis(dataset, significance_level=0.05)
best = sorted(zip(ratings["ratings"], ratings["competitors"], strict=True), reverse=True)
clock.done(f"{best[0][1]} {best[0][0] - best[1][0]:.4f}")
