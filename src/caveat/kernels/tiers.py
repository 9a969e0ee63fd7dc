"""Tiers: models that cannot be told from the best of theirs."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def tiers(place: Floats, better: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Sort models into tiers, numbered from 1.

    The best model that is in no tier yet leads the next one, and takes with it every other model
    without a tier that it is not shown to be better than. So a model may stand in a tier below one
    whose place is worse, where the worse one has been asked too few items to be told apart.

    Parameters
    ----------
    place : float array, shape (m,)
        Larger is better; equals stand in their order; nan has no tier.
    better : bool array, shape (m, m)
        Whether model i is shown to be better than j.

    Returns
    -------
    int array, shape (m,)
        0 where `place` is nan.
    """
    tier = np.zeros(place.size, dtype=np.int64)
    order = np.argsort(-place, kind="stable")
    order = order[np.isfinite(place[order])]
    number = 0
    while (left := order[tier[order] == 0]).size:
        number += 1
        tier[left[~better[left[0], left]]] = number
        tier[left[0]] = number
    return tier
