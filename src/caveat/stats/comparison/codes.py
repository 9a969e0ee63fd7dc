"""Answers as codes under a policy for those that could not be read."""

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import NO_ANSWER, ResponseMatrix
from caveat.kernels.coincidence import ABSENT, Codes
from caveat.stats.agreement.policy import Policy


def answer_codes(matrix: ResponseMatrix, policy: Policy) -> Codes:
    """Codes of answers: `ABSENT` does not count, any other negative code equals no other.

    Parameters
    ----------
    matrix : ResponseMatrix
    policy : str
        `drop` leaves unreadable answers out, `as-disagreement` lets them equal nothing,
        `as-option` lets them equal each other.
    """
    none = matrix.answer == NO_ANSWER
    if policy == "drop":
        return np.where(none, ABSENT, matrix.answer).astype(np.int32)
    if policy == "as-option":
        return np.where(none, len(matrix.labels), matrix.answer).astype(np.int32)
    return matrix.answer


def mean_scores(matrix: ResponseMatrix) -> npt.NDArray[np.float64]:
    """Mean score of each model over its own items; nan without one."""
    known = np.isfinite(matrix.score)
    n = known.sum(axis=0)
    total = np.where(known, matrix.score, 0.0).sum(axis=0)
    return np.asarray(total / np.where(n > 0, n, np.nan), dtype=np.float64)


def best_models(matrix: ResponseMatrix, *, most: int) -> npt.NDArray[np.int64]:
    """Models of best mean score, at most `most` of them, in the order of `matrix.models`."""
    mean = np.nan_to_num(mean_scores(matrix), nan=-np.inf)
    ranked = sorted(range(mean.size), key=lambda j: (-mean[j], matrix.models[j]))
    return np.sort(np.array(ranked[:most], dtype=np.int64))
