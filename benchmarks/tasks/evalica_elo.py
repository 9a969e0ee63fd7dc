"""evalica: Elo with K = 32 in Rust from the same file, its own winner labels."""

import sys

import evalica
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
result = evalica.elo(
    frame["model_a"].astype(str),
    frame["model_b"].astype(str),
    [winners[outcome] for outcome in frame["winner"]],
    k=32.0,
)
scores = result.scores.sort_values(ascending=False)
clock.done(f"{scores.index[0]} {scores.iloc[0] - scores.iloc[1]:.4f}")
