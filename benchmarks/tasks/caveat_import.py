"""caveat: read a samples file into evidence."""

import sys

from _clock import Clock

from caveat.importers._base import ReadOptions
from caveat.importers.reading import read_path

clock = Clock()
(evidence,) = read_path(sys.argv[1], options=ReadOptions(model_name="m"))
score = evidence.table.column("score").to_numpy()
clock.done(f"{len(evidence):,} rows, mean {score.mean():.5f}")
