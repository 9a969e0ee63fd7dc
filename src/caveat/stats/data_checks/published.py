"""Do the items give the scores that were published?"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import MISSING, ResponseMatrix
from caveat.results.data_checks import Unmatched

Floats = npt.NDArray[np.float64]
TOLERANCE = 0.005
"""Difference of scores that rounding to a whole percent would leave."""


def unmatched(
    matrix: ResponseMatrix, published: Sequence[Mapping[str, Any]]
) -> tuple[tuple[Unmatched, ...], int]:
    """Compare published scores with what the items give.

    A published score is met where any usual reading of the items comes within half a point: the
    mean over items, over readable answers alone, over the mean of the tasks, with missing items
    as wrong. A value above 1 is taken as percent.

    Parameters
    ----------
    matrix : ResponseMatrix
    published : sequence of mapping
        Rows with `model` and `value`, and perhaps `task`, `metric`, `source`.

    Returns
    -------
    found : tuple of Unmatched
        Farthest first.
    compared : int
        Published scores of models and metrics that are here.
    """
    found, compared = [], 0
    metrics = {one.metric for one in matrix.readings if one.used and one.metric}
    for row in published:
        value, model = row.get("value"), row.get("model")
        metric, task = row.get("metric") or "", row.get("task") or ""
        if model not in matrix.models or value is None or not np.isfinite(value) or value < 0:
            continue
        if metric and metrics and metric not in metrics:
            continue
        readings = _readings(matrix, matrix.models.index(model), task)
        if not readings:
            continue
        compared += 1
        share = float(value) / 100 if value > 1 else float(value)
        name, near = min(readings.items(), key=lambda one: abs(one[1] - share))
        if abs(near - share) > TOLERANCE:
            found.append(
                Unmatched(
                    model=model,
                    task=task,
                    metric=metric,
                    published=share,
                    computed=near,
                    low=min(readings.values()),
                    high=max(readings.values()),
                    reading=name,
                    n=int(np.isfinite(matrix.score[:, matrix.models.index(model)]).sum()),
                    source=str(row.get("source") or ""),
                )
            )
    found.sort(key=lambda one: (-abs(one.published - one.computed), one.model, one.task))
    return tuple(found), compared


def _readings(matrix: ResponseMatrix, j: int, task: str) -> dict[str, float]:
    """Usual means of one model's scores, on one task or on all items."""
    rows = np.ones(len(matrix.items), dtype=bool)
    if task:
        if task not in matrix.tasks or matrix.task is None:
            return {}
        rows = matrix.task == matrix.tasks.index(task)
    score, answer = matrix.score[rows, j], matrix.answer[rows, j]
    scored = np.isfinite(score)
    if not scored.any():
        return {}
    found = {"mean over items": float(score[scored].mean())}
    absent = matrix.status[rows, j] == MISSING
    if absent.any():
        found["missing items wrong"] = float(score[scored].sum() / score.size)
    readable = scored & (answer >= 0)
    if matrix.has_answers and readable.any() and not readable.all():
        found["readable answers alone"] = float(score[readable].mean())
    if not task and matrix.task is not None and len(matrix.tasks) > 1:
        code = matrix.task
        means = [
            float(matrix.score[(code == k) & np.isfinite(matrix.score[:, j]), j].mean())
            for k in range(len(matrix.tasks))
            if ((code == k) & np.isfinite(matrix.score[:, j])).any()
        ]
        found["mean of tasks"] = float(np.mean(means))
    return found
