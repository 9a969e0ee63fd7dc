"""Ranks that item-level scores allow, for all models at once."""

import numpy as np

from caveat import _rng, _validate
from caveat.data.matrix import ResponseMatrix
from caveat.kernels.rank_bounds import RankBounds, rank_bounds
from caveat.results.comparison.rank_intervals import RankedModel, RankIntervals
from caveat.stats.comparison.common_scores import CommonScores, common_scores


def rank_intervals(
    matrix: ResponseMatrix | CommonScores,
    *,
    level: float = 0.95,
    seed: int | np.random.Generator = 0,
) -> RankIntervals:
    """Bound the ranks of all models, on the items that all have a score on.

    Parameters
    ----------
    matrix : ResponseMatrix or CommonScores
        Items share their difficulty between models: errors are those of paired differences, and
        clustered where the source names clusters of items.
    level : float
        Probability that all intervals hold their true rank, in (0, 1).
    seed : int or Generator

    Returns
    -------
    RankIntervals

    Raises
    ------
    TooFewError
        With fewer than two models that share two items, or two clusters of them.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm (2024), https://doi.org/10.1093/restud/rdad006.
    """
    _validate.probability("level", level)
    shared = matrix if isinstance(matrix, CommonScores) else common_scores(matrix)
    found = rank_bounds(
        shared.mean,
        shared.covariance,
        level=level,
        units=shared.n_units,
        degrees=shared.degrees,
        rng=_rng.as_generator(seed),
    )
    rows = _rows(shared, found)
    return RankIntervals(
        benchmark=matrix.benchmark,
        models=rows,
        best=tuple(row.model for row in rows if row.may_be_best),
        n_items=shared.n_items,
        n_units=shared.n_units,
        items_left_out=shared.items_left_out,
        left_out=shared.left_out,
        level=level,
        critical=found.critical,
        steps=found.steps,
        draws=found.draws,
        seed=seed if isinstance(seed, int) else None,
        clustered=shared.clustered,
    )


def _rows(shared: CommonScores, found: RankBounds) -> tuple[RankedModel, ...]:
    mean = np.round(shared.mean, 12)
    rank = 1 + (mean[None, :] > mean[:, None]).sum(axis=1)
    variance = np.diag(shared.covariance)
    se = np.sqrt(np.where(variance > 0, variance, np.nan))
    order = np.argsort(-mean, kind="stable")
    return tuple(
        RankedModel(
            model=shared.models[k],
            score=float(shared.mean[k]),
            se=float(se[k]),
            rank=int(rank[k]),
            low=int(found.low[k]),
            high=int(found.high[k]),
            alone_low=int(found.alone_low[k]),
            alone_high=int(found.alone_high[k]),
            plain_low=int(found.plain_low[k]),
            plain_high=int(found.plain_high[k]),
            may_be_best=bool(found.low[k] == 1),
            best_alone=bool(found.best[k]),
            first=float(found.first[k]),
        )
        for k in order
    )
