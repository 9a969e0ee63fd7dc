"""Mean score of each model on a benchmark and on each of its tasks."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.matrix import ERROR, MISSING, REFUSED, UNPARSED, UNSCORED, ResponseMatrix
from caveat.kernels.means import Means, column_means
from caveat.results.agreement import ModelScore, ScoreEstimate, Scores


def scores(matrix: ResponseMatrix, *, level: float = 0.95) -> Scores:
    """Mean score per model and task, with t intervals or cluster-robust ones.

    Repeats of an item are averaged before anything else, so that they never count as items.
    Items without a score are left out of the mean and counted.

    Parameters
    ----------
    matrix : ResponseMatrix
        Items x models; `cluster` makes the errors cluster-robust.
    level : float
        Coverage of each interval, in (0, 1).

    Returns
    -------
    Scores
        Best model first; models without any score last.

    References
    ----------
    Miller (2024), https://arxiv.org/abs/2411.00640.
    """
    _validate.probability("level", level)
    overall = _estimates(matrix, np.ones(len(matrix.items), dtype=bool), level)
    by_task: dict[str, tuple[ScoreEstimate, ...]] = {}
    if matrix.task is not None:
        for code, name in enumerate(matrix.tasks):
            by_task[name] = _estimates(matrix, matrix.task == code, level)
    rows = [
        _row(matrix, j, overall[j], {task: est[j] for task, est in by_task.items() if est[j].n})
        for j in range(len(matrix.models))
    ]
    rows.sort(key=lambda r: (not np.isfinite(r.overall.score), -r.overall.score, r.model))
    return Scores(
        benchmark=matrix.benchmark,
        models=tuple(rows),
        n_items=len(matrix.items),
        level=level,
        settings=_settings(matrix),
    )


def _settings(matrix: ResponseMatrix) -> Mapping[str, Any]:
    return {
        "errors": "clustered" if matrix.cluster is not None else "independent items",
        "repeated_rows": matrix.repeated,
    }


def _estimates(
    matrix: ResponseMatrix, rows: npt.NDArray[np.bool_], level: float
) -> tuple[ScoreEstimate, ...]:
    cluster = None
    if matrix.cluster is not None:
        # An item without a cluster is one of its own.
        alone = matrix.cluster < 0
        cluster = np.where(
            alone, matrix.cluster.max(initial=0) + 1 + np.cumsum(alone), matrix.cluster
        )[rows]
    found = column_means(matrix.score[rows], cluster=cluster, level=level)
    return tuple(_estimate(found, j, cluster is not None) for j in range(found.mean.size))


def _estimate(found: Means, j: int, clustered: bool) -> ScoreEstimate:  # noqa: FBT001 - private
    n, groups = int(found.n[j]), int(found.n_clusters[j])
    reason = ""
    if n == 0:
        reason = "no scored item"
    elif groups < 2:
        reason = "one item or cluster says nothing about spread"
    elif not np.isfinite(found.se[j]):
        reason = "all scores are equal: no standard error"
    method = "exact" if found.exact[j] else "clustered" if clustered else "t"
    return ScoreEstimate(
        score=float(found.mean[j]),
        se=float(found.se[j]),
        low=float(found.low[j]),
        high=float(found.high[j]),
        n=n,
        n_clusters=groups,
        method=method,
        reason=reason,
    )


def _row(
    matrix: ResponseMatrix, j: int, overall: ScoreEstimate, tasks: Mapping[str, ScoreEstimate]
) -> ModelScore:
    status = matrix.status[:, j]
    return ModelScore(
        model=matrix.models[j],
        n=overall.n,
        unparsed=int((status == UNPARSED).sum()),
        refused=int((status == REFUSED).sum()),
        errors=int((status == ERROR).sum()),
        missing=int((status == MISSING).sum()),
        unscored=int((status == UNSCORED).sum()),
        overall=overall,
        tasks=dict(tasks),
    )
