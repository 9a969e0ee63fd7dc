"""choix: iterative Luce spectral ranking on the matrix of wins, ties as half; ratings only."""

import sys

import choix
from _clock import Clock
from _counts import lead, pair_counts

clock = Clock()
names, wins, ties = pair_counts(sys.argv[1])
clock.done(lead(names, choix.ilsr_pairwise_dense(wins + ties / 2)))
