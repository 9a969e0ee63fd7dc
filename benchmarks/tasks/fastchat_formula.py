"""FastChat's Bradley-Terry: scikit-learn's logistic regression on doubled pairs; ratings only.

Written after the formula of its leaderboard code: one row each for a pair won and lost, a tie in
both, weights the votes, no penalty, `tol=1e-6`.
"""

import sys

import numpy as np
from _clock import Clock
from _counts import lead, pair_counts
from sklearn.linear_model import LogisticRegression

clock = Clock()
names, wins, ties = pair_counts(sys.argv[1])
m = len(names)
first, second = np.nonzero(wins + wins.T + ties)
x = np.zeros((2 * first.size, m))
rows = np.arange(first.size)
for half in (0, first.size):
    x[rows + half, first] = np.log(10)
    x[rows + half, second] = -np.log(10)
y = np.repeat([1, 0], first.size)
weight = np.r_[(2 * wins + ties)[first, second], (2 * wins.T + ties)[first, second]]
model = LogisticRegression(fit_intercept=False, C=np.inf, tol=1e-6)
model.fit(x, y, sample_weight=weight)
clock.done(lead(names, model.coef_[0] * np.log(10)))
