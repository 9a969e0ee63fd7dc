"""Disagreement of models of equal score, over policies, tasks and groups."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import NO_ANSWER, ResponseMatrix
from caveat.kernels.pair_kappas import Adjusted, PairKappas, pair_kappas
from caveat.kernels.policy_shares import PolicyShares, policy_shares
from caveat.kernels.task_shares import TaskShares, task_shares
from caveat.results.agreement import Agreement
from caveat.results.comparison.disagreement import (
    Disagreement,
    PairErrors,
    PairRow,
    PolicyRange,
    TaskRange,
)
from caveat.results.comparison.group_agreement import Bounded, GroupAgreement
from caveat.stats.agreement.coded import Coded, coded
from caveat.stats.agreement.groups import agreement_of_groups
from caveat.stats.agreement.pairs import MAX_LABELS
from caveat.stats.agreement.policy import POLICIES
from caveat.stats.comparison.matched_pairs import Matched, matched_pairs

Floats = npt.NDArray[np.float64]
MIN_ITEMS = 30
MIN_TASK_ITEMS = 10
MIN_SHARED = 100
"""Common items of the pairs whose errors are compared: fewer say little of CAPA."""
JUDGED = 500
"""Pairs looked at by task; where there are more, those of highest score."""
LISTED = 100
ALIKE = 10
GROUPS = 30


def disagreement(
    matrix: ResponseMatrix,
    compared: Agreement,
    *,
    groups: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    points: float = 0.05,
) -> Disagreement:
    """Say how much models of equal score disagree, and on what.

    Parameters
    ----------
    matrix : ResponseMatrix
        Items x models, with predictions.
    compared : Agreement
        All pairs of `matrix`; its policy and level are used.
    groups : mapping of str to mapping of str to sequence of str
        Models by kind and name of the group, such as `{"family": {"llama": [...]}}`; all models
        are a group in any case. Groups of one model are passed over, and those of fewest models
        where there are more than 30.
    points : float
        Pairs are matched when their scores on common items are at most so far apart.

    Returns
    -------
    Disagreement

    References
    ----------
    "Benchmark Illusion" (2026), https://arxiv.org/abs/2602.11898.
    """
    given = coded(matrix, compared.policy)  # type: ignore[arg-type] # a policy, by its maker
    matched = matched_pairs(matrix, compared, points=points, min_items=MIN_ITEMS)
    pairs = matched if matched.first.size else _every(compared)
    by_policy = policy_shares(matrix.answer, _same(matrix, compared))
    judged = _judged(pairs, compared)
    by_task = _by_task(matrix, given, judged)
    reasons = {"matched": matched.reason} if matched.reason else {}
    if matrix.task is None:
        reasons["tasks"] = "the source names no tasks"
    if given.why_not:
        reasons["shared"] = given.why_not
    upper = np.triu_indices(len(matrix.models), k=1)
    return Disagreement(
        benchmark=matrix.benchmark,
        policy=compared.policy,
        level=compared.level,
        points=points,
        min_items=MIN_ITEMS,
        min_task_items=MIN_TASK_ITEMS,
        n_pairs=int((compared.n[upper] > 0).sum()),
        n_matched=matched.first.size,
        over="matched" if matched.first.size else "all",
        n_judged=judged.first.size,
        policies=tuple(_policy_range(policy, by_policy, pairs, matrix) for policy in POLICIES),
        tasks=_task_ranges(matrix, by_task),
        pairs=_listed(matrix, given, compared, judged, by_policy=by_policy, by_task=by_task),
        groups=_groups(matrix, compared, groups or {}),
        shared=None if given.why_not else _shared(matrix, given, compared, by_policy),
        reasons=reasons,
    )


def _same(matrix: ResponseMatrix, compared: Agreement) -> Floats:
    """Items with the same readable answer, whatever the policy of the comparison."""
    shares = np.where(compared.n > 0, compared.disagree, 1.0)
    same: Floats = np.rint(compared.n * (1.0 - shares))
    if compared.policy == "as-option":
        layer = np.ascontiguousarray((matrix.answer == NO_ANSWER).T, dtype=np.float32)
        same -= layer @ layer.T
    return same


def _every(compared: Agreement) -> Matched:
    first, second = np.triu_indices(len(compared.models), k=1)
    there = compared.n[first, second] > 0
    return Matched(first[there], second[there])


def _judged(pairs: Matched, compared: Agreement) -> Matched:
    if pairs.first.size <= JUDGED:
        return pairs
    score = np.nan_to_num(compared.common_score + compared.common_score.T)
    best = np.argsort(-pairs.of(score), kind="stable")[:JUDGED]
    return pairs.only(np.sort(best))


def _policy_range(
    policy: str, by_policy: PolicyShares, pairs: Matched, matrix: ResponseMatrix
) -> PolicyRange:
    share, n = pairs.of(by_policy.disagree[policy]), pairs.of(by_policy.n[policy])
    known = np.flatnonzero(np.isfinite(share))
    if not known.size:
        nan = float("nan")
        return PolicyRange(
            policy=policy,
            n_pairs=0,
            lowest=nan,
            median=nan,
            highest=nan,
            lowest_pair=(),
            highest_pair=(),
            fewest=0,
            most=0,
        )
    low, high = known[np.argmin(share[known])], known[np.argmax(share[known])]

    def names(k: np.intp) -> tuple[str, ...]:
        return matrix.models[pairs.first[k]], matrix.models[pairs.second[k]]

    return PolicyRange(
        policy=policy,
        n_pairs=known.size,
        lowest=float(share[low]),
        median=float(np.median(share[known])),
        highest=float(share[high]),
        lowest_pair=names(low),
        highest_pair=names(high),
        fewest=int(n[known].min()),
        most=int(n[known].max()),
    )


def _by_task(matrix: ResponseMatrix, given: Coded, judged: Matched) -> TaskShares:
    task = np.full(len(matrix.items), -1) if matrix.task is None else matrix.task
    return task_shares(
        given.answers, task, len(matrix.tasks), first=judged.first, second=judged.second
    )


def _task_ranges(matrix: ResponseMatrix, by_task: TaskShares) -> tuple[TaskRange, ...]:
    if matrix.task is None or not by_task.n.shape[1]:
        return ()
    shares = by_task.shares(min_items=MIN_TASK_ITEMS)
    differ, n = by_task.differ.sum(axis=1), by_task.n.sum(axis=1)
    found = []
    for code, name in enumerate(matrix.tasks):
        known = shares[code][np.isfinite(shares[code])]
        low, middle, high = (
            (known.min(), np.median(known), known.max()) if known.size else (np.nan,) * 3
        )
        found.append(
            TaskRange(
                task=name,
                n_items=int((matrix.task == code).sum()),
                n_pairs=known.size,
                lowest=float(low),
                median=float(middle),
                highest=float(high),
                share=float(differ[code] / differ.sum()) if differ.sum() else float("nan"),
                share_items=float(n[code] / n.sum()) if n.sum() else float("nan"),
            )
        )
    return tuple(sorted(found, key=lambda one: (np.isnan(one.median), -one.median, one.task)))


def _listed(
    matrix: ResponseMatrix,
    given: Coded,
    compared: Agreement,
    judged: Matched,
    *,
    by_policy: PolicyShares,
    by_task: TaskShares,
) -> tuple[PairRow, ...]:
    """Return the pairs that disagree most."""
    share = judged.of(compared.disagree)
    most = np.argsort(-share, kind="stable")[: min(LISTED, int(np.isfinite(share).sum()))]
    shares = by_task.shares(min_items=MIN_TASK_ITEMS)[:, most]
    return _rows(matrix, given, compared, judged.only(most), by_policy=by_policy, tasks=shares)


def _rows(
    matrix: ResponseMatrix,
    given: Coded,
    compared: Agreement,
    pairs: Matched,
    *,
    by_policy: PolicyShares,
    tasks: Floats | None = None,
) -> tuple[PairRow, ...]:
    kappas = _kappas(matrix, given, compared, pairs)
    known = given.known_pairs()
    return tuple(
        PairRow(
            a=matrix.models[i],
            b=matrix.models[j],
            n=int(compared.n[i, j]),
            score_a=float(compared.common_score[i, j]),
            score_b=float(compared.common_score[j, i]),
            right_a=float(compared.pair_score[i, j]),
            right_b=float(compared.pair_score[j, i]),
            **{name: float(getattr(compared, name)[i, j]) for name in _FIGURES},
            kappa=_bounded(kappas.kappa, k, known=given.n_labels <= MAX_LABELS),
            capa=_bounded(kappas.capa, k, known=bool(known[i, j])),
            error_consistency=_bounded(kappas.error_consistency, k, known=bool(known[i, j])),
            policies={policy: float(by_policy.disagree[policy][i, j]) for policy in POLICIES},
            tasks={}
            if tasks is None
            else dict(zip(matrix.tasks, tasks[:, k].tolist(), strict=True)),
        )
        for k, (i, j) in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    )


_FIGURES = (
    "disagree",
    "low",
    "high",
    "feasible_low",
    "feasible_high",
    "position",
    "one_right",
    "both_wrong",
    "same_wrong",
)


def _kappas(
    matrix: ResponseMatrix, given: Coded, compared: Agreement, pairs: Matched
) -> PairKappas:
    return pair_kappas(
        given.answers,
        given.correct,
        first=pairs.first,
        second=pairs.second,
        n_labels=given.n_labels if given.n_labels <= MAX_LABELS else 0,
        n_options=matrix.n_options,
        cluster=item_clusters(matrix),
        level=compared.level,
    )


def _bounded(found: Adjusted, k: int, *, known: bool) -> Bounded:
    if not known:
        return Bounded(value=float("nan"), low=float("nan"), high=float("nan"))
    return Bounded(value=float(found.value[k]), low=float(found.low[k]), high=float(found.high[k]))


def _groups(
    matrix: ResponseMatrix,
    compared: Agreement,
    groups: Mapping[str, Mapping[str, Sequence[str]]],
) -> tuple[GroupAgreement, ...]:
    there = set(matrix.models)
    wanted: list[tuple[str, str, Sequence[str]]] = [("all", "all models", matrix.models)]
    for kind, named in groups.items():
        for name, models in named.items():
            kept = [model for model in dict.fromkeys(models) if model in there]
            if 1 < len(kept) < len(matrix.models):
                wanted.append((kind, name, kept))
    largest = sorted(wanted[1:], key=lambda one: -len(one[2]))[:GROUPS]
    return agreement_of_groups(
        matrix,
        [wanted[0], *(one for one in wanted[1:] if one in largest)],
        policy=compared.policy,  # type: ignore[arg-type] # a policy, by its maker
        level=compared.level,
    )


def _shared(
    matrix: ResponseMatrix, given: Coded, compared: Agreement, by_policy: PolicyShares
) -> PairErrors | None:
    first, second = np.triu_indices(len(matrix.models), k=1)
    enough = compared.n[first, second] >= MIN_SHARED
    every = Matched(first[enough], second[enough])
    if not every.first.size:
        return None
    capa, consistent = every.of(compared.capa), every.of(compared.error_consistency)
    ranked = capa if np.isfinite(capa).any() else consistent
    most = np.argsort(-ranked, kind="stable")[: min(ALIKE, int(np.isfinite(ranked).sum()))]
    wrong = every.of(compared.both_wrong)
    with np.errstate(invalid="ignore", divide="ignore"):
        alike = np.where(wrong > 0, every.of(compared.same_wrong) / wrong, np.nan)
    options = matrix.n_options[matrix.n_options >= 2.0]
    return PairErrors(
        n_pairs=every.first.size,
        min_items=MIN_SHARED,
        capa=_spread(capa),
        error_consistency=_spread(consistent),
        same_when_wrong=_spread(alike)[1],
        same_by_chance=float((1.0 / (options - 1.0)).mean()) if options.size else float("nan"),
        most_alike=_rows(matrix, given, compared, every.only(most), by_policy=by_policy),
    )


def _spread(values: Floats) -> tuple[float, float, float]:
    """Lowest, median and highest of what is defined."""
    known = values[np.isfinite(values)]
    if not known.size:
        return (float("nan"),) * 3
    return float(known.min()), float(np.median(known)), float(known.max())
