"""`caveat`: all agreement figures of all pairs; reading is apart from the comparison."""

import sys

import scipy.cluster.hierarchy
import scipy.spatial.distance  # noqa: F401 - start-up
from _clock import Clock

import caveat
import caveat.importers.frames
import caveat.importers.reading
from caveat.data.matrix import benchmarks, response_matrix
from caveat.stats.agreement.pairs import agreement

evidence = caveat.read_responses(sys.argv[1])
clock = Clock()
found = agreement(response_matrix(evidence, benchmarks(evidence)[0]))
clock.done(f"CAPA of the first pair {found.capa[0, 1]:.6f}")
