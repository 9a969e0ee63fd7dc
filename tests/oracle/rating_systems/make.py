"""Ratings by evalica and by trueskill: see PROVENANCE.md."""

import csv

import evalica
import pandas as pd
import trueskill

votes = pd.read_csv("votes.csv")
winner = [getattr(evalica.Winner, {"a": "X", "b": "Y"}.get(o, "Draw")) for o in votes["outcome"]]
sides = (votes["model_a"].tolist(), votes["model_b"].tolist(), winner)
columns = {
    "elo": evalica.elo(*sides, k=32.0).scores,
    "average_win_rate": evalica.average_win_rate(*sides).scores,
    "pagerank": evalica.pagerank(*sides, tolerance=1e-15, limit=10_000).scores,
    "eigen": evalica.eigen(*sides, tolerance=1e-12, limit=10_000).scores,
}
system = trueskill.TrueSkill(draw_probability=0.2)
skill = {}
for a, b, outcome in votes[["model_a", "model_b", "outcome"]].itertuples(index=False):
    one, other = skill.get(a, system.create_rating()), skill.get(b, system.create_rating())
    if outcome == "b":
        skill[b], skill[a] = system.rate_1vs1(other, one)
    else:
        skill[a], skill[b] = system.rate_1vs1(one, other, drawn=outcome != "a")
with open("expected.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["model", *columns, "trueskill_mu", "trueskill_sigma"])
    for model in sorted(skill):
        writer.writerow(
            [model]
            + [repr(float(scores[model])) for scores in columns.values()]
            + [repr(skill[model].mu), repr(skill[model].sigma)]
        )
