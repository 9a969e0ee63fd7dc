"""Scores of models on the items that all of them have, and their covariance."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import ResponseMatrix
from caveat.errors import TooFewError
from caveat.kernels.cluster_sums import cluster_rows, cluster_variance
from caveat.kernels.common_items import common_items
from caveat.kernels.rank_bounds import unit_effects

Floats = npt.NDArray[np.float64]

_VALUES = 20  # different scores up to which means lie on a grid that matters


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CommonScores:
    """Means of models over one set of items.

    Attributes
    ----------
    benchmark : str
    models : tuple of str
        In alphabetical order, so that draws do not depend on the order of a file.
    mean : float array, shape (m,)
    covariance : float array, shape (m, m)
        Of the means, from independent items or clusters.
    n_items, n_units, items_left_out : int
    degrees : float
        Degrees of freedom of the errors.
    step : float
        By how much two means differ at least, if they differ; 0 where scores are of many values.
    clustered : bool
    left_out : mapping of str to str
        Models that do not take part, and why.
    """

    benchmark: str
    models: tuple[str, ...]
    mean: Floats
    covariance: Floats
    n_items: int
    n_units: int
    items_left_out: int
    degrees: float
    step: float
    clustered: bool
    left_out: Mapping[str, str]


def common_scores(matrix: ResponseMatrix) -> CommonScores:
    """Take the items that all models have, or leave models out that lack too many.

    Parameters
    ----------
    matrix : ResponseMatrix

    Returns
    -------
    CommonScores

    Raises
    ------
    TooFewError
        With fewer than two models that share two items, or two clusters of them.
    """
    present = np.isfinite(matrix.score)
    found = common_items(present)
    columns = np.array(
        sorted(np.flatnonzero(found.columns), key=lambda j: matrix.models[j]), dtype=np.int64
    )
    if columns.size < 2:
        raise TooFewError("models with a score on the same items", got=int(columns.size), need=2)
    rows = np.flatnonzero(found.rows)
    cluster = item_clusters(matrix)
    starts, degrees, units = None, rows.size - 1.0, rows.size
    if cluster is not None:
        held = cluster_rows(cluster[rows])
        rows, starts = rows[held.order], held.starts
        sizes = np.diff(np.r_[starts, rows.size]).astype(np.float64)
        degrees = float(cluster_variance(np.zeros(sizes.size), sizes).df)
        units = starts.size
    if units < 2:
        what = "items" if cluster is None else "clusters of items"
        raise TooFewError(f"{what} that all models have a score on", got=units, need=2)
    score = matrix.score[np.ix_(rows, columns)]
    effect = unit_effects(score, starts)
    return CommonScores(
        benchmark=matrix.benchmark,
        models=tuple(matrix.models[j] for j in columns),
        mean=score.mean(axis=0),
        covariance=effect.T @ effect,
        n_items=int(rows.size),
        n_units=int(units),
        items_left_out=int(present[:, columns].any(axis=1).sum() - rows.size),
        degrees=degrees,
        step=_step(score),
        clustered=starts is not None,
        left_out={
            matrix.models[j]: "no score at all"
            if not present[:, j].any()
            else f"a score on {int(present[rows, j].sum()):,} of the {rows.size:,} items"
            for j in np.flatnonzero(~found.columns)
        },
    )


def _step(score: Floats) -> float:
    values = np.unique(score)
    if values.size < 2 or values.size > _VALUES:
        return 0.0
    return float(np.diff(values).min()) / int(score.shape[0])
