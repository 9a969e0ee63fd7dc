"""Are the items a model lacks like those it has?"""

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, chdtrc, stdtr

from caveat.data.matrix import MISSING, ResponseMatrix
from caveat.results.data_checks import NotAtRandom

Floats = npt.NDArray[np.float64]
LEAST_MISSING = 10
POINTS = 0.03
ERROR = 1e-4
LEAST_EXPECTED = 5.0
"""Missing items by chance in the smallest task, below which chi-square is no good."""
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
        points between the missing items and the rest and Welch's t test has p below 0.0001, or
        where a test over tasks has. Most missing first. An item whose run failed, or that was not
        scored, is missing too.
    """
    scored = np.isfinite(matrix.score)
    absent = ~scored if scored.any() else matrix.status == MISSING
    absent[:, absent.all(axis=0)] = False  # a model without any score has no mix of items
    number = absent.sum(axis=0)
    score = np.where(scored, matrix.score, 0.0)
    total, there = score.sum(axis=1), scored.sum(axis=1)
    found = []
    for j in np.flatnonzero(number >= LEAST_MISSING).tolist():
        n = there - scored[:, j]
        with np.errstate(invalid="ignore"):
            others = (total - score[:, j]) / np.where(n > 0, n, np.nan)
        low, high, z, p_scores = _compared(others[absent[:, j]], others[~absent[:, j]])
        p, tasks = _by_task(matrix, absent[:, j])
        harder = p_scores < ERROR and abs(high - low) >= POINTS
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


def _compared(missing: Floats, present: Floats) -> tuple[float, float, float, float]:
    """Compare two sets of items: both means, Welch's t of their difference, and its p value."""
    one, other = missing[np.isfinite(missing)], present[np.isfinite(present)]
    if one.size < 2 or other.size < 2:
        return float("nan"), float("nan"), 0.0, 1.0
    here, there = one.var(ddof=1) / one.size, other.var(ddof=1) / other.size
    gap, square = float(one.mean() - other.mean()), float(here + there)
    if not square > 0:  # one score on each side; of many items that is no chance
        apart = gap != 0 and min(one.size, other.size) >= LEAST_MISSING
        z = float(np.inf * np.sign(gap)) if apart else 0.0
        return float(one.mean()), float(other.mean()), z, 0.0 if apart else 1.0
    t = gap / np.sqrt(square)
    df = square**2 / (here**2 / (one.size - 1) + there**2 / (other.size - 1))
    return float(one.mean()), float(other.mean()), float(t), float(2.0 * stdtr(df, -abs(t)))


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
    if expected[some].min() < LEAST_EXPECTED:
        # The largest excess of one task, Bonferroni over tasks; a binomial has the longer tail.
        above = gone[some] > expected[some]
        n, k = size[some][above], gone[some][above]
        tail = betainc(k, n - k + 1.0, share)  # P(X >= k)
        p = float(min(1.0, some.sum() * tail.min(initial=1.0)))
    order = np.argsort(-gone, kind="stable")
    told = [k for k in order.tolist() if gone[k] > TIMES * expected[k] and gone[k] > 1]
    return p, tuple((matrix.tasks[k], int(gone[k]), int(size[k])) for k in told)
