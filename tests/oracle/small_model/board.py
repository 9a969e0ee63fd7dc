"""One board of 10 million votes with a model of 100: run from the root of the checkout."""

import csv
import sys

import numpy as np

sys.path.insert(0, "tests/stats/ranking")
from test_small_model_coverage import boards

cells = next(boards("bradley-terry", np.random.default_rng(31))).cells
with open("tests/oracle/small_model/board.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["a", "b", "outcome", "count"])
    writer.writerows(zip(cells.a, cells.b, cells.outcome, cells.count.astype(int), strict=True))
