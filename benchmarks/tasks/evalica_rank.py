"""evalica: Bradley-Terry from the same file, its own winner labels."""

import sys

import evalica
import numpy as np
import pandas as pd
from _clock import Clock

clock = Clock()
frame = pd.read_parquet(sys.argv[1])
winners = {
    "a": evalica.Winner.X,
    "b": evalica.Winner.Y,
    "tie": evalica.Winner.Draw,
    "both_bad": evalica.Winner.Draw,
}
result = evalica.bradley_terry(
    frame["model_a"].astype(str), frame["model_b"].astype(str), frame["winner"].map(winners)
)
scores = result.scores.sort_values(ascending=False)
clock.done(f"{scores.index[0]} {np.log(scores.iloc[0] / scores.iloc[1]) * 400 / np.log(10):.4f}")
