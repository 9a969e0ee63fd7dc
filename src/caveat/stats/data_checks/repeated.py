"""Does one item stand under several ids?"""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes
from caveat.data.matrix import ResponseMatrix
from caveat.results.data_checks import Repeated

if TYPE_CHECKING:
    import pyarrow as pa

Ints = npt.NDArray[np.int64]
HASHES = ("doc_hash", "sample_hash", "item_hash", "question_hash", "input_hash", "question_text")
"""Columns that tell what an item asks; a hash of the prompt may hold the template as well."""
LISTED = 20
LEAST_KINDS = 3
"""Different answers to an item, for the same."""
LEAST_APART = 10
"""Models that answered otherwise than most, for two equal rows of answers to be one item."""


def repeated(rows: "pa.Table", matrix: ResponseMatrix) -> tuple[Repeated, ...]:
    """Find items with the same content under different ids.

    By a column that holds a hash of the item, where the source has one. Else by the answers:
    two items to which every model gave the same answer, ten of them at least another than most
    models did, are hardly two items.

    Parameters
    ----------
    rows : pyarrow.Table
        Rows of one benchmark, one reading of each answer.
    matrix : ResponseMatrix
        The same, arranged.
    """
    found = [_by_column(rows, name) for name in HASHES if name in rows.column_names]
    if not found:
        found = [_by_answers(matrix)]
    return tuple(one for one in found if one is not None)


def _by_column(rows: "pa.Table", name: str) -> Repeated | None:
    import pyarrow as pa

    if not (pa.types.is_string(rows[name].type) or pa.types.is_dictionary(rows[name].type)):
        return None
    content, _ = codes(rows, name)
    item, items = codes(rows, "item")
    known = content >= 0
    if not known.any():
        return None
    width = np.int64(len(items))
    pairs = np.unique(content[known].astype(np.int64) * width + item[known])
    owner, which = pairs // width, pairs % width
    _, start, size = np.unique(owner, return_index=True, return_counts=True)
    several = np.flatnonzero(size > 1)
    if not several.size:
        return None
    groups = tuple(
        tuple(items[k] for k in which[start[g] : start[g] + size[g]].tolist())
        for g in several[:LISTED].tolist()
    )
    return Repeated(
        by=name, groups=groups, items=int((size[several] - 1).sum()), n_items=len(items)
    )


def _by_answers(matrix: ResponseMatrix) -> Repeated | None:
    if not matrix.has_answers or len(matrix.models) <= LEAST_APART:
        return None
    answer = np.ascontiguousarray(matrix.answer)
    kinds, most = _patterns(answer)
    # Of two answers alone, many items share a pattern; rare patterns have three or more.
    apart = (answer >= 0).sum(axis=1) - most
    telling = np.flatnonzero((apart >= LEAST_APART) & (kinds >= LEAST_KINDS))
    groups: dict[bytes, list[int]] = {}
    for k in telling.tolist():
        groups.setdefault(answer[k].tobytes(), []).append(k)
    several = [group for group in groups.values() if len(group) > 1]
    if not several:
        return None
    return Repeated(
        by="answers",
        groups=tuple(tuple(matrix.items[k] for k in group) for group in several[:LISTED]),
        items=sum(len(group) - 1 for group in several),
        n_items=len(matrix.items),
    )


def _patterns(answer: npt.NDArray[np.int32]) -> tuple[Ints, Ints]:
    """Different answers to each item, and how many models gave the one that most gave."""
    ordered = np.sort(answer, axis=1)
    given = ordered >= 0
    run = given[:, 0].astype(np.int64)
    kinds, most = run.copy(), run.copy()
    for j in range(1, answer.shape[1]):  # models; all items at once
        again = ordered[:, j] == ordered[:, j - 1]
        run = np.where(given[:, j], np.where(again, run + 1, 1), 0)
        kinds += given[:, j] & ~again
        most = np.maximum(most, run)
    return kinds, most
