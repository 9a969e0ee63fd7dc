"""arena-rank: style control on the same file, without the penalty that switches it off."""

import sys

import numpy as np
import pandas as pd
from _clock import Clock
from arena_rank.models.contextual_bradley_terry import ContextualBradleyTerry
from arena_rank.utils.data_utils import ContextualPairDataset

clock = Clock()
frame = pd.read_parquet(sys.argv[1])
for column in ("model_a", "model_b"):
    frame[column] = frame[column].astype(str)
frame["winner"] = frame["winner"].map({"a": "model_a", "b": "model_b", "tie": "tie"}).astype(str)
names = ["tokens", "headers", "lists", "bold"]
for name in names:
    a, b = frame[f"{name}_a"], frame[f"{name}_b"]
    z = (a - b) / np.maximum(a + b, 1)
    frame[name] = z / np.sqrt(np.mean(z**2))
data = ContextualPairDataset.from_pandas(
    frame, feature_cols=names, reweighted=False, normalize_features=False
)
model = ContextualBradleyTerry(len(data.competitors), len(names), reg=0.0)
found = model.compute_ratings_and_cis(data)
clock.done(f"tokens {float(found['coeffs'][0]):.4f}")
