"""Do the letters of some models mean other options?"""

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import ResponseMatrix
from caveat.results.data_checks import Shuffled

Floats = npt.NDArray[np.float64]
MOST_LABELS = 26
LEAST_ITEMS = 20
"""Items that two models both get right, below which nothing is said of them."""
ONE_TO_ONE = 0.9
"""Share of right answers whose letter follows from the other's, from which only names differ."""
APART = 0.3
"""Share of right answers with different letters from which two models' letters differ."""


def shuffled(matrix: ResponseMatrix) -> Shuffled | None:
    """Find models whose right answers carry other letters than the right answers of most.

    An item has one right option, so two models that are both right have given the same letter,
    unless the letters stand for options in another order. Models are put together whose letters
    agree where both are right; all but the largest such group are told.

    Parameters
    ----------
    matrix : ResponseMatrix
        With letters as answers (at most 26 labels) and scores of 0 and 1.

    Returns
    -------
    Shuffled or None
        None where letters mean the same, and where that cannot be told.
    """
    if not matrix.has_answers or not 2 <= len(matrix.labels) <= MOST_LABELS:
        return None
    both, same = _both_right(matrix)
    np.fill_diagonal(both, 0.0)
    known = both >= LEAST_ITEMS
    with np.errstate(invalid="ignore", divide="ignore"):
        differ = np.where(known, 1.0 - same / both, np.nan)
    if not (differ > APART).any():
        return None
    main = _largest_group(known & (differ <= APART))
    others = np.flatnonzero(~main & (known & main[None, :]).any(axis=1))
    apart = [j for j in others.tolist() if np.nanmedian(differ[j, main]) > APART]
    if not apart:
        return None
    pairs = known[apart][:, main]
    inside = known & main[:, None] & main[None, :]
    return Shuffled(
        models=tuple(matrix.models[j] for j in apart),
        n=int(both[apart][:, main][pairs].sum()),
        differ=float(1.0 - same[apart][:, main][pairs].sum() / both[apart][:, main][pairs].sum()),
        others_differ=float(1.0 - same[inside].sum() / both[inside].sum())
        if inside.any()
        else float("nan"),
        how="names" if _one_to_one(matrix, apart, both, main) >= ONE_TO_ONE else "order",
    )


def _one_to_one(
    matrix: ResponseMatrix, apart: list[int], both: Floats, main: npt.NDArray[np.bool_]
) -> float:
    """Share of right answers whose letter is the usual one for the letter of a model of the rest.

    The lower of both directions: else a model that always writes the same would name all of them.
    """
    right = (matrix.score == 1.0) & (matrix.answer >= 0)
    size = len(matrix.labels)
    usual, total = np.zeros(2), 0.0
    for j in apart:
        k = int(np.where(main, both[j], -1.0).argmax())
        items = right[:, j] & right[:, k]
        cell = matrix.answer[items, j].astype(np.int64) * size + matrix.answer[items, k]
        count = np.bincount(cell, minlength=size * size).reshape(size, size)
        usual += (count.max(axis=1).sum(), count.max(axis=0).sum())
        total += count.sum()
    return float(usual.min() / total) if total else 0.0


def _both_right(matrix: ResponseMatrix) -> tuple[Floats, Floats]:
    """Items both models of a pair get right, and those with the same letter."""
    right = (matrix.score == 1.0) & (matrix.answer >= 0)
    one = right.T.astype(np.float32)
    both = (one @ one.T).astype(np.float64)
    same = np.zeros_like(both)
    for label in range(len(matrix.labels)):
        layer = (right & (matrix.answer == label)).T.astype(np.float32)
        if layer.any():
            same += (layer @ layer.T).astype(np.float64)
    return both, same


def _largest_group(together: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return the members of the largest connected set; of equal ones, that of the first model."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    _, group = connected_components(csr_array(together), directed=False)
    return np.asarray(group == np.bincount(group).argmax())
