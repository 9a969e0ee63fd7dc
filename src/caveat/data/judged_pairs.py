"""Verdicts on two answers among responses: which was shown first, by whom, and how long."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes, floats
from caveat.data.matrix import ResponseMatrix
from caveat.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SWAPPED = "prediction_swapped"
"""Column of the verdict on the same answers in the other order, told by answer and not by place."""
AUTHORS = (
    ("author_1", "author_2"),
    ("author_a", "author_b"),
    ("model_1", "model_2"),
    ("model_a", "model_b"),
    ("generator_1", "generator_2"),
    ("generator_a", "generator_b"),
)
_LENGTHS = ("tokens", "words", "chars", "characters", "length", "len")
LENGTHS = tuple(
    columns
    for name in _LENGTHS
    for first, second in (("1", "2"), ("a", "b"))
    for columns in (
        (f"{name}_{first}", f"{name}_{second}"),
        (f"{first}_{name}", f"{second}_{name}"),
    )
)
TIES = frozenset({"tie", "tied", "draw", "neither", "both", "equal", "same", "c"})
NONE, FIRST, SECOND, TIE = -1, 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs:
    """Verdicts of models on pairs of answers.

    Attributes
    ----------
    sides : tuple of (str, str)
        Labels of the two answers.
    verdict, swapped : int array, shape (items, models)
        `FIRST` or `SECOND` by the order of the source, `TIE`, or `NONE`; `swapped` is about the
        same answers shown in the other order, and still names answers, not places.
    gold : int array, shape (items,)
    authors : tuple of (tuple of str, tuple of str), or None
        Who wrote the two answers, by item; empty text unknown.
    lengths : float array, shape (items, 2), or None
    length_columns : tuple of str
    """

    sides: tuple[str, str]
    verdict: Ints
    swapped: Ints | None
    gold: Ints
    authors: tuple[tuple[str, ...], tuple[str, ...]] | None
    lengths: Floats | None
    length_columns: tuple[str, ...] = ()


def has_both_orders(rows: "pa.Table") -> bool:
    """Whether the rows hold verdicts on the same answers in the other order."""
    return SWAPPED in rows.column_names and rows[SWAPPED].null_count < rows.num_rows


def judged_pairs(rows: "pa.Table", matrix: ResponseMatrix) -> JudgedPairs:
    """Read verdicts on pairs of answers.

    Parameters
    ----------
    rows : pyarrow.Table
        Of one benchmark.
    matrix : ResponseMatrix
        Of the same rows.

    Raises
    ------
    InputError
        When the answers are not verdicts for one of two answers.
    """
    swapped, swapped_labels = (
        codes(rows, SWAPPED) if has_both_orders(rows) else (np.zeros(0, np.int32), ())
    )
    sides = _sides((*matrix.labels, *matrix.targets, *swapped_labels), matrix.benchmark)
    item, model = _cells(rows, matrix)
    other = None
    if swapped.size:
        other = np.full(matrix.answer.shape, NONE, dtype=np.int64)
        known = np.flatnonzero(swapped >= 0)[::-1]  # the first row of a cell is written last
        other[item[known], model[known]] = _verdicts(swapped[known], swapped_labels, sides)
    gold = np.full(len(matrix.items), NONE, dtype=np.int64)
    if matrix.target is not None:
        gold = _verdicts(matrix.target, matrix.targets, sides)
    lengths, length_columns = _lengths(rows, item, len(matrix.items))
    return JudgedPairs(
        sides=sides,
        verdict=_verdicts(matrix.answer, matrix.labels, sides),
        swapped=other,
        gold=gold,
        authors=_authors(rows, item, len(matrix.items)),
        lengths=lengths,
        length_columns=length_columns,
    )


def _sides(labels: tuple[str, ...], benchmark: str) -> tuple[str, str]:
    sides = sorted({label for label in labels if label.strip().casefold() not in TIES})
    if len(sides) != 2:
        listed = ", ".join(sides[:5]) or "none"
        raise InputError(
            f"answers of {benchmark} must be verdicts for one of two answers, got {len(sides)} "
            f"labels ({listed})"
        )
    return sides[0], sides[1]


def _verdicts(
    code: npt.NDArray[np.integer], labels: tuple[str, ...], sides: tuple[str, str]
) -> Ints:
    lookup = [sides.index(label) if label in sides else TIE for label in labels]
    table = np.array([*lookup, NONE], dtype=np.int64)
    return np.asarray(table[np.where(code >= 0, code, -1)])


def _cells(rows: "pa.Table", matrix: ResponseMatrix) -> tuple[Ints, Ints]:
    """Item and model of each row, by their places in the matrix."""
    made = []
    for column, names in (("item", matrix.items), ("model", matrix.models)):
        place = {name: k for k, name in enumerate(names)}
        code, labels = codes(rows, column)
        made.append(np.array([place[label] for label in labels], dtype=np.int64)[code])
    return made[0], made[1]


def _authors(
    rows: "pa.Table", item: Ints, n: int
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    for columns in AUTHORS:
        if all(name in rows.column_names for name in columns):
            found = []
            for name in columns:
                code, labels = codes(rows, name)
                placed = np.full(n, -1, dtype=np.int64)
                known = np.flatnonzero(code >= 0)[::-1]
                placed[item[known]] = code[known]
                found.append(tuple(labels[k] if k >= 0 else "" for k in placed.tolist()))
            return found[0], found[1]
    return None


def _lengths(rows: "pa.Table", item: Ints, n: int) -> tuple[Floats | None, tuple[str, ...]]:
    for columns in LENGTHS:
        if all(name in rows.column_names for name in columns):
            made = np.full((n, 2), np.nan)
            for side, name in enumerate(columns):
                values = floats(rows, name)
                known = np.flatnonzero(np.isfinite(values))[::-1]
                made[item[known], side] = values[known]
            return made, columns
    return None, ()
