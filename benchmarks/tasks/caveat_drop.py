"""Drop-a-few after the votes are read, counted and fitted: votes, and made-up votes."""

import sys

from _clock import Clock

import caveat
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.robustness.drop_a_few import drop_a_few

path, boundaries, method = sys.argv[1:]
board = fit_board(count_votes(caveat.read_votes(path)), method=method)
clock = Clock()
found = drop_a_few(board, boundaries=int(boundaries))
clock.done(
    ", ".join(f"{row.by('votes').number} or {row.by('fabricated').number}" for row in found.rows)
)
