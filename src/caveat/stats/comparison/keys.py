"""The right answer to each item, as a code of the answers that models gave."""

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import ResponseMatrix
from caveat.kernels.distinct import numbered

Ints = npt.NDArray[np.int64]
MOST_LETTERS = 26
"""Distinct answers up to which they count as the options of every item, where no number of options
is known: more are free text."""


def key_codes(matrix: ResponseMatrix) -> Ints:
    """Code of the right answer of each item; -1 where nobody gave it or it is unknown.

    The source's own, if it is scored as right; else the answer whose models were mostly scored as
    right, so that a key written in another way than the answers is found too.
    """
    named = np.full(len(matrix.items), -1, dtype=np.int64)
    if matrix.target is not None:
        place = {label: code for code, label in enumerate(matrix.labels)}
        lookup = np.array([place.get(name, -1) for name in matrix.targets] + [-1])
        named = lookup[matrix.target]
    item, model = np.nonzero((matrix.answer >= 0) & np.isfinite(matrix.score))
    if not item.size:
        return named
    width = len(matrix.labels)
    cell = item * width + matrix.answer[item, model]
    values, at = numbered(cell, len(matrix.items) * width)
    mean = np.bincount(at, weights=matrix.score[item, model]) / np.bincount(at)
    best = np.full(len(matrix.items), -1, dtype=np.int64)
    order = np.argsort(mean, kind="stable")
    right = order[mean[order] > 0.5]
    best[values[right] // width] = values[right] % width
    scored_right = np.zeros(len(matrix.items), dtype=bool)
    own = (named[values // width] == values % width) & (mean > 0)
    scored_right[values[own] // width] = True
    found: Ints = np.where(scored_right | (best < 0), named, best)
    return found


def graded_answers(matrix: ResponseMatrix, key: Ints) -> npt.NDArray[np.int32]:
    """Codes of the answers, for free text with one code for all that was scored as right.

    A right answer in free text is written in several ways.
    """
    if np.isfinite(option_numbers(matrix)).any():
        return matrix.answer
    right = (matrix.score == 1.0) & (matrix.answer >= 0) & (key >= 0)[:, None]
    return np.where(right, key[:, None], matrix.answer).astype(np.int32)


def option_numbers(matrix: ResponseMatrix) -> npt.NDArray[np.float64]:
    """Options of each item, those of the benchmark where the item's are unknown; nan: free text."""
    most = len(matrix.labels)
    usual = float(most) if most <= MOST_LETTERS else np.nan
    known = matrix.n_options
    if np.isfinite(known).any():
        usual = float(np.nanmax(known))
    return np.where(np.isfinite(known), known, usual)
