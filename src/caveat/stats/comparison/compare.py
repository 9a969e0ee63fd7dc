"""Two models side by side: what differs, where, and what would settle it."""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import NO_ANSWER, ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.kernels.mcnemar import mcnemar
from caveat.kernels.means import wilson_share
from caveat.kernels.multiplicity import holm
from caveat.kernels.paired_power import items_for_equivalence
from caveat.kernels.paired_scores import paired_scores
from caveat.kernels.paired_tests import paired_tests as test_pairs
from caveat.kernels.welch import welch_test
from caveat.results.comparison.pair import (
    Answers,
    DifferingItem,
    PairComparison,
    TaskDifference,
    TaskVariation,
    Verdict,
)
from caveat.results.comparison.paired import PairTest
from caveat.stats.comparison.paired import MARGIN, POWER, paired_tests
from caveat.stats.scores.accuracy import scores

Floats = npt.NDArray[np.float64]
NAN = math.nan
LISTED = 200
"""Differing items in the result unless another number is asked for."""


def compare(
    matrix: ResponseMatrix,
    a: str,
    b: str,
    *,
    margin: float = MARGIN,
    level: float = 0.95,
    power: float = POWER,
    listed: int = LISTED,
) -> PairComparison:
    """Compare two models of one benchmark on the items both have.

    Parameters
    ----------
    matrix : ResponseMatrix
        Items x models; repeats are averaged by item. `cluster` makes errors cluster-robust.
    a, b : str
        Names of two models.
    margin : float
        Difference from which the two are not equivalent, in the unit of the scores.
    level, power : float
        As in `paired_tests`.
    listed : int
        Differing items to name, 0 or more.

    Returns
    -------
    PairComparison

    Raises
    ------
    InputError
        If a model is not there, both are one, or a setting is out of range.
    TooFewError
        If the two share no item.

    References
    ----------
    Miller (2024), https://arxiv.org/abs/2411.00640; Schuirmann (1987),
    https://doi.org/10.1007/BF01068419; Welch (1951), https://doi.org/10.1093/biomet/38.3-4.330.
    """
    _validate.at_least("listed", listed, 0)
    two = _two(matrix, a, b)
    test, method = _test(two, margin=margin, level=level, power=power)
    own = {model.model: model.overall for model in scores(two, level=level).models}
    both = np.isfinite(two.score).all(axis=1)
    right = float((two.score[both] == 1.0).all(axis=1).sum())
    wrong = float((two.score[both] == 0.0).all(axis=1).sum())
    binary = math.isfinite(test.only_a)
    exact = mcnemar(np.array([test.only_a]), np.array([test.only_b]))
    alpha = 1.0 - level
    tasks = _tasks(two, margin=margin, level=level)
    order, n_same = _differing(two)
    return PairComparison(
        benchmark=matrix.benchmark,
        a=a,
        b=b,
        own_a=own[a],
        own_b=own[b],
        test=test,
        method=method,
        both_right=right if binary else NAN,
        neither_right=wrong if binary else NAN,
        p_mid=float(exact.mid_p[0]),
        log10_p=float(exact.log10_p[0]),
        odds_ratio=_odds(test.only_a, test.only_b),
        verdict=_verdict(test, alpha),
        within_margin=test.p_equivalent < alpha,
        needed_equivalent=_needed_equivalent(test, margin=margin, level=level, power=power),
        answers=_answers(two, level),
        tasks=tuple(row for row, _, _ in tasks),
        variation=_variation(tasks, alpha) if tasks else None,
        items=tuple(_item(two, int(k)) for k in order[:listed]),
        n_differing=order.size,
        n_same_score=n_same,
        level=level,
        power=power,
        margin=margin,
    )


def _two(matrix: ResponseMatrix, a: str, b: str) -> ResponseMatrix:
    """Leave the other models out."""
    for name, model in (("a", a), ("b", b)):
        if model not in matrix.models:
            raise InputError(
                f"{name} must be one of the models of {matrix.benchmark} "
                f"({', '.join(matrix.models)}), got {model!r}"
            )
    if a == b:
        raise InputError(f"a and b must be two models, got {a!r} twice")
    columns = [matrix.models.index(a), matrix.models.index(b)]
    two = replace(
        matrix,
        models=(a, b),
        answer=matrix.answer[:, columns],
        score=matrix.score[:, columns],
        status=matrix.status[:, columns],
    )
    if not (two.status >= 0).all(axis=1).any():
        raise TooFewError(f"items of {matrix.benchmark} that {a} and {b} both have", got=0, need=1)
    return two


def _test(
    two: ResponseMatrix, *, margin: float, level: float, power: float
) -> tuple[PairTest, str]:
    a, b = two.models
    try:
        found = paired_tests(two, margin=margin, level=level, power=power)
    except TooFewError:
        why = "no item has a score for both"
        counts = {"n": 0, "n_clusters": 0}
        names = (name for name in PairTest.__dataclass_fields__ if name not in ("a", "b", "reason"))
        figures = {name: counts.get(name, NAN) for name in names}
        return PairTest(a=a, b=b, reason=why, **figures), "none"  # type: ignore[arg-type]  # counts are whole numbers, the rest nan
    return found.pair(a, b), found.test


def _odds(b: float, c: float) -> float:
    if not (math.isfinite(b) and math.isfinite(c)) or b == c == 0:
        return NAN
    return b / c if c else math.inf


def _verdict(test: PairTest, alpha: float) -> Verdict:
    if test.p < alpha and test.difference:
        return "a is better" if test.difference > 0 else "b is better"
    return "equivalent" if test.p_equivalent < alpha else "undecided"


def _needed_equivalent(test: PairTest, *, margin: float, level: float, power: float) -> float:
    deff = (test.se / test.se_plain) ** 2 if test.se_plain > 0 else NAN
    variance = test.se_plain**2 * test.n
    return items_for_equivalence(
        test.difference, variance, deff, margin=margin, level=level, power=power
    )


def _answers(two: ResponseMatrix, level: float) -> Answers | None:
    readable = (two.answer >= 0).all(axis=1)
    n = int(readable.sum())
    if not n:
        return None
    answer, score = two.answer[readable], two.score[readable]
    same = answer[:, 0] == answer[:, 1]
    share = float(1.0 - same.mean())
    low, high = wilson_share(np.array(share), np.array(float(n)), level=level)
    binary = bool(np.isin(score, (0.0, 1.0)).all())
    wrong = (score == 0.0).all(axis=1)
    return Answers(
        n=n,
        disagree=share,
        low=float(low),
        high=float(high),
        both_wrong=float(wrong.mean()) if binary else NAN,
        same_wrong=float((wrong & same).mean()) if binary else NAN,
    )


Task = tuple[TaskDifference, float, float]
"""A task with the error of its difference and the degrees of freedom."""


def _tasks(two: ResponseMatrix, *, margin: float, level: float) -> list[Task]:
    if two.task is None or len(two.tasks) < 2:
        return []
    cluster = item_clusters(two)
    rows = []
    for code, name in enumerate(two.tasks):
        mine = two.task == code
        pairs = paired_scores(two.score[mine], cluster=None if cluster is None else cluster[mine])
        tested = test_pairs(pairs, level=level, margin=margin)
        reason = ""
        if not pairs.n[0, 1]:
            reason = "no item of this task has a score for both"
        elif not (pairs.n[0, 1] > 1 and pairs.n_clusters[0, 1] > 1):
            reason = "one item or cluster says nothing about spread"
        row = TaskDifference(
            task=name,
            n=int(pairs.n[0, 1]),
            score_a=float(pairs.score[0, 1]),
            score_b=float(pairs.score[1, 0]),
            difference=float(pairs.difference[0, 1]),
            low=float(tested.low[0, 1]),
            high=float(tested.high[0, 1]),
            p=float(tested.p[0, 1]),
            p_holm=NAN,
            reason=reason,
        )
        rows.append((row, float(pairs.se[0, 1]), float(pairs.df[0, 1])))
    adjusted = holm(np.array([row.p for row, _, _ in rows]))
    made = [
        (replace(row, p_holm=float(p)), se, df)
        for (row, se, df), p in zip(rows, adjusted, strict=True)
    ]
    return sorted(made, key=lambda row: (math.isnan(row[0].difference), -row[0].difference))


def _variation(tasks: list[Task], alpha: float) -> TaskVariation:
    found = welch_test(
        np.array([row.difference for row, _, _ in tasks]),
        np.array([se for _, se, _ in tasks]),
        np.array([df for _, _, df in tasks]),
    )
    shown = [row.difference for row, _, _ in tasks if row.p_holm < alpha]
    return TaskVariation(
        f=found.f,
        df=found.df,
        df_within=found.df_within,
        p=found.p,
        n_tasks=found.n_means,
        left_out=len(tasks) - found.n_means,
        a_ahead=sum(difference > 0 for difference in shown),
        b_ahead=sum(difference < 0 for difference in shown),
    )


def _differing(two: ResponseMatrix) -> tuple[npt.NDArray[np.int64], int]:
    """Rows that differ, most different scores first, and how many of them have one score."""
    gap = np.abs(two.score[:, 0] - two.score[:, 1])
    gap = np.where(np.isfinite(gap), gap, 0.0)
    first, second = two.answer[:, 0], two.answer[:, 1]
    answered = (np.minimum(first, second) >= NO_ANSWER) & (np.maximum(first, second) >= 0)
    present = (two.status >= 0).all(axis=1)
    apart = present & ((gap > 0) | (answered & (first != second) & (first != -1) & (second != -1)))
    rows = np.flatnonzero(apart)
    return rows[np.argsort(-gap[rows], kind="stable")], int((gap[rows] == 0).sum())


def _item(two: ResponseMatrix, k: int) -> DifferingItem:
    def named(code: int, names: tuple[str, ...]) -> str | None:
        return names[code] if code >= 0 else None

    answers = [named(int(code), two.labels) for code in two.answer[k]]
    return DifferingItem(
        item=two.items[k],
        task=None if two.task is None else named(int(two.task[k]), two.tasks),
        answer_a=answers[0],
        answer_b=answers[1],
        target=None if two.target is None else named(int(two.target[k]), two.targets),
        score_a=float(two.score[k, 0]),
        score_b=float(two.score[k, 1]),
    )
