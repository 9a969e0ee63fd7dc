"""The true score of the model that scored highest."""

import numpy as np
from scipy.special import stdtrit

from caveat import _rng, _validate
from caveat.data.matrix import ResponseMatrix
from caveat.kernels.winner import winner
from caveat.results.comparison.winner import WinnersCurse
from caveat.stats.comparison.common_scores import CommonScores, common_scores


def winners_curse(
    matrix: ResponseMatrix | CommonScores,
    *,
    level: float = 0.95,
    seed: int | np.random.Generator = 0,
) -> WinnersCurse:
    """Correct the leader's score for the choice of the highest of many.

    Parameters
    ----------
    matrix : ResponseMatrix or CommonScores
        All models are compared on the items that all of them have.
    level : float
        Coverage of each interval, in (0, 1).
    seed : int or Generator

    Returns
    -------
    WinnersCurse
        For level scores the first model by name.

    Raises
    ------
    TooFewError
        With fewer than two models that share two items, or two clusters of them.

    References
    ----------
    Andrews, Kitagawa and McCloskey (2024), https://doi.org/10.1093/qje/qjad043.
    """
    _validate.probability("level", level)
    shared = matrix if isinstance(matrix, CommonScores) else common_scores(matrix)
    found = winner(
        np.round(shared.mean, 12),
        shared.covariance,
        level=level,
        degrees=shared.degrees,
        rng=_rng.as_generator(seed),
        step=shared.step,
    )
    half = float(stdtrit(shared.degrees, (1.0 + level) / 2.0)) * found.se
    return WinnersCurse(
        benchmark=shared.benchmark,
        model=shared.models[found.index],
        n_models=len(shared.models),
        n_items=shared.n_items,
        n_units=shared.n_units,
        score=found.estimate,
        se=found.se,
        low=found.estimate - half,
        high=found.estimate + half,
        curse=found.bias,
        corrected=found.estimate - found.bias,
        shrunk=found.shrunk,
        median=found.hybrid,
        hybrid_low=found.hybrid_low,
        hybrid_high=found.hybrid_high,
        conditional=found.conditional,
        conditional_low=found.conditional_low,
        conditional_high=found.conditional_high,
        projection_low=found.projection_low,
        projection_high=found.projection_high,
        level=level,
        seed=seed if isinstance(seed, int) else None,
        clustered=shared.clustered,
        reason="" if np.isfinite(found.se) else "all scores of the leader are equal: no error",
    )
