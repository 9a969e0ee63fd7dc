"""PageRank on wins."""

import numpy as np
import numpy.typing as npt

from caveat.kernels.pagerank import TOLERANCE, pagerank
from caveat.kernels.pair_bootstrap import resampled_wins
from caveat.stats.ranking.system import (
    REPLICATES,
    BoardVotes,
    Scored,
    System,
    SystemSettings,
)

Floats = npt.NDArray[np.float64]


def _score(board: BoardVotes, settings: SystemSettings, _: np.random.Generator) -> Scored:
    found = pagerank(board.wins, damping=settings.damping)
    return Scored(
        rating=found.share,
        iterations=found.iterations,
        converged=found.converged,
        settings={"damping": settings.damping, "tolerance": TOLERANCE},
    )


def _resample(
    board: BoardVotes, settings: SystemSettings, replicates: int, rng: np.random.Generator
) -> Floats:
    # How often two models met moves their PageRanks, so that is left to chance, too.
    drawn = resampled_wins(
        board.cells, replicates=replicates or REPLICATES, rng=rng, meetings="drawn"
    )
    return np.stack([pagerank(wins, damping=settings.damping).share for wins in drawn])


PAGERANK = System(
    name="pagerank",
    title="PageRank",
    unit="share",
    form="share",
    adjusted=False,
    score=_score,
    resample=_resample,
)
