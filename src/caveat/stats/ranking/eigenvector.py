"""Leading eigenvector of the wins."""

import numpy as np
import numpy.typing as npt

from caveat.kernels.eigenvector import eigenvector
from caveat.kernels.pagerank import TOLERANCE
from caveat.kernels.pair_bootstrap import resampled_wins
from caveat.stats.ranking.system import (
    REPLICATES,
    BoardVotes,
    Scored,
    System,
    SystemSettings,
)

Floats = npt.NDArray[np.float64]


def _score(board: BoardVotes, _: SystemSettings, __: np.random.Generator) -> Scored:
    found = eigenvector(board.wins)
    return Scored(
        rating=found.share,
        iterations=found.iterations,
        converged=found.converged,
        settings={"tolerance": TOLERANCE},
    )


def _resample(
    board: BoardVotes, _: SystemSettings, replicates: int, rng: np.random.Generator
) -> Floats:
    drawn = resampled_wins(board.cells, replicates=replicates or REPLICATES, rng=rng)
    return np.stack([eigenvector(wins).share for wins in drawn])


EIGENVECTOR = System(
    name="eigenvector",
    title="Eigenvector",
    unit="share",
    form="share",
    tied="won",
    score=_score,
    resample=_resample,
)
