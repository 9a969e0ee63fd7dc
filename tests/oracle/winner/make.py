"""python make.py > expected.csv (multiple-inference 1.2.0, scipy 1.11.4, pandas 2.1)."""

import sys

import numpy as np
from multiple_inference.rank_condition import RankCondition

MEANS = {
    "steps": [0.0, 1, 2, 3, 4],
    "independent": [0.62, 0.60, 0.598, 0.55, 0.50, 0.31],
    "correlated": [0.62, 0.60, 0.598, 0.55, 0.50, 0.31],
    "close": [0.501, 0.500, 0.497, 0.49, 0.47],
}
se = np.array([0.010, 0.012, 0.011, 0.015, 0.012, 0.020])
near = 0.6 ** np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
COVARIANCES = {
    "steps": np.eye(5),
    "independent": np.diag(se**2),
    "correlated": np.outer(se, se) * near,
    "close": 0.014**2 * (0.4 + 0.6 * np.eye(5)),
}
sys.stdout.write(
    "case,conditional,conditional_low,conditional_high,hybrid,hybrid_low,hybrid_high\n"
)
for case, mean in MEANS.items():
    row = [case]
    for beta in (0.0, 0.005):
        np.random.seed(0)  # noqa: NPY002 - the package draws from it
        model = RankCondition(np.array(mean), COVARIANCES[case])
        best = int(np.argmax(mean))
        found = model.fit(beta=beta)
        row += [f"{v:.8f}" for v in (found.params[best], *found.conf_int()[best])]
    sys.stdout.write(",".join(row) + "\n")
