"""The least there is to do: count cells with numpy, fit by Newton. No checks, errors or ranks."""

import sys

import numpy as np
import pyarrow.parquet as pq
from _clock import Clock

clock = Clock()
table = pq.read_table(sys.argv[1]).unify_dictionaries()
names = table["model_a"].chunk(0).dictionary.to_pylist()
m = len(names)
wins = np.zeros((m, m))
for batch in table.to_batches():
    a, b, o = (batch.column(c).indices.to_numpy() for c in ("model_a", "model_b", "winner"))
    cells = np.bincount((a.astype(np.int64) * m + b) * 4 + o, minlength=m * m * 4).reshape(m, m, 4)
    half = (cells[:, :, 2] + cells[:, :, 3]) / 2
    wins += cells[:, :, 0] + half + (cells[:, :, 1] + half).T
theta, votes = np.zeros(m), wins + wins.T
for _ in range(30):
    p = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
    w = votes * p * (1 - p)
    step = np.linalg.solve(np.diag(w.sum(1)) - w + 1.0, (wins - votes * p).sum(1))
    theta += step
    if np.abs(step).max() < 1e-10:
        break
top = np.sort(theta)[::-1]
clock.done(f"{names[theta.argmax()]} {(top[0] - top[1]) * 400 / np.log(10):.4f}")
