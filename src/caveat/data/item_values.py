"""A number of each answer (its cost, its tokens, its time) by item and model."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes, floats

if TYPE_CHECKING:
    import pyarrow as pa

    from caveat.data.matrix import ResponseMatrix

Floats = npt.NDArray[np.float64]


def item_values(table: "pa.Table", matrix: "ResponseMatrix", column: str) -> Floats:
    """Arrange a column of numbers as the answers are arranged.

    Parameters
    ----------
    table : pyarrow.Table
        Rows of the benchmark. Metrics and filters of one answer repeat its cost and tokens: they
        count once, for all that matters is the mean.
    matrix : ResponseMatrix
    column : str

    Returns
    -------
    float array, shape (items, models)
        Mean over repeats; nan where none is known.
    """
    shape = (len(matrix.items), len(matrix.models))
    value = floats(table, column)
    item, items = codes(table, "item")
    model, models = codes(table, "model")
    row = _places(items, matrix.items)[item]
    col = _places(models, matrix.models)[model]
    known = np.isfinite(value) & (row >= 0) & (col >= 0)
    cell = row[known] * shape[1] + col[known]
    size = shape[0] * shape[1]
    number = np.bincount(cell, minlength=size)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.bincount(cell, weights=value[known], minlength=size) / np.where(
            number > 0, number, np.nan
        )
    return mean.reshape(shape)


def _places(names: tuple[str, ...], wanted: tuple[str, ...]) -> npt.NDArray[np.int64]:
    place = {name: k for k, name in enumerate(wanted)}
    return np.array([place.get(name, -1) for name in names], dtype=np.int64)
