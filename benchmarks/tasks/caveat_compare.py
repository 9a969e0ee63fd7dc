"""`caveat`: all comparisons `caveat agree` makes of one benchmark; reading is apart from the work.

Modules that a comparison imports when it is first made count as work.
"""

import sys

from _clock import Clock

import caveat
from caveat.workflows.agree import agree_all

evidence = caveat.read_responses(sys.argv[1])
clock = Clock()
(found,) = agree_all(evidence)
first = found.scores.models[0]
clock.done(f"{len(found.parts)} comparisons, {first.model} {first.overall.score:.6f}")
