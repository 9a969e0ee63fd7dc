"""Win rate against one baseline model."""

import numpy as np
import numpy.typing as npt

from caveat.errors import InputError
from caveat.kernels.pair_bootstrap import resampled_wins
from caveat.kernels.win_rates import baseline_win_rate
from caveat.stats.ranking.system import (
    REPLICATES,
    BoardVotes,
    Scored,
    System,
    SystemSettings,
)

Floats = npt.NDArray[np.float64]


def _chosen(board: BoardVotes, settings: SystemSettings) -> int:
    """Place of the baseline; where none is named, the model that most others can be set against."""
    if settings.baseline is None:
        votes = board.wins + board.wins.T
        met, number = (votes > 0).sum(axis=1), votes.sum(axis=1)
        return min(range(len(board.names)), key=lambda i: (-met[i], -number[i], board.names[i]))
    if settings.baseline not in board.names:
        known = settings.baseline in board.votes.models
        why = "it never met the rated models" if known else "no vote names it"
        raise InputError(f"baseline must be a model of the votes, got {settings.baseline!r}: {why}")
    return board.names.index(settings.baseline)


def _score(board: BoardVotes, settings: SystemSettings, _: np.random.Generator) -> Scored:
    baseline = _chosen(board, settings)
    rating = baseline_win_rate(board.wins, baseline)
    name = board.names[baseline]
    apart = (board.names[i] for i in np.flatnonzero(np.isnan(rating)))
    return Scored(
        rating=rating,
        outside={model: f"it never met the baseline, {name}" for model in apart},
        settings={"baseline": name},
    )


def _resample(
    board: BoardVotes, settings: SystemSettings, replicates: int, rng: np.random.Generator
) -> Floats:
    baseline = _chosen(board, settings)
    drawn = resampled_wins(board.cells, replicates=replicates or REPLICATES, rng=rng)
    return np.stack([baseline_win_rate(wins, baseline) for wins in drawn])


BASELINE = System(
    name="baseline",
    title="Win rate against a baseline",
    unit="share",
    form="share",
    adjusted=False,
    score=_score,
    resample=_resample,
)
