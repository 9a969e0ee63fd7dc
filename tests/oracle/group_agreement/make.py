"""Write ratings.csv and expected.csv beside this file; see PROVENANCE.md."""

import csv
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC

HERE = Path(__file__).parent
LABELS = 4


def ratings(name):
    """Answers of raters (columns) to items (rows) as labels 0 to 3, -1 where there is none."""
    rng = np.random.default_rng({"whole": 1, "gaps": 2, "rare": 3}[name])
    truth = rng.choice(LABELS, size=(80, 1), p=(0.7, 0.2, 0.07, 0.03) if name == "rare" else None)
    own = rng.integers(0, LABELS, (80, 5))
    found = np.where(rng.random((80, 5)) < 0.6, truth, own)
    if name != "whole":
        found = np.where(rng.random((80, 5)) < 0.35, -1, found)
        found[:3] = -1
        found[3:6, 1:] = -1
    return found


def main():
    with (
        open(HERE / "ratings.csv", "w", newline="") as one,
        open(HERE / "expected.csv", "w", newline="") as two,
    ):
        rows, expected = csv.writer(one, lineterminator="\n"), csv.writer(two, lineterminator="\n")
        rows.writerow(("case", *(f"rater_{k}" for k in range(5))))
        expected.writerow(("case", "weights", "package", "figure", "value", "se", "low", "high"))
        for case in ("whole", "gaps", "rare"):
            found = ratings(case)
            rows.writerows((case, *row) for row in found.tolist())
            frame = np.where(found < 0, np.nan, found)
            for weights, scale in (("identity", "nominal"), ("quadratic", "interval")):
                peer = CAC(
                    pd.DataFrame(frame), weights=weights, categories=list(range(LABELS)), digits=12
                )
                for figure in ("gwet", "fleiss", "krippendorff"):
                    est = getattr(peer, figure)()["est"]
                    numbers = (est["coefficient_value"], est["se"], *est["confidence_interval"])
                    expected.writerow(
                        (case, weights, "irrCAC", figure, *(f"{x:.12f}" for x in numbers))
                    )
                alpha = krippendorff.alpha(frame.T, level_of_measurement=scale)
                expected.writerow(
                    (case, weights, "krippendorff", "krippendorff", f"{alpha:.12f}", "", "", "")
                )


main()
