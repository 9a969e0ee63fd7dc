"""Zeros that mean unknown, and costs that are not the models'."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes, floats
from caveat.results.data_checks import FlatCost, Zeros

if TYPE_CHECKING:
    import pyarrow as pa

Floats = npt.NDArray[np.float64]
COLUMNS = ("cost_usd", "input_tokens", "output_tokens", "latency_s")
LEAST_ROWS = 5
LEAST_MODELS = 5
"""Models whose costs are compared at least."""
RATIO = 1.5
"""Largest by smallest mean cost, below which costs hardly differ between models."""


def zeros(rows: "pa.Table") -> tuple[Zeros, ...]:
    """Find columns that are 0 in every row of a model: nothing costs nothing or takes no time.

    Parameters
    ----------
    rows : pyarrow.Table
        Rows of one benchmark.
    """
    model, names = codes(rows, "model")
    found = []
    for column in COLUMNS:
        if column not in rows.column_names:
            continue
        value = floats(rows, column)
        known = np.isfinite(value)
        n = np.bincount(model[known], minlength=len(names))
        above = np.bincount(model[known & (value > 0)], minlength=len(names))
        nothing = (n >= LEAST_ROWS) & (above == 0)
        if nothing.any():
            found.append(
                Zeros(
                    column=column,
                    models=tuple(names[j] for j in np.flatnonzero(nothing).tolist()),
                    n=int(n[nothing].sum()),
                    others=int((above > 0).sum()),
                )
            )
    return tuple(found)


def flat_cost(values: Callable[[str], Floats]) -> FlatCost | None:
    """Compare the costs of models on the items whose cost is known for all of them.

    Prices of models differ by orders of magnitude; what costs about the same whichever model
    answered is something else: a judge's fee, a flat rate, an estimate.

    Parameters
    ----------
    values : callable
        Given the name of a column, its numbers by item and model.

    Returns
    -------
    FlatCost or None
        None where fewer than five models have costs on common items, or costs differ.
    """
    cost = values("cost_usd")
    some = np.isfinite(cost).any(axis=0) & (np.nan_to_num(cost).max(axis=0, initial=0.0) > 0)
    cost = cost[:, some]
    whole = np.isfinite(cost).all(axis=1)
    if cost.shape[1] < LEAST_MODELS or whole.sum() < LEAST_ROWS:
        return None
    mean = cost[whole].mean(axis=0)
    ratio = float(mean.max() / mean.min()) if mean.min() > 0 else float("inf")
    if ratio >= RATIO:
        return None
    tokens = values("output_tokens")[whole][:, some]
    counted = tokens[np.isfinite(tokens).all(axis=1)]
    average = counted.mean(axis=0) if counted.shape[0] else np.array([np.nan])
    return FlatCost(
        models=int(cost.shape[1]),
        ratio=ratio,
        n=int(whole.sum()),
        token_ratio=float(average.max() / average.min()) if average.min() > 0 else float("nan"),
    )
