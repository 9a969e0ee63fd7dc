"""leaderbot: its plain Bradley-Terry or Davidson model on pair counts; ratings only."""

import sys

import numpy as np
from _clock import Clock
from _counts import lead, pair_counts
from leaderbot.models import BradleyTerry, Davidson

clock = Clock()
names, wins, ties = pair_counts(sys.argv[1])
above, below = np.triu_indices(len(names), k=1)
data = {
    "models": names,
    "X": np.stack([above, below], axis=1),
    "Y": np.stack([wins[above, below], wins.T[above, below], ties[above, below]], axis=1),
}
if sys.argv[2] == "davidson":  # one tie parameter for all, as in Davidson (1970)
    model = Davidson(data, k_cov=None, k_tie=0)
else:
    model = BradleyTerry(data, k_cov=None)
model.train()
clock.done(lead(names, np.asarray(model.param[: len(names)])))
