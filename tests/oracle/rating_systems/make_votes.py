"""Simulate the votes: see PROVENANCE.md."""

import csv

import numpy as np

rng = np.random.default_rng(21)
strength = np.array([1.0, 0.6, 0.3, 0.0, -0.5, -1.2])
names = ["fir", "ash", "oak", "elm", "yew", "box"]
with open("votes.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["period", "model_a", "model_b", "outcome"])
    for vote in range(600):
        period = vote // 50
        # box enters in period 2; yew pauses in periods 4 to 6
        away = {5} if period < 2 else {4} if 4 <= period <= 6 else set()
        there = [i for i in range(6) if i not in away]
        a, b = rng.choice(there, 2, replace=False)
        won = rng.random() < 1 / (1 + np.exp(strength[b] - strength[a]))
        u = rng.random()
        outcome = "tie" if u < 0.12 else "both_bad" if u < 0.18 else "a" if won else "b"
        writer.writerow([period, names[a], names[b], outcome])
