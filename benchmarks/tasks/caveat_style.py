"""`caveat.rank` with four paired columns held equal: both boards, errors, coefficients."""

import sys

import numpy  # noqa: F401 - start-up
import pyarrow.parquet  # noqa: F401 - start-up
from _clock import Clock

import caveat
import caveat.importers.frames
import caveat.importers.reading
import caveat.stats.ranking.controlled
from caveat.workflows.options import Options

clock = Clock()
board = caveat.rank(sys.argv[1], options=Options(control="all", method=sys.argv[2]))
worth = {one.name: one.points for one in board.controls.coefficients}
clock.done(f"tokens {worth['tokens'] * 0.0057564627:.4f}")  # ln 10 / 400: points to logits
