"""Do two models share one file of answers?"""

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import MISSING, ResponseMatrix
from caveat.results.agreement import Agreement
from caveat.results.data_checks import Alike

Floats = npt.NDArray[np.float64]
LEAST_ITEMS = 30
LEAST_WRONG = 10
"""Items both got wrong, so that being alike is more than being right."""
SURPRISE = 6.0
"""Powers of ten against two columns with these shares of answers being alike by chance."""
NEARLY = 0.02
"""Items answered differently by the items wrong alike, up to which two files are nearly one."""
LEAST_SAME_WRONG = 50
LISTED = 20


def alike(matrix: ResponseMatrix, pairs: Agreement | None = None) -> tuple[Alike, ...]:
    """Find models that answered every item alike, unreadable answers included, or nearly so.

    Where the source has no answers, models are found whose scores are the same on every item.
    Models that give one answer to nearly everything are alike without any copying: they are left
    out where answers with the same shares, drawn by chance, would be alike too.

    Parameters
    ----------
    matrix : ResponseMatrix
    pairs : Agreement, optional
        All pairs of these models; without it only equal files are found.

    Returns
    -------
    tuple of Alike
        Each model with the first of its set of equal models, then pairs that are nearly equal: of
        the items that both got wrong with the same answer (50 at least), two in a hundred at most
        were answered differently. At most 20 in all.
    """
    return tuple([*_equal(matrix), *_nearly(matrix, pairs)][:LISTED])


def _equal(matrix: ResponseMatrix) -> list[Alike]:
    scores = np.ascontiguousarray(np.nan_to_num(matrix.score, nan=-1.0).T)
    answers = np.ascontiguousarray(matrix.answer.T)
    first: dict[bytes, int] = {}
    found: list[Alike] = []
    for j in range(len(matrix.models)):
        key = scores[j].tobytes() + (answers[j].tobytes() if matrix.has_answers else b"")
        other = first.setdefault(key, j)
        if other == j:
            continue
        n = int((matrix.status[:, j] != MISSING).sum())
        wrong = int((matrix.score[:, j] < 1.0).sum())
        if n >= LEAST_ITEMS and wrong >= LEAST_WRONG and _varied(matrix, j, n):
            found.append(_pair(matrix, other, j, n=n, same=n, both_wrong=wrong))
    return found


def _varied(matrix: ResponseMatrix, j: int, n: int) -> bool:
    """Whether a model's answers differ enough for another's not to be the same by chance."""
    values = matrix.answer[:, j] if matrix.has_answers else matrix.score[:, j]
    values = values[matrix.status[:, j] != MISSING]
    if matrix.has_answers and (values >= 0).sum() < LEAST_ITEMS:
        return False
    _, size = np.unique(values, return_counts=True)
    chance = float(((size / size.sum()) ** 2).sum())
    return bool(-n * np.log10(chance) >= SURPRISE)


def _nearly(matrix: ResponseMatrix, pairs: Agreement | None) -> list[Alike]:
    if pairs is None or not matrix.has_answers:
        return []
    with np.errstate(invalid="ignore"):
        apart = pairs.n * pairs.disagree
        wrong = pairs.n * pairs.same_wrong
        near = (apart <= NEARLY * wrong) & (wrong >= LEAST_SAME_WRONG)
    place = {name: k for k, name in enumerate(matrix.models)}
    found = []
    for a, b in np.argwhere(np.triu(near, 1)).tolist():
        one, other = place[pairs.models[a]], place[pairs.models[b]]
        n = int(pairs.n[a, b])
        differ = round(float(apart[a, b]))
        if differ and _varied(matrix, one, n):
            found.append(
                _pair(
                    matrix, one, other, n=n, same=n - differ, both_wrong=round(float(wrong[a, b]))
                )
            )
    return found


def _pair(matrix: ResponseMatrix, a: int, b: int, *, n: int, same: int, both_wrong: int) -> Alike:
    return Alike(
        a=matrix.models[a],
        b=matrix.models[b],
        n=n,
        same=same,
        both_wrong=both_wrong,
        what="answers" if matrix.has_answers else "scores",
    )
