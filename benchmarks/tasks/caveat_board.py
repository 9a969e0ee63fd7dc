"""From file to a board with 1,000 bootstraps, and drop-a-few for its first place."""

import sys

import numpy  # noqa: F401 - start-up
import pyarrow.parquet  # noqa: F401 - start-up
from _clock import Clock

import caveat
import caveat.importers.frames
import caveat.importers.reading
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rate import Errors, rate_fitted
from caveat.stats.robustness.drop_a_few import drop_a_few

path, method = sys.argv[1:]
clock = Clock()
fitted = fit_board(count_votes(caveat.read_votes(path)), method=method)
board = rate_fitted(fitted, errors=Errors(bootstrap=1000))
first = drop_a_few(fitted, boundaries=1).first_place
clock.done(
    f"{board.models[0].model} {board.lead.difference:.4f}, {first.by('votes').number} votes or "
    f"{first.by('fabricated').number} made up"
)
