"""Simulate the votes: a true coefficient of 0.30 logits per typical difference of length."""

import csv

import numpy as np

rng = np.random.default_rng(1)
MODELS, N, COEFFICIENT = 8, 6000, 0.30
theta = np.linspace(0.7, -0.7, MODELS)
verbose = rng.normal(0, 0.3, MODELS)
a = rng.integers(0, MODELS, N)
b = (a + rng.integers(1, MODELS, N)) % MODELS
length = np.exp(rng.normal(5.5, 0.6, (2, N)) + verbose[[a, b]])
first, second = np.maximum(1, np.rint(length)).astype(int)
z = (first - second) / (first + second)
eta = theta[a] - theta[b] + COEFFICIENT * z / np.sqrt(np.mean(z**2))
tie = rng.random(N) < 0.15
won = rng.random(N) < 1 / (1 + np.exp(-eta))
# A tie is a coin's toss not tossed: with half-win scores the expectation stays that of the logit.
half = rng.random(N) < 2 * np.minimum(1 / (1 + np.exp(-eta)), 1 / (1 + np.exp(eta)))
outcome = np.where(tie & half, "tie", np.where(won, "a", "b"))
extra = tie & ~half
outcome[extra] = np.where(eta[extra] > 0, "a", "b")
with open("votes.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["model_a", "model_b", "winner", "length_a", "length_b"])
    for row in zip(a, b, outcome, first, second, strict=True):
        writer.writerow([f"m{row[0]}", f"m{row[1]}", *row[2:]])
