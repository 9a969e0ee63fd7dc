"""Does the reading in use lose the format of one model?"""

import numpy as np
import numpy.typing as npt

from caveat.data.replicates import Replicates
from caveat.results.data_checks import LostFormat

Floats = npt.NDArray[np.float64]
GAIN = 0.03
"""Score that another reading finds beyond what it finds for the usual model."""
LEAST_ITEMS = 30
LEAST_MODELS = 3


def lost_formats(read: Replicates, *, used: str = "prediction") -> tuple[LostFormat, ...]:
    """Find models that another reading of the same texts scores higher, and only them.

    Parameters
    ----------
    read : Replicates
        The models by each reading, with scores.
    used : str
        The reading in use.

    Returns
    -------
    tuple of LostFormat
        Largest gain first; for each model the reading that finds most.
    """
    if used not in read.variants:
        return ()
    score = np.nan_to_num(read.matrix.score, nan=0.0)
    there = (read.matrix.status >= 0).sum(axis=0)
    mean = score.sum(axis=0) / np.maximum(there, 1)
    m = len(read.models)
    table = np.full((len(read.variants), m), np.nan)
    enough = (there >= LEAST_ITEMS) & (read.variant >= 0)
    table[read.variant[enough], read.owner[enough]] = mean[enough]
    base = table[read.variants.index(used)]
    found: dict[str, LostFormat] = {}
    for k, name in enumerate(read.variants):
        gain = table[k] - base
        if name == used or np.isfinite(gain).sum() < LEAST_MODELS:
            continue
        usual = float(np.nanmedian(gain))
        for j in np.flatnonzero(gain - usual > GAIN).tolist():
            lost = LostFormat(
                model=read.models[j],
                reading=name,
                n=int(there[(read.owner == j) & (read.variant == k)][0]),
                score=float(base[j]),
                other_score=float(table[k, j]),
                gain=float(gain[j]),
                usual=usual,
            )
            if lost.model not in found or found[lost.model].gain < lost.gain:
                found[lost.model] = lost
    return tuple(sorted(found.values(), key=lambda one: (-one.gain, one.model)))
