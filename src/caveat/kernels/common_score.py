"""Scores of all pairs of models on the items that both have."""

import numpy as np
import numpy.typing as npt

from caveat.kernels.coincidence import Floats


def common_score(score: Floats) -> Floats:
    """Mean score of each model over the items scored for it and another.

    Parameters
    ----------
    score : float array, shape (items, m)
        nan where there is none.

    Returns
    -------
    float array, shape (m, m)
        `[i, j]`: mean score of model i over the items where i and j both have one; nan without.
    """
    present = np.isfinite(score)
    m = score.shape[1]
    if present.all() and score.shape[0]:
        return np.repeat(score.mean(axis=0)[:, None], m, axis=1)
    values = np.where(present, score, 0.0)
    # Sums of 0 and 1 are exact in the narrower float, which is twice as fast.
    whole = np.isin(values, (0.0, 1.0)).all() and score.shape[0] < 1 << 24
    if whole:
        return _means(values.T.astype(np.float32), present.T.astype(np.float32))
    return _means(np.ascontiguousarray(values.T), present.T.astype(np.float64))


def _means(values: npt.NDArray[np.floating], there: npt.NDArray[np.floating]) -> Floats:
    total, number = values @ there.T, there @ there.T
    mean: Floats = total.astype(np.float64) / np.where(number > 0, number, np.nan)
    return mean
