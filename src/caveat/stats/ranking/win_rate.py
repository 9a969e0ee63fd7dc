"""Average win rate over opponents."""

import numpy as np
import numpy.typing as npt

from caveat.kernels.pair_bootstrap import resampled_wins
from caveat.kernels.win_rates import average_win_rate
from caveat.stats.ranking.system import (
    REPLICATES,
    BoardVotes,
    Scored,
    System,
    SystemSettings,
)

Floats = npt.NDArray[np.float64]


def _score(board: BoardVotes, _: SystemSettings, __: np.random.Generator) -> Scored:
    return Scored(rating=average_win_rate(board.wins), settings={"average_over": "opponents met"})


def _resample(
    board: BoardVotes, _: SystemSettings, replicates: int, rng: np.random.Generator
) -> Floats:
    drawn = resampled_wins(board.cells, replicates=replicates or REPLICATES, rng=rng)
    return np.stack([average_win_rate(wins) for wins in drawn])


WIN_RATE = System(
    name="win-rate",
    title="Average win rate",
    unit="share",
    form="share",
    adjusted=False,
    score=_score,
    resample=_resample,
)
