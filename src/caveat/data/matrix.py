"""Responses of one benchmark as an items x models matrix of integer codes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import Floats, Ints, codes, floats
from caveat.data.evidence import Evidence
from caveat.data.readings import one_reading
from caveat.data.schema import STATUSES
from caveat.results.quality import Reading

if TYPE_CHECKING:
    import pyarrow as pa

MISSING = -1
"""No row for this item and model."""
NO_ANSWER = -2
"""A row without a readable answer."""
UNPARSED, REFUSED, ERROR, UNSCORED = (
    STATUSES.index(s) for s in ("unparsed", "refused", "error", "unscored")
)


@dataclass(frozen=True, slots=True, eq=False)
class ResponseMatrix:
    """Answers and scores of all models on all items of one benchmark.

    Attributes
    ----------
    benchmark : str
    models, items, labels, tasks : tuple of str
        Names by code. `labels` are the distinct answers.
    answer : int array, shape (items, models)
        Label code of the model's first answer to the item; `MISSING` or `NO_ANSWER`. A row whose
        run ended in an error counts as missing.
    score : float array, shape (items, models)
        Mean score over the item's repeats; nan where none was scored.
    status : int array, shape (items, models)
        Code in `STATUSES` of the first row; `MISSING` without a row.
    task, cluster : int array, shape (items,) or None
        Codes from 0, -1 unknown; None when the source names none.
    n_options : float array, shape (items,)
        Options of the item; nan where unknown or not the same in all rows.
    has_answers : bool
        Whether the source has predictions at all.
    repeated : int
        Rows beyond the first of their item and model (repeats, runs, prompts).
    targets : tuple of str
        The distinct right answers by code.
    target : int array, shape (items,) or None
        Code of the item's right answer, that of its first row which has one; -1 unknown; None
        when the source names none.
    readings : tuple of Reading
        Metrics and filters of the source, and how many rows of each are in here; empty where it
        names none.
    """

    benchmark: str
    models: tuple[str, ...]
    items: tuple[str, ...]
    labels: tuple[str, ...]
    tasks: tuple[str, ...]
    answer: Ints
    score: Floats
    status: Ints
    task: Ints | None
    cluster: Ints | None
    n_options: Floats
    has_answers: bool
    repeated: int
    targets: tuple[str, ...] = ()
    target: Ints | None = None
    readings: tuple[Reading, ...] = ()


def benchmarks(evidence: Evidence) -> tuple[str, ...]:
    """Names of the benchmarks, in the order they first appear."""
    import pyarrow.compute as pc

    return tuple(pc.unique(evidence.table["benchmark"]).to_pylist())


def rows_of(evidence: Evidence, benchmark: str) -> "pa.Table":
    """Rows of one benchmark (the whole table when there is only one)."""
    import pyarrow.compute as pc

    if benchmarks(evidence) == (benchmark,):
        return evidence.table
    return evidence.table.filter(pc.equal(evidence.table["benchmark"], benchmark))


def response_matrix(
    evidence: Evidence, benchmark: str, *, metric: str | None = None, filter: str | None = None
) -> ResponseMatrix:
    """Arrange the responses of one benchmark by item and model.

    Parameters
    ----------
    evidence : Evidence
        Responses, without two rows of one key.
    benchmark : str
    metric, filter : str, optional
        Which score of an answer counts where there are several; see `one_reading`.

    Returns
    -------
    ResponseMatrix

    Raises
    ------
    InputError
        When the metric or filter asked for is not there.
    """
    table, readings = one_reading(rows_of(evidence, benchmark), metric=metric, filter=filter)
    return matrix_of(table, benchmark, readings=readings)


def matrix_of(
    table: "pa.Table", benchmark: str, *, readings: tuple[Reading, ...] = ()
) -> ResponseMatrix:
    """Arrange rows of one benchmark, one score of each answer, by item and model."""
    table = _in_order(table)
    item, items = codes(table, "item")
    model, models = codes(table, "model")
    cell = item.astype(np.int64) * len(models) + model
    shape = (len(items), len(models))
    first = _first_rows(cell, shape)
    status = _status(table)
    answer, labels = _answers(table, status)
    return ResponseMatrix(
        benchmark=benchmark,
        models=models,
        items=items,
        labels=labels,
        answer=_place(answer, first, shape, MISSING),
        score=_mean_score(cell, floats(table, "score"), first, shape),
        status=_place(status, first, shape, MISSING),
        **_item_columns(table, item, len(items)),
        has_answers="prediction" in table.column_names,
        repeated=int(table.num_rows - (first >= 0).sum()),
        readings=readings,
    )


def _in_order(table: "pa.Table") -> "pa.Table":
    """Put repeats in their order, so that the first answer does not depend on the file's."""
    import pyarrow as pa
    import pyarrow.compute as pc

    keys = [name for name in ("run", "repeat", "prompt") if name in table.column_names]
    if not keys:
        return table
    plain = pa.table({name: table[name].cast(pa.string()) for name in keys})
    return table.take(pc.sort_indices(plain, [(name, "ascending") for name in keys]))


def _first_rows(cell: npt.NDArray[np.int64], shape: tuple[int, int]) -> npt.NDArray[np.int64]:
    """Row number of the first row of each cell, -1 where there is none."""
    first = np.full(shape[0] * shape[1], -1, dtype=np.int64)
    first[cell[::-1]] = np.arange(cell.size - 1, -1, -1)
    return first


def _place(values: Ints, first: npt.NDArray[np.int64], shape: tuple[int, int], absent: int) -> Ints:
    if not values.size:
        return np.full(shape, absent, dtype=np.int32)
    placed: Ints = np.where(first >= 0, values[first], absent).astype(np.int32)
    return placed.reshape(shape)


def _status(table: "pa.Table") -> Ints:
    raw, names = codes(table, "status")
    lookup = np.array([*(STATUSES.index(name) for name in names), 0], dtype=np.int32)
    return lookup[raw]


def _answers(table: "pa.Table", status: Ints) -> tuple[Ints, tuple[str, ...]]:
    if "prediction" not in table.column_names:
        return np.full(table.num_rows, NO_ANSWER, dtype=np.int32), ()
    answer, labels = codes(table, "prediction")
    unreadable = (answer < 0) | (status == UNPARSED) | (status == REFUSED)
    answer = np.where(unreadable, NO_ANSWER, answer)
    return np.where(status == ERROR, MISSING, answer).astype(np.int32), labels


def _mean_score(
    cell: npt.NDArray[np.int64],
    score: Floats,
    first: npt.NDArray[np.int64],
    shape: tuple[int, int],
) -> Floats:
    if score.size == (first >= 0).sum():  # no repeats, nothing to average
        return np.where(first >= 0, score[first], np.nan).reshape(shape)
    scored = np.isfinite(score)
    size = shape[0] * shape[1]
    total = np.bincount(cell[scored], weights=score[scored], minlength=size)
    number = np.bincount(cell[scored], minlength=size)
    with np.errstate(invalid="ignore"):
        mean: Floats = total / np.where(number > 0, number, np.nan)
    return mean.reshape(shape)


def _item_columns(table: "pa.Table", item: Ints, n_items: int) -> dict[str, Any]:
    """Columns that belong to the item: taken from its first row that has a value."""
    columns: dict[str, Any] = {"tasks": (), "targets": ()}
    columns |= {"task": None, "cluster": None, "target": None}
    for name in ("task", "cluster", "target"):
        if name in table.column_names:
            values, names = codes(table, name)
            placed = np.full(n_items, -1, dtype=np.int32)
            known = np.flatnonzero(values >= 0)[::-1]
            placed[item[known]] = values[known]
            columns[name] = placed if names else None
            if name in ("task", "target"):
                columns[f"{name}s"] = names
    return {**columns, "n_options": _options(floats(table, "n_options"), item, n_items)}


def _options(number: Floats, item: Ints, n_items: int) -> Floats:
    known = np.isfinite(number)
    least, most = np.full(n_items, np.inf), np.full(n_items, -np.inf)
    np.minimum.at(least, item[known], number[known])
    np.maximum.at(most, item[known], number[known])
    return np.where(least == most, least, np.nan)


def taken(
    matrix: ResponseMatrix,
    *,
    items: npt.NDArray[np.bool_] | None = None,
    models: Sequence[int] | None = None,
) -> ResponseMatrix:
    """Return the part of a matrix with some items and some models, in the order given.

    Parameters
    ----------
    matrix : ResponseMatrix
    items : bool array, shape (items,), optional
    models : sequence of int, optional
        Their places.
    """
    rows = np.arange(len(matrix.items)) if items is None else np.flatnonzero(items)
    columns = np.arange(len(matrix.models)) if models is None else np.asarray(models, dtype=int)
    block = np.ix_(rows, columns)

    def by_item(values: Ints | None) -> Ints | None:
        return None if values is None else values[rows]

    return replace(
        matrix,
        models=tuple(matrix.models[j] for j in columns.tolist()),
        items=tuple(matrix.items[k] for k in rows.tolist()),
        answer=matrix.answer[block],
        score=matrix.score[block],
        status=matrix.status[block],
        task=by_item(matrix.task),
        cluster=by_item(matrix.cluster),
        target=by_item(matrix.target),
        n_options=matrix.n_options[rows],
    )
