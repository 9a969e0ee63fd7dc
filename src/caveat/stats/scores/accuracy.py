"""Mean score of each model on a benchmark and on each of its tasks."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import ERROR, MISSING, REFUSED, UNPARSED, UNSCORED, ResponseMatrix
from caveat.kernels.common_items import common_items
from caveat.kernels.macro_means import MacroMeans, macro_means
from caveat.kernels.means import Means, column_means
from caveat.results.agreement import CommonItems, ModelScore, ScoreEstimate, Scores

Bools = npt.NDArray[np.bool_]


def scores(matrix: ResponseMatrix, *, level: float = 0.95) -> Scores:
    """Mean score per model and task, with t intervals or cluster-robust ones.

    Repeats of an item are averaged before anything else, so that they never count as items.
    Items without a score are left out of the mean and counted. Beside the mean over all its items
    each model has the mean of its tasks (macro) and the mean over the items that all models have.

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
    Miller (2024), https://arxiv.org/abs/2411.00640; Pustejovsky and Tipton (2018),
    https://doi.org/10.1080/07350015.2016.1247004.
    """
    _validate.probability("level", level)
    everything = np.ones(len(matrix.items), dtype=bool)
    overall = _estimates(matrix, everything, level)
    by_task: dict[str, tuple[ScoreEstimate, ...]] = {}
    if matrix.task is not None:
        for code, name in enumerate(matrix.tasks):
            by_task[name] = _estimates(matrix, matrix.task == code, level)
    macro = _macro(matrix, level)
    common, on_common = _common(matrix, overall, level)
    rows = [
        _row(
            matrix,
            j,
            overall[j],
            {task: est[j] for task, est in by_task.items() if est[j].n},
            macro[j],
            on_common[j],
        )
        for j in range(len(matrix.models))
    ]
    rows.sort(key=lambda r: (not np.isfinite(r.overall.score), -r.overall.score, r.model))
    return Scores(
        benchmark=matrix.benchmark,
        models=tuple(rows),
        n_items=len(matrix.items),
        level=level,
        common=common,
        settings=_settings(matrix),
    )


def _settings(matrix: ResponseMatrix) -> Mapping[str, Any]:
    return {
        "errors": "clustered" if matrix.cluster is not None else "independent items",
        "repeated_rows": matrix.repeated,
    }


def _common(
    matrix: ResponseMatrix, overall: tuple[ScoreEstimate, ...], level: float
) -> tuple[CommonItems | None, tuple[ScoreEstimate | None, ...]]:
    """Say which items are common, and the scores on them."""
    present = np.isfinite(matrix.score)
    scored = present.any(axis=0)
    nothing = (None,) * len(overall)
    if scored.sum() < 2:
        return None, nothing
    found = common_items(present[:, scored])
    taken = np.zeros(len(overall), dtype=bool)
    taken[scored] = found.columns
    n = int(found.rows.sum())
    told = CommonItems(
        n=n,
        left_out=tuple(m for m, there in zip(matrix.models, taken, strict=True) if not there)
        if n
        else (),
        all_items=n == int(present.any(axis=1).sum()),
    )
    if not n:
        return told, nothing
    on_common = overall if told.all_items else _estimates(matrix, found.rows, level)
    return told, tuple(e if there else None for e, there in zip(on_common, taken, strict=True))


def _macro(matrix: ResponseMatrix, level: float) -> tuple[ScoreEstimate | None, ...]:
    if matrix.task is None or len(matrix.tasks) < 2:
        return (None,) * len(matrix.models)
    cluster = item_clusters(matrix)
    found = macro_means(matrix.score, group=matrix.task, cluster=cluster, level=level)
    return tuple(_macro_estimate(found, j, cluster is not None) for j in range(found.mean.size))


def _macro_estimate(found: MacroMeans, j: int, clustered: bool) -> ScoreEstimate:  # noqa: FBT001 - private
    reason = ""
    if not found.n[j]:
        reason = "no scored item"
    elif found.lacking[j]:
        reason = f"no score on {found.lacking[j]} of the tasks that other models have scores on"
    elif not np.isfinite(found.se[j]):
        reason = "no spread within tasks, or one item or cluster only: no standard error"
    return ScoreEstimate(
        score=float(found.mean[j]),
        se=float(found.se[j]),
        low=float(found.low[j]),
        high=float(found.high[j]),
        n=int(found.n[j]),
        n_clusters=int(found.n_clusters[j]),
        method="clustered" if clustered else "t",
        df=float(found.df[j]),
        reason=reason,
    )


def _estimates(matrix: ResponseMatrix, rows: Bools, level: float) -> tuple[ScoreEstimate, ...]:
    cluster = item_clusters(matrix)
    cluster = None if cluster is None else cluster[rows]
    scores = matrix.score if rows.all() else matrix.score[rows]
    found = column_means(scores, cluster=cluster, level=level)
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
        df=float(found.df[j]),
        reason=reason,
    )


def _row(
    matrix: ResponseMatrix,
    j: int,
    overall: ScoreEstimate,
    tasks: Mapping[str, ScoreEstimate],
    macro: ScoreEstimate | None,
    common: ScoreEstimate | None,
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
        macro=macro,
        common=common,
    )
