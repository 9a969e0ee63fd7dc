"""Do two models share one file of answers?"""

import numpy as np

from caveat.data.matrix import MISSING, ResponseMatrix
from caveat.results.data_checks import Alike

LEAST_ITEMS = 30
LEAST_WRONG = 10
"""Items both got wrong, so that being alike is more than being right."""
LISTED = 20


def alike(matrix: ResponseMatrix) -> tuple[Alike, ...]:
    """Find models that answered every item alike, unreadable answers included.

    Where the source has no answers, models are found whose scores are the same on every item.

    Parameters
    ----------
    matrix : ResponseMatrix

    Returns
    -------
    tuple of Alike
        Neighbours in each set of equal models, at most 20.
    """
    scores = np.ascontiguousarray(np.nan_to_num(matrix.score, nan=-1.0).T)
    answers = np.ascontiguousarray(matrix.answer.T)
    readable = (matrix.answer >= 0).sum(axis=0)
    keys = [
        answers[j].tobytes() + scores[j].tobytes() if matrix.has_answers else scores[j].tobytes()
        for j in range(len(matrix.models))
    ]
    first: dict[bytes, int] = {}
    found: list[Alike] = []
    for j, key in enumerate(keys):
        other = first.setdefault(key, j)
        if other == j or len(found) >= LISTED:
            continue
        present = matrix.status[:, j] != MISSING
        wrong = int((matrix.score[:, j] == 0.0).sum())
        n = int(present.sum())
        if matrix.has_answers and readable[j] < LEAST_ITEMS:
            continue
        if n >= LEAST_ITEMS and wrong >= LEAST_WRONG:
            found.append(
                Alike(
                    a=matrix.models[other],
                    b=matrix.models[j],
                    n=n,
                    same=n,
                    both_wrong=wrong,
                    what="answers" if matrix.has_answers else "scores",
                )
            )
    return tuple(found)
