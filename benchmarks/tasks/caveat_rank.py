"""`caveat.rank`: ratings, sandwich errors, joint rank intervals, tiers; from file to result."""

import sys

import numpy  # noqa: F401 - start-up
import pyarrow.parquet  # noqa: F401 - start-up
from _clock import Clock

import caveat
import caveat.importers.frames
import caveat.importers.reading
import caveat.stats.ranking.counting
import caveat.stats.ranking.rate
from caveat.workflows.options import Options

clock = Clock()
options = Options(bootstrap=int(sys.argv[2]), method=sys.argv[3])
board = caveat.rank(sys.argv[1], options=options)
clock.done(f"{board.models[0].model} {board.lead.difference:.4f}")
