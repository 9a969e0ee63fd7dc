"""Nanoseconds a vote of the sequential kernels, votes in memory, compiled beforehand."""

import sys
import time

import numpy as np
from _clock import Clock

import caveat
import caveat.importers.frames
import caveat.importers.reading
from caveat.kernels.counts import SCORE_OF_A
from caveat.kernels.elo import elo, elo_shuffled
from caveat.kernels.glicko2 import Periods, glicko2
from caveat.kernels.trueskill import draw_margin, trueskill
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.system import board_votes

board = board_votes(count_votes(caveat.read_votes(sys.argv[1])))
votes, m = board.sequence, len(board.names)
n, rng = votes.a.size, np.random.default_rng(0)
start = np.linspace(0, n, 101).astype(np.int64)
periods = Periods(m, start, votes.a, votes.b, SCORE_OF_A[votes.outcome], np.ones(n))
order = (votes.a, votes.b, votes.outcome)
kernels = {
    "elo": lambda: elo(*order, n_models=m, k=32.0),
    "elo, shuffled": lambda: elo_shuffled(board.cells, k=32.0, shuffles=1, rng=rng),
    "glicko2": lambda: glicko2(periods),
    "trueskill": lambda: trueskill(*order, n_models=m, margin=draw_margin(0.2)),
}
for run in kernels.values():
    run()
clock, said = Clock(), []
for name, run in kernels.items():
    began = time.process_time()
    run()
    said.append(f"{name} {(time.process_time() - began) / n * 1e9:.0f} ns")
clock.done(", ".join(said))
