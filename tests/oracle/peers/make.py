"""Bradley-Terry by crowd-kit: see PROVENANCE.md."""

import csv

import numpy as np
import pandas as pd
from crowdkit.aggregation import BradleyTerry

rng = np.random.default_rng(31)
strength = np.linspace(2.0, -2.0, 8)
rows = []
for i in range(8):
    for j in range(i + 1, 8):
        if j - i > 2:
            continue  # only neighbours met, so that strength has to travel along the chain
        won = rng.binomial(100, 1 / (1 + np.exp(strength[j] - strength[i])))
        rows.append((f"m{i}", f"m{j}", int(won), int(100 - won)))
with open("votes.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["model_a", "model_b", "wins_a", "wins_b"])
    writer.writerows(rows)
votes = pd.DataFrame(
    [(a, b, a) for a, b, n, _ in rows for _ in range(n)]
    + [(a, b, b) for a, b, _, n in rows for _ in range(n)],
    columns=["left", "right", "label"],
)
scores = BradleyTerry(n_iter=10_000, tol=1e-12).fit_predict(votes)
with open("expected_crowd_kit.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["model", "score"])
    writer.writerows((model, repr(float(score))) for model, score in sorted(scores.items()))
