"""Intervals of arena-rank 0.1.1 on board.csv: by its defaults, and fitted to the end."""

import csv

import jax.numpy as jnp
import numpy as np
from arena_rank.models.bradley_terry import BradleyTerry
from arena_rank.utils.data_utils import PairDataset

a, b, outcome, count = np.loadtxt("board.csv", delimiter=",", skiprows=1).T
m = int(max(a.max(), b.max())) + 1
data = PairDataset(
    competitors=[f"m{k}" for k in range(m)],
    pairs=jnp.array(np.stack([a, b], axis=1).astype(np.int32)),
    outcomes=jnp.array(np.array([1.0, 0.0, 0.5])[outcome.astype(int)]),
    counts=jnp.array(count),
    weights=jnp.ones(count.size),
    opt_weights=jnp.array(count),
)
ends = {"default": {}, "to the end": {"ftol": 1e-18, "gtol": 1e-14, "max_iter": 5000}}
with open("expected.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["run", "model", "rating", "low", "high"])
    for name, options in ends.items():
        found = BradleyTerry(m, **options).compute_ratings_and_cis(data)
        centre = float(np.asarray(found["ratings"])[: m - 1].mean())
        for k in range(m):
            row = (found[c][k] for c in ("ratings", "rating_lower", "rating_upper"))
            writer.writerow([name, f"m{k}", *(f"{float(x) - centre:.8g}" for x in row)])
