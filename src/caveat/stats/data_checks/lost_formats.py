"""Does the reading in use lose the format of one model?"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import bdtrc

from caveat.data.matrix import MISSING, ResponseMatrix
from caveat.data.replicates import Replicates
from caveat.results.data_checks import LostFormat

Floats = npt.NDArray[np.float64]
GAIN = 0.03
"""Score that another reading finds beyond what it finds for the usual model."""
LEAST_ITEMS = 30
LEAST_MODELS = 3
CHANCE = 0.005
"""Probability that as many changed scores would be gains, were gains and losses as likely."""


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """Figures of each column of the readings: a model by another reading."""

    n: Floats
    used: Floats
    other: Floats
    chance: Floats


def lost_formats(read: Replicates, matrix: ResponseMatrix) -> tuple[LostFormat, ...]:
    """Find models that another reading of the same texts scores higher, and only them.

    Parameters
    ----------
    read : Replicates
        The models by each reading, with scores.
    matrix : ResponseMatrix
        The models by the reading in use.

    Returns
    -------
    tuple of LostFormat
        Largest gain first; for each model the reading that finds most. Scores are over the items
        that both readings have, unread answers wrong. A gain counts that is 3 points beyond the
        median model's and, by a one-sided sign test over the items, no chance at 0.005.
    """
    found = _compared(read, matrix)
    gain = found.other - found.used
    lost: dict[str, LostFormat] = {}
    for k, name in enumerate(read.variants):
        mine = np.flatnonzero((read.variant == k) & (found.n >= LEAST_ITEMS) & np.isfinite(gain))
        if mine.size < LEAST_MODELS:
            continue
        usual = float(np.median(gain[mine]))
        told = mine[(gain[mine] - usual > GAIN) & (found.chance[mine] < CHANCE)]
        for column in told.tolist():
            model = read.models[read.owner[column]]
            if model in lost and lost[model].gain >= gain[column]:
                continue
            lost[model] = LostFormat(
                model=model,
                reading=name,
                n=int(found.n[column]),
                score=float(found.used[column]),
                other_score=float(found.other[column]),
                gain=float(gain[column]),
                usual=usual,
            )
    return tuple(sorted(lost.values(), key=lambda one: (-one.gain, one.model)))


def _compared(read: Replicates, matrix: ResponseMatrix) -> _Read:
    """Put each column of the readings beside the model's own in use, item by item."""
    place = {name: k for k, name in enumerate(matrix.items)}
    rows = np.array([place.get(name, -1) for name in read.matrix.items], dtype=np.int64)
    models = {name: k for k, name in enumerate(matrix.models)}
    columns = np.array([models.get(name, -1) for name in read.models], dtype=np.int64)[read.owner]
    known = (rows >= 0)[:, None] & (columns >= 0)
    both = known & (read.matrix.status != MISSING)
    both &= matrix.status[rows][:, columns] != MISSING
    used = np.where(both, np.nan_to_num(matrix.score[rows][:, columns], nan=0.0), 0.0)
    other = np.where(both, np.nan_to_num(read.matrix.score, nan=0.0), 0.0)
    n = both.sum(axis=0).astype(np.float64)
    # A reading without any score (it cannot be recomputed) says nothing.
    n[~np.isfinite(read.matrix.score).any(axis=0)] = 0.0
    size = np.where(n > 0, n, np.nan)
    up, changed = (other > used).sum(axis=0), (other != used).sum(axis=0)
    # bdtrc(-1, ...) is no tail: without a gain the chance is 1.
    chance = np.where(up > 0, bdtrc(np.maximum(up - 1, 0), changed, 0.5), 1.0)
    return _Read(n, used.sum(axis=0) / size, other.sum(axis=0) / size, chance)
