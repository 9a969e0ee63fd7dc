"""Do the items give the scores that were published?"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import MISSING, ResponseMatrix
from caveat.results.data_checks import Unmatched

Floats = npt.NDArray[np.float64]
TOLERANCE = 0.005
"""Difference of scores that rounding to a whole percent would leave."""
MOST = 100.0
_SHARES = re.compile(
    r"acc|exact|match|score|correct|solve|pass(_rate|@1$|_at_1$)|mean|percent|^em$", re.IGNORECASE
)
"""Names of metrics that are shares of right answers; of an error or a bound they are not."""
_NO_MEAN = re.compile(r"std|err|loss|elo|rating|rank|low|high|count|norm_len", re.IGNORECASE)


def unmatched(
    matrix: ResponseMatrix, published: Sequence[Mapping[str, Any]]
) -> tuple[tuple[Unmatched, ...], int]:
    """Compare published scores with what the items give.

    A published score is met where any usual reading of the items comes within half a point: the
    mean over items, over readable answers alone, over the mean of the tasks, with missing items
    as wrong. A value above 1 is taken as percent, one above 100 as no share. Only metrics of the
    items are compared and, where these name none, metrics that by their names are shares of right
    answers; a filter that is named must be the one in use.

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
    used = [one for one in matrix.readings if one.used]
    metrics = {one.metric for one in used if one.metric}
    filters = {one.filter for one in used if one.filter}
    for row in published:
        value, model = row.get("value"), row.get("model")
        metric, task = row.get("metric") or "", row.get("task") or ""
        if model not in matrix.models or value is None or not np.isfinite(value) or value < 0:
            continue
        if value > MOST or not _comparable(metric, metrics):
            continue
        if (row.get("filter") or "") not in {"", *filters} and filters:
            continue
        readings = _readings(matrix, matrix.models.index(model), task)
        if not readings:
            continue
        compared += 1
        share = float(value) / 100 if value > 1 else float(value)
        name, near = min(readings.items(), key=lambda one: abs(one[1] - share))
        percent = value <= 1 and any(
            abs(one - value / 100) <= TOLERANCE / 100 for one in readings.values()
        )
        if percent:
            continue  # less than one percent, told in percent
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
                    n=_scored(matrix, matrix.models.index(model), task),
                    source=str(row.get("source") or ""),
                )
            )
    found.sort(key=lambda one: (-abs(one.published - one.computed), one.model, one.task))
    return tuple(found), compared


def _comparable(metric: str, metrics: set[str]) -> bool:
    """Whether a published metric is one of the items', or a share of right answers by its name."""
    if not metric or metric in metrics:
        return True
    return not metrics and bool(_SHARES.search(metric)) and not _NO_MEAN.search(metric)


def _of_task(matrix: ResponseMatrix, task: str) -> npt.NDArray[np.bool_] | None:
    """Return the items of a task, all of them for none; None where there is no such task."""
    if not task:
        return np.ones(len(matrix.items), dtype=bool)
    if task not in matrix.tasks or matrix.task is None:
        return None
    return np.asarray(matrix.task == matrix.tasks.index(task))


def _scored(matrix: ResponseMatrix, j: int, task: str) -> int:
    return int(np.isfinite(matrix.score[_of_task(matrix, task), j]).sum())


def _readings(matrix: ResponseMatrix, j: int, task: str) -> dict[str, float]:
    """Usual means of one model's scores, on one task or on all items."""
    rows = _of_task(matrix, task)
    if rows is None:
        return {}
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
