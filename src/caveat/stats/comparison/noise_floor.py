"""How much of the disagreement between models is one model's with itself?"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import ResponseMatrix
from caveat.errors import TooFewError
from caveat.kernels.pair_excess import PairExcess
from caveat.kernels.pair_moments import excess_of_pairs
from caveat.kernels.series_means import series_means
from caveat.results.comparison.noise import ModelNoise, NoiseFloor, NoiseSource, Own, PairNoise
from caveat.stats.agreement.policy import POLICIES, Policy
from caveat.stats.comparison.codes import answer_codes, best_models, mean_scores
from caveat.stats.comparison.floors import ORDER, Floors

Floats = npt.NDArray[np.float64]
MOST_MODELS = 60
"""Models whose pairs are set against the floor: as many as a heat map shows."""
LEAST_FLOOR = 0.005
"""Floor below which disagreement is not divided by it: a few items would decide the ratio."""
_ROUNDING = 1e-9


def noise_floor(
    matrix: ResponseMatrix,
    floors: Sequence[Floors],
    *,
    policy: Policy = "drop",
    points: float = 0.05,
    level: float = 0.95,
    left_out: Mapping[str, str] | None = None,
) -> NoiseFloor:
    """Set the disagreement of pairs against that of one model with itself.

    Parameters
    ----------
    matrix : ResponseMatrix
        Items x models, with answers.
    floors : sequence of Floors
        One for each source of noise. Pairs are set against the first of `repeat`, `run`, `host`,
        `prompt`, `filter`, `metric` that is there.
    policy : str
        What an unreadable answer counts as.
    points : float
        Largest difference of scores of a matched pair.
    level : float
        Coverage of every interval, in (0, 1).
    left_out : mapping of str to str, optional
        Columns that look like a second reading and are none.

    Returns
    -------
    NoiseFloor
        For the 60 models of best score.

    Raises
    ------
    TooFewError
        When nothing was run twice.

    References
    ----------
    Rao (1982), https://doi.org/10.1016/0040-5809(82)90004-1.
    """
    _validate.choice("policy", policy, POLICIES)
    _validate.probability("level", level)
    if not floors:
        raise TooFewError(f"times a model of {matrix.benchmark} ran", got=1, need=2)
    ranked = sorted(floors, key=lambda one: ORDER.index(one.source))
    cluster = item_clusters(matrix)
    chosen = best_models(matrix, most=MOST_MODELS)
    pairs = _pairs(matrix, ranked[0], chosen, policy=policy, cluster=cluster, level=level)
    matched = _matched(matrix, pairs, points=points)
    borrowed = [pair for pair in matched if pair.own in ("none", "one")]
    return NoiseFloor(
        sources=tuple(_source(one, matrix, cluster=cluster, level=level) for one in ranked),
        pairs=pairs,
        matched=len(matched),
        matched_within=sum(not pair.beyond for pair in matched),
        points=points,
        considered=int(chosen.size),
        n_models=len(matrix.models),
        left_out=dict(left_out or {}),
        borrowed=len(borrowed),
        borrowed_within=sum(not pair.beyond for pair in borrowed),
        level=level,
        settings={
            "policy": policy,
            "errors": "independent items" if cluster is None else "clustered",
            "floor": ranked[0].source,
        },
    )


def _source(
    floors: Floors,
    matrix: ResponseMatrix,
    *,
    cluster: npt.NDArray[np.int64] | None,
    level: float,
) -> NoiseSource:
    _, first = np.unique(floors.group, return_index=True)
    owners = [int(j) for j in np.sort(first) if floors.known[j]]
    own = floors.own[:, floors.column[owners]]
    means = series_means(own, cluster=cluster)
    low, high = (np.clip(bound, 0.0, 1.0) for bound in means.bounds(level))
    models = [
        ModelNoise(
            model=matrix.models[j],
            names=_names(floors, matrix, j),
            replicates=int(floors.replicates[j]),
            n=int(means.n[k]),
            disagree=float(means.mean[k]),
            low=float(low[k]),
            high=float(high[k]),
        )
        for k, j in enumerate(owners)
    ]
    # The mean over models, item by item, so that its error counts models as sharing the items.
    deviation = np.where(np.isnan(own), 0.0, own - means.mean)
    series = means.mean.mean() + own.shape[0] * (deviation / means.n).mean(axis=1)
    used = ~np.isnan(own).all(axis=1)
    pooled = series_means(
        np.where(used, series, np.nan)[:, None] if len(owners) > 1 else own, cluster=cluster
    )
    low, high = (np.clip(bound, 0.0, 1.0) for bound in pooled.bounds(level))
    return NoiseSource(
        source=floors.source,
        variants=floors.variants,
        disagree=float(means.mean.mean()),
        low=float(low[0]),
        high=float(high[0]),
        models=tuple(sorted(models, key=lambda one: (-one.disagree, one.model))),
    )


def _names(floors: Floors, matrix: ResponseMatrix, j: int) -> tuple[str, ...]:
    names = tuple(matrix.models[k] for k in np.flatnonzero(floors.group == floors.group[j]))
    return names if len(names) > 1 else ()


def _pairs(
    matrix: ResponseMatrix,
    floors: Floors,
    chosen: npt.NDArray[np.int64],
    *,
    policy: Policy,
    cluster: npt.NDArray[np.int64] | None,
    level: float,
) -> tuple[PairNoise, ...]:
    one, other = np.triu_indices(chosen.size, k=1)
    first, second = chosen[one], chosen[other]
    found = excess_of_pairs(
        answer_codes(matrix, policy)[:, chosen],
        floors.filled(chosen),
        first=one,
        second=other,
        cluster=cluster,
    )
    low, high = found.excess.bounds(level)
    made = [
        _pair(matrix, floors, (int(first[k]), int(second[k])), found, k, (low[k], high[k]))
        for k in range(first.size)
        if found.excess.n[k] > 0
    ]
    return tuple(sorted(made, key=lambda pair: (pair.excess, pair.a, pair.b)))


def _pair(
    matrix: ResponseMatrix,
    floors: Floors,
    pair: tuple[int, int],
    found: PairExcess,
    k: int,
    bounds: tuple[float, float],
) -> PairNoise:
    a, b = pair
    own: Own = ("none", "one", "both")[int(floors.known[a]) + int(floors.known[b])]
    if floors.group[a] == floors.group[b]:
        own = "itself"
    floor, low = float(found.floor[k]), float(bounds[0])
    disagree = float(found.disagree[k])
    return PairNoise(
        a=matrix.models[a],
        b=matrix.models[b],
        n=int(found.excess.n[k]),
        disagree=disagree,
        floor=floor,
        excess=float(found.excess.mean[k]),
        low=low,
        high=float(bounds[1]),
        ratio=disagree / floor if floor >= LEAST_FLOOR else float("nan"),
        own=own,
        beyond=low > 0,
    )


def _matched(
    matrix: ResponseMatrix, pairs: Sequence[PairNoise], *, points: float
) -> list[PairNoise]:
    """Pairs within `points` of score, other than one model with itself."""
    mean = dict(zip(matrix.models, mean_scores(matrix).tolist(), strict=True))
    return [
        pair
        for pair in pairs
        if pair.own != "itself" and abs(mean[pair.a] - mean[pair.b]) <= points + _ROUNDING
    ]
