"""Other readings of the same answers, kept beside the prediction in columns of their own."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from caveat.data.column_arrays import Ints, codes
from caveat.data.matrix import MISSING, NO_ANSWER, ResponseMatrix, matrix_of
from caveat.data.replicates import Replicates

if TYPE_CHECKING:
    import pyarrow as pa

PREFIX = "prediction_"
MAIN = "prediction"
_OTHERS = {
    "displayed": "letters as displayed, options shuffled",
    "swapped": "answers to the question in another order",
    "raw": "text before any reading",
}
LEAST_ALIKE = 0.5
"""Answers that two readings must share, of those that both could read, to be of the same text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserColumns:
    """Readings of the same answers.

    Attributes
    ----------
    replicates : Replicates or None
        A column for each model and reading, `prediction` first; None without a second reading.
    left_out : mapping as tuple of (str, str)
        Columns that look like a reading and are none, and why.
    """

    replicates: Replicates | None
    left_out: tuple[tuple[str, str], ...]


def parser_columns(table: "pa.Table", benchmark: str) -> ParserColumns:
    """Arrange columns called `prediction_...` as readings of the same answers.

    Scores of a reading are recomputed from the target, where the score of the prediction itself
    can be: right where it equals the target, wrong where it does not or is null.

    Parameters
    ----------
    table : pyarrow.Table
        Rows of the benchmark, one reading of each answer.
    benchmark : str
    """
    import pyarrow as pa

    names = [
        name
        for name in table.column_names
        if name.startswith(PREFIX) and _is_text(table.schema.field(name).type)
    ]
    if MAIN not in table.column_names or not names:
        return ParserColumns(replicates=None, left_out=())
    base = matrix_of(table, benchmark)
    row, left_out, kept = _plain(table), [], [base]
    told = [MAIN]
    for name in names:
        why = _OTHERS.get(name.removeprefix(PREFIX)) or _no_reading(row, _plain(table, name))
        if why:
            left_out.append((name, why))
            continue
        place = table.schema.get_field_index(MAIN)
        status = table.schema.get_field_index("status")
        read = table.set_column(place, MAIN, table[name])
        scored = pa.DictionaryArray.from_arrays(
            pa.array(np.zeros(table.num_rows, dtype=np.int32)), pa.array(["scored"])
        )
        kept.append(_graded(matrix_of(read.set_column(status, "status", scored), benchmark), base))
        told.append(name.removeprefix(PREFIX))
    if len(kept) < 2:
        return ParserColumns(replicates=None, left_out=tuple(left_out))
    return ParserColumns(replicates=_together(kept, tuple(told)), left_out=tuple(left_out))


def _is_text(kind: "pa.DataType") -> bool:
    from caveat.data.encoding import is_text

    return is_text(kind)


def _plain(table: "pa.Table", name: str = MAIN) -> tuple[Ints, tuple[str, ...]]:
    return codes(table, name)


def _no_reading(main: tuple[Ints, tuple[str, ...]], other: tuple[Ints, tuple[str, ...]]) -> str:
    """Return why a column is no reading of the same answers; empty if it is."""
    number = {text: code for code, text in enumerate(main[1])}
    lookup = np.array([*(number.get(text, -2) for text in other[1]), -1], dtype=np.int32)
    same, both = lookup[other[0]] == main[0], (main[0] >= 0) & (other[0] >= 0)
    if not both.any():
        return "it never reads an answer that the prediction reads"
    alike = float(same[both].mean())
    if alike < LEAST_ALIKE:
        return (
            f"it equals the prediction in {100 * alike:.1f}% of the answers that both read: "
            "not the same text"
        )
    return ""


def _graded(read: ResponseMatrix, base: ResponseMatrix) -> ResponseMatrix:
    """Score a reading by the target; unscored where the base is, or cannot be recomputed."""
    nothing = np.full(read.answer.shape, np.nan)
    if base.target is None or not _recomputes(base):
        return replace(read, score=nothing)
    return replace(read, score=np.where(np.isfinite(base.score), _right(read), np.nan))


def _right(matrix: ResponseMatrix) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    number = {text: code for code, text in enumerate(matrix.labels)}
    lookup = np.array([*(number.get(text, -3) for text in matrix.targets), -3], dtype=np.int32)
    target = lookup[matrix.target] if matrix.target is not None else np.full(1, -3)
    return np.asarray(matrix.answer == target[:, None], dtype=np.float64)


def _recomputes(base: ResponseMatrix) -> bool:
    """Whether all but a few scores are what answers and targets give."""
    known = np.isfinite(base.score) & (base.status != MISSING)
    return bool((_right(base)[known] == base.score[known]).mean() > 0.99) if known.any() else False


def _together(kept: list[ResponseMatrix], told: tuple[str, ...]) -> Replicates:
    """Put the readings side by side, one numbering of labels for all."""
    labels = tuple(dict.fromkeys(label for one in kept for label in one.labels))
    number = {text: code for code, text in enumerate(labels)}
    answers = []
    for one in kept:
        lookup = np.array([*(number[text] for text in one.labels), NO_ANSWER, MISSING])
        answers.append(lookup[one.answer].astype(np.int32))
    base, m = kept[0], len(kept[0].models)
    names = tuple(f"{model} ({how})" for how in told for model in base.models)
    return Replicates(
        source="filter",
        models=base.models,
        variants=told,
        matrix=replace(
            base,
            models=names,
            labels=labels,
            answer=np.hstack(answers),
            score=np.hstack([one.score for one in kept]),
            status=np.hstack([one.status for one in kept]),
        ),
        owner=np.tile(np.arange(m, dtype=np.int32), len(kept)),
        variant=np.repeat(np.arange(len(kept), dtype=np.int32), m),
    )
