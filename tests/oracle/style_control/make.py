"""Style control of arena-rank 0.1.1 on votes.csv: with its defaults, and with them off."""

import csv

import numpy as np
import pandas as pd
from arena_rank.models.contextual_bradley_terry import ContextualBradleyTerry
from arena_rank.utils.data_utils import ContextualPairDataset

votes = pd.read_csv("votes.csv")
votes["winner"] = votes["winner"].map({"a": "model_a", "b": "model_b", "tie": "tie"})
z = (votes["length_a"] - votes["length_b"]) / (votes["length_a"] + votes["length_b"])
votes["length"] = z / np.sqrt(np.mean(z**2))


def run(name, *, reweighted, **options):
    # The column is of size 1 already; it is not centred, since sides are arbitrary.
    data = ContextualPairDataset.from_pandas(
        votes, feature_cols=["length"], reweighted=reweighted, normalize_features=False
    )
    model = ContextualBradleyTerry(len(data.competitors), 1, **options)
    found = model.compute_ratings_and_cis(data)
    theta = (np.asarray(found["ratings"]) - 1000) * np.log(10) / 400
    theta -= theta.mean()
    rows = [(name, "length", float(found["coeffs"][0]))]
    return rows + [
        (name, model, float(t)) for model, t in zip(data.competitors, theta, strict=True)
    ]


rows = run("default", reweighted=True)
rows += run("default penalty, no weights", reweighted=False)
rows += run("no penalty, no weights", reweighted=False, reg=0.0, gtol=1e-13, ftol=1e-16)
with open("expected.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["run", "name", "value"])
    writer.writerows((run, name, f"{value:.12g}") for run, name, value in rows)
