"""Are the items a model lacks like those it has?"""

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from caveat.data.matrix import MISSING, ResponseMatrix
from caveat.results.data_checks import NotAtRandom

Floats = npt.NDArray[np.float64]
LEAST_MISSING = 10
POINTS = 0.03
Z = 4.0
ERROR = 1e-4
TIMES = 2.0
"""Times the expected number of missing items from which a task is told."""


def not_at_random(matrix: ResponseMatrix) -> tuple[NotAtRandom, ...]:
    """Find models whose missing items are harder or easier than the rest, or of certain tasks.

    Parameters
    ----------
    matrix : ResponseMatrix

    Returns
    -------
    tuple of NotAtRandom
        Models with at least 10 missing items, where the other models' mean score differs by 3
        points and four standard errors between the missing items and the rest, or where a
        chi-square test over tasks has p below 0.0001. Most missing first.
    """
    absent = matrix.status == MISSING
    number = absent.sum(axis=0)
    score = np.where(np.isfinite(matrix.score), matrix.score, 0.0)
    there = np.isfinite(matrix.score).astype(np.float64)
    found = []
    for j in np.flatnonzero(number >= LEAST_MISSING).tolist():
        n = there.sum(axis=1) - there[:, j]
        with np.errstate(invalid="ignore"):
            others = (score.sum(axis=1) - score[:, j]) / np.where(n > 0, n, np.nan)
        low, high, z = _compared(others[absent[:, j]], others[~absent[:, j]])
        p, tasks = _by_task(matrix, absent[:, j])
        harder = abs(z) >= Z and abs(high - low) >= POINTS
        if harder or p < ERROR:
            found.append(
                NotAtRandom(
                    model=matrix.models[j],
                    missing=int(number[j]),
                    items=len(matrix.items),
                    score_missing=low,
                    score_present=high,
                    z=z,
                    tasks=tasks,
                    p_tasks=p,
                )
            )
    return tuple(sorted(found, key=lambda one: (-one.missing, one.model)))


def _compared(missing: Floats, present: Floats) -> tuple[float, float, float]:
    """Compare two sets of items: both means, and the z of their difference (Welch)."""
    one, other = missing[np.isfinite(missing)], present[np.isfinite(present)]
    if one.size < 2 or other.size < 2:
        return float("nan"), float("nan"), 0.0
    error = float(np.sqrt(one.var(ddof=1) / one.size + other.var(ddof=1) / other.size))
    gap = float(one.mean() - other.mean())
    z = gap / error if error > 0 else (np.inf * np.sign(gap) if gap else 0.0)
    return float(one.mean()), float(other.mean()), float(z)


def _by_task(
    matrix: ResponseMatrix, absent: npt.NDArray[np.bool_]
) -> tuple[float, tuple[tuple[str, int, int], ...]]:
    if matrix.task is None or len(matrix.tasks) < 2:
        return float("nan"), ()
    known = matrix.task >= 0
    size = np.bincount(matrix.task[known], minlength=len(matrix.tasks)).astype(np.float64)
    gone = np.bincount(matrix.task[known & absent], minlength=len(matrix.tasks)).astype(np.float64)
    some = size > 0
    share = gone.sum() / size.sum()
    if not 0 < share < 1:
        return float("nan"), ()
    expected = size * share
    # Both cells, missing and present, of each task.
    square = (gone[some] - expected[some]) ** 2 / (expected[some] * (1.0 - share))
    p = float(chdtrc(int(some.sum()) - 1, float(square.sum())))
    order = np.argsort(-gone, kind="stable")
    told = [k for k in order.tolist() if gone[k] > TIMES * expected[k] and gone[k] > 1]
    return p, tuple((matrix.tasks[k], int(gone[k]), int(size[k])) for k in told)
