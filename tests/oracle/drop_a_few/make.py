"""Makes votes.csv and expected.csv; run with the folder of IsRankingRobust as argument.

The authors' own code ranks single votes and tells whether dropping the first few turns an order.
"""

import csv
import sys
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
sys.path.insert(0, str(Path(sys.argv[1]) / "package"))
from RankAMIP.data_script import make_BT_design_matrix  # noqa: E402
from RankAMIP.logistic import LogisticAMIP  # noqa: E402

rng = np.random.default_rng(20250816)
strength = np.array([0.9, 0.42, 0.1, -0.2, -0.6])
rows = []
for _ in range(400):
    i, j = rng.choice(5, size=2, replace=False)
    p = 1.0 / (1.0 + np.exp(strength[j] - strength[i]))
    rows.append((f"m{i}", f"m{j}", int(rng.random() < p)))
with (HERE / "votes.csv").open("w", newline="") as file:
    csv.writer(file, lineterminator="\n").writerows([("model_a", "model_b", "a_wins"), *rows])

X, y, code = make_BT_design_matrix(pd.DataFrame(rows))
amip = LogisticAMIP(X, y)
names = sorted(code, key=code.get)
score = dict(zip(names, [0.0, *amip.model.coef_[0]], strict=True))
first, second = sorted(names, key=score.get, reverse=True)[:2]
at = {name: code[name] - 1 for name in names}  # the first name is the reference, 0
worth = sum(
    sign * amip.get_influence_1sN(at[name])
    for name, sign in ((first, 1.0), (second, -1.0))
    if at[name] >= 0
)
if at[first] < 0 or at[second] < 0:
    dimensions = (at[second], None) if at[first] < 0 else (at[first], None)
else:
    dimensions = (at[first], at[second])
said, refitted = [], []
for k in range(1, 60):
    one_step, refit, *_ = amip.AMIP_sign_change(k, *dimensions)
    said += [k] if one_step else []
    refitted += [k] if refit else []
with (HERE / "expected.csv").open("w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(("vote", "above", "below", "gap", "gain", "one_step", "refit"))
    for number, value in enumerate(worth):
        gap = score[first] - score[second]
        out.writerow((number, first, second, gap, value, said[0], refitted[0]))
