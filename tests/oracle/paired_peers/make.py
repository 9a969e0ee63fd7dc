"""Paired figures of errorbars and evalstats on ../cluster_means/scores.csv: python make.py."""

import csv
import itertools
from pathlib import Path

import evalstats
import numpy as np
from errorbars.compare import paired_compare

HERE = Path(__file__).parent
with (HERE.parent / "cluster_means" / "scores.csv").open(newline="") as file:
    items = list(csv.DictReader(file))
rows = []
for case, group in itertools.groupby(items, key=lambda row: row["case"]):
    part = list(group)
    a, b = (np.array([float(row[name]) for row in part]) for name in "ab")
    found = paired_compare(a, b, [row["cluster"] for row in part])
    other = evalstats.tests.ttest(a, b, paired=True, print_result=False)
    rows.append(
        {
            "case": case,
            "n": found.n,
            "difference": found.mean_diff,
            "se": found.se_paired,
            "low": found.ci_low,
            "high": found.ci_high,
            "p_t": found.p_value,
            "p_t_evalstats": float(other.p_value),
            "p_mcnemar": found.mcnemar.p_value,
            "se_clustered": found.se_clustered,
        }
    )
with (HERE / "expected.csv").open("w", newline="") as file:
    writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
