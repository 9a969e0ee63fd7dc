"""`caveat`: Elo with K = 32 from the same file, ratings only, in the order of the rows."""

import sys

from _clock import Clock

import caveat
import caveat.importers.frames
import caveat.importers.reading
from caveat.kernels.elo import elo
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.system import board_votes

clock = Clock()
board = board_votes(count_votes(caveat.read_votes(sys.argv[1])))
votes = board.sequence
rating = elo(votes.a, votes.b, votes.outcome, n_models=len(board.names), k=32.0)
best = sorted(zip(rating.tolist(), board.names, strict=True), reverse=True)
clock.done(f"{best[0][1]} {best[0][0] - best[1][0]:.4f}")
