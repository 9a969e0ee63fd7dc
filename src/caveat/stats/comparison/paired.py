"""Which differences between the scores of models are real?"""

from typing import Any

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.kernels.multiplicity import benjamini_hochberg, holm
from caveat.kernels.paired_power import detectable, items_needed
from caveat.kernels.paired_scores import PairedScores, paired_scores
from caveat.kernels.paired_tests import PairedTests as Tested
from caveat.kernels.paired_tests import paired_tests as test_pairs
from caveat.kernels.tiers import tiers
from caveat.results.comparison.paired import PairedTests

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
MARGIN = 0.01
"""Models less than a point apart are equivalent unless another margin is set."""
POWER = 0.8


def paired_tests(
    matrix: ResponseMatrix,
    *,
    level: float = 0.95,
    margin: float = MARGIN,
    wanted: float | None = None,
    power: float = POWER,
) -> PairedTests:
    """Test the difference of every pair of models on the items both have a score for.

    Parameters
    ----------
    matrix : ResponseMatrix
        Items x models; repeats are averaged by item. `cluster` makes errors cluster-robust.
    level : float
        Of intervals and tests, in (0, 1); 1 - level is also the error that Holm's method bounds
        where tiers are made.
    margin : float
        Difference from which two models are not equivalent, in the unit of the scores.
    wanted : float, optional
        Difference whose finding `needed_wanted` is about; that of `margin` by default.
    power : float
        Chance to find a difference, in [0.5, 1).

    Returns
    -------
    PairedTests

    Raises
    ------
    InputError
        If a setting is out of range.
    TooFewError
        With fewer than two scored models, or no two with a common item.

    References
    ----------
    Miller (2024), https://arxiv.org/abs/2411.00640; McNemar (1947),
    https://doi.org/10.1007/BF02295996; Holm (1979), https://www.jstor.org/stable/4615733.
    """
    wanted = margin if wanted is None else wanted
    _check(level=level, margin=margin, wanted=wanted, power=power)
    order = _by_score(matrix)
    if order.size < 2:
        raise TooFewError(f"scored models of {matrix.benchmark}", got=int(order.size), need=2)
    cluster = item_clusters(matrix)
    compared = paired_scores(matrix.score[:, order], cluster=cluster)
    if not (compared.n[~np.eye(order.size, dtype=bool)] > 0).any():
        raise TooFewError(
            f"items of {matrix.benchmark} that two models both have a score for", got=0, need=1
        )
    tested = test_pairs(compared, level=level, margin=margin)
    figures = _figures(compared, tested, level=level, wanted=wanted, power=power)
    advantage = _advantage(compared)
    names = [matrix.models[k] for k in order]
    best = _best_first(advantage, names)
    # nan compares as not shown to be better
    better = (figures["p_holm"] < 1.0 - level) & (compared.difference > 0)
    among = int(compared.clustered.sum())
    partly = cluster is not None and among < order.size
    # a model that is not tested must not pass for one that cannot be told from the first
    place = np.where(compared.clustered, advantage, np.nan) if partly else advantage
    tier = tiers(place[best], better[np.ix_(best, best)])
    return PairedTests(
        benchmark=matrix.benchmark,
        models=tuple(names[k] for k in best),
        advantage=advantage[best],
        tier=tuple(int(t) or None for t in tier),
        **{name: values[np.ix_(best, best)] for name, values in figures.items()},
        test=_test(tested, clustered=cluster is not None),
        clustered_among=among if partly else None,
        n_tests=int(np.isfinite(figures["p"][np.triu_indices(order.size, 1)]).sum()),
        level=level,
        power=power,
        margin=margin,
        wanted=wanted,
    )


def _check(*, level: float, margin: float, wanted: float, power: float) -> None:
    _validate.probability("level", level)
    for name, value in (("margin", margin), ("wanted", wanted)):
        if not (np.isfinite(value) and value > 0):
            raise InputError(f"{name} must be a number above 0, got {value!r}")
    if not 0.5 <= power < 1.0:
        raise InputError(f"power must be at least 0.5 and under 1, got {power!r}")


def _by_score(matrix: ResponseMatrix) -> Ints:
    """Models with a score, best first: where not all can be clustered, the best are."""
    present = np.isfinite(matrix.score)
    number = present.sum(axis=0)
    mean = np.where(present, matrix.score, 0.0).sum(axis=0) / np.maximum(number, 1)
    return np.asarray(
        sorted(np.flatnonzero(number), key=lambda k: (-mean[k], matrix.models[k])), dtype=np.int64
    )


def _figures(
    compared: PairedScores, tested: Tested, *, level: float, wanted: float, power: float
) -> dict[str, Floats]:
    """Every figure of every pair, by its name in the result."""
    m = compared.n.shape[0]
    apart = compared.only + compared.only.T
    with np.errstate(invalid="ignore", divide="ignore"):
        deff = np.where(compared.plain > 0, (compared.se / compared.plain) ** 2, np.nan)
        dz = compared.difference / (compared.plain * np.sqrt(compared.n))
        cohen = np.where(apart > 0, compared.only / apart - 0.5, np.nan)
    largest = np.where(np.isfinite(apart), compared.square, np.sqrt(compared.square))

    def needed(delta: Floats) -> Floats:
        return items_needed(delta, compared.square, deff, largest=largest, level=level, power=power)

    upper = np.triu_indices(m, 1)
    p_holm, p_bh = (_symmetric(adjust(tested.p[upper]), upper, m) for adjust in ADJUSTMENTS)
    figures = {
        "n": compared.n,
        "n_clusters": compared.n_clusters,
        "score": compared.score,
        "difference": compared.difference,
        "se": np.where(compared.plain == 0, np.nan, compared.se),
        "se_plain": np.where(compared.plain == 0, np.nan, compared.plain),
        "df": compared.df,
        "low": tested.low,
        "high": tested.high,
        "only": compared.only,
        "p": tested.p,
        "p_holm": p_holm,
        "p_bh": p_bh,
        "cohen_g": cohen,
        "dz": np.where(compared.plain > 0, dz, np.nan),
        "detectable": detectable(
            compared.n, compared.square, deff, largest=largest, level=level, power=power
        ),
        "needed": needed(compared.difference),
        "needed_wanted": needed(np.array(wanted)),
        "p_equivalent": tested.p_equivalent,
    }
    for values in figures.values():
        np.fill_diagonal(values, np.nan)  # a model is not compared with itself
    return figures


ADJUSTMENTS = (holm, benjamini_hochberg)


def _symmetric(values: Floats, upper: tuple[Any, ...], m: int) -> Floats:
    made = np.full((m, m), np.nan)
    made[upper] = values
    made.T[upper] = values
    return made


def _advantage(compared: PairedScores) -> Floats:
    """Mean difference of each model from all others it shares items with."""
    known = np.isfinite(compared.difference) & ~np.eye(compared.n.shape[0], dtype=bool)
    number = known.sum(axis=1)
    total = np.where(known, compared.difference, 0.0).sum(axis=1)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def _best_first(advantage: Floats, names: list[str]) -> Ints:
    # equal scores must stand in the order of names, not in that of rounding
    coarse = np.round(advantage, 12)
    absent = np.isnan(coarse)
    return np.asarray(
        sorted(
            range(len(names)), key=lambda k: (absent[k], 0 if absent[k] else -coarse[k], names[k])
        ),
        dtype=np.int64,
    )


def _test(tested: Tested, *, clustered: bool) -> str:
    if clustered:
        return "clustered paired t"
    off = ~np.eye(tested.p.shape[0], dtype=bool) & np.isfinite(tested.p)
    if not tested.exact[off].any():
        return "paired t"
    return "exact McNemar" if tested.exact[off].all() else "exact McNemar or paired t"
