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
PRICED = 0.95
"""Share of the variance of costs from which tokens explain them."""


def zeros(rows: "pa.Table") -> tuple[Zeros, ...]:
    """Find columns that are 0 in every row of a model: nothing costs nothing or takes no time.

    A model whose answers are scored by their likelihood writes no token: output tokens of 0 are
    told only where another model of the benchmark has some.

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
        if nothing.any() and (column != "output_tokens" or (above > 0).any()):
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
    answered is something else: a judge's fee, a flat rate, an estimate. Runs of models of one
    price are not: there the cost of an answer follows from its tokens.

    Parameters
    ----------
    values : callable
        Given the name of a column, its numbers by item and model.

    Returns
    -------
    FlatCost or None
        None where fewer than five models have costs on common items, costs differ, or one price of
        input and output tokens for all models explains 95% of the variance of the cost of answers.
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
    if _priced(cost[whole], values("input_tokens")[whole][:, some], tokens):
        return None
    counted = tokens[np.isfinite(tokens).all(axis=1)]
    average = counted.mean(axis=0) if counted.shape[0] else np.array([np.nan])
    return FlatCost(
        models=int(cost.shape[1]),
        ratio=ratio,
        n=int(whole.sum()),
        token_ratio=float(average.max() / average.min()) if average.min() > 0 else float("nan"),
    )


def _priced(cost: Floats, read: Floats, written: Floats) -> bool:
    """Whether costs are what one price of tokens makes them."""
    known = np.isfinite(cost) & np.isfinite(read) & np.isfinite(written)
    spread = float(cost[known].var()) if known.sum() > LEAST_ROWS else 0.0
    if not spread > 0:
        return False
    tokens = np.column_stack([read[known], written[known]])
    price, *_ = np.linalg.lstsq(tokens, cost[known], rcond=None)
    return bool(
        (price >= 0).all() and np.mean((cost[known] - tokens @ price) ** 2) <= (1 - PRICED) * spread
    )
