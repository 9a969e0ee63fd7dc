"""The answers of one model given several times, each time as a column of its own."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes
from caveat.data.matrix import ResponseMatrix, matrix_of

if TYPE_CHECKING:
    import pyarrow as pa

Source = Literal["run", "repeat", "prompt", "metric", "filter"]
SOURCES: tuple[Source, ...] = ("repeat", "run", "prompt", "filter", "metric")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Replicates:
    """What models answered time after time.

    Attributes
    ----------
    source : str
        Column that tells the times apart: `repeat`, `run`, `prompt`, `filter` or `metric`.
    models, variants : tuple of str
        Names by code; `variants` are the values of the column.
    matrix : ResponseMatrix
        Items x columns, a column for each model and variant that occurs; items in the order of
        their first row.
    owner, variant : int array, shape (columns,)
        Model and variant of each column.
    """

    source: Source
    models: tuple[str, ...]
    variants: tuple[str, ...]
    matrix: ResponseMatrix
    owner: npt.NDArray[np.int32]
    variant: npt.NDArray[np.int32]


def replicates(table: "pa.Table", benchmark: str, source: Source) -> Replicates | None:
    """Arrange the rows of one benchmark by item, and by model and the value of a column.

    Rows that differ in another column beside it (a repeat of a prompt) are put together as in any
    matrix: mean score, first answer.

    Parameters
    ----------
    table : pyarrow.Table
        Rows of the benchmark; one reading of each answer, unless `source` is `metric` or `filter`.
    benchmark : str
    source : str

    Returns
    -------
    Replicates or None
        None where no model has two values of the column.
    """
    import pyarrow as pa

    if source not in table.column_names:
        return None
    model, models = codes(table, "model")
    variant, variants = codes(table, source)
    pair = model.astype(np.int64) * (len(variants) + 1) + variant + 1
    found, column = np.unique(pair, return_inverse=True)
    owner = (found // (len(variants) + 1)).astype(np.int32)
    if found.size == np.unique(owner).size:
        return None
    # A column is named by its number: models and variants may hold any sign in their names.
    names = pa.DictionaryArray.from_arrays(
        pa.array(column.astype(np.int32)), pa.array([str(k) for k in range(found.size)])
    )
    place = table.schema.get_field_index("model")
    matrix = matrix_of(table.set_column(place, "model", names), benchmark)
    order = np.array([int(name) for name in matrix.models])
    which = (found % (len(variants) + 1) - 1).astype(np.int32)[order]
    told = tuple(
        f"{models[m]} ({variants[v] if v >= 0 else 'unnamed'})"
        for m, v in zip(owner[order].tolist(), which.tolist(), strict=True)
    )
    return Replicates(
        source=source,
        models=models,
        variants=variants,
        matrix=replace(matrix, models=told),
        owner=owner[order],
        variant=which,
    )
