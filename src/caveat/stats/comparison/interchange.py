"""May one model stand for another: same score, same answers but for noise, same tasks?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import ResponseMatrix
from caveat.errors import TooFewError
from caveat.kernels.cliques import cliques
from caveat.kernels.pair_excess import chunks, joined
from caveat.kernels.pair_moments import excess_of_pairs, pair_differences
from caveat.kernels.series_means import SeriesMeans, series_means
from caveat.kernels.task_profile import TaskProfile, joined_profiles, task_profile
from caveat.results.comparison.interchange import (
    Cluster,
    Criterion,
    Interchange,
    PairVerdict,
    Verdict,
)
from caveat.stats.agreement.policy import POLICIES, Policy
from caveat.stats.comparison.codes import answer_codes, best_models, mean_scores
from caveat.stats.comparison.criteria import Judged, judge_mean, judge_spread, untested
from caveat.stats.comparison.floors import ORDER, SECOND_RUNS, Floors

Floats = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]
MOST_MODELS = 60
"""Models whose pairs are judged: as many as a heat map shows."""
_VERDICTS = ("interchangeable", "undecided", "different")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What still counts as the same.

    Attributes
    ----------
    score : float
        Difference of scores.
    excess : float
        Share of items answered differently beyond the noise floor.
    tasks : float
        Standard deviation over tasks of the difference of scores.
    disagree : float or None
        Share of items answered differently, for pairs without a noise floor.
    """

    score: float = 0.01
    excess: float = 0.05
    tasks: float = 0.05
    disagree: float | None = None

    def to_dict(self) -> dict[str, float]:
        """Return the limits by name, nan where none is stated."""
        none = float("nan")
        return {
            "score": self.score,
            "excess": self.excess,
            "tasks": self.tasks,
            "disagree": none if self.disagree is None else self.disagree,
        }


DEFAULTS = Limits()


def interchange(
    matrix: ResponseMatrix,
    floors: Sequence[Floors] = (),
    *,
    limits: Limits = DEFAULTS,
    policy: Policy = "drop",
    level: float = 0.95,
) -> Interchange:
    """Judge pairs of models by score, disagreement beyond noise, and profile over tasks.

    A criterion is met where its whole one-sided bound lies within the limit, and fails where the
    bound on the other side lies beyond it; the level of failing is shared among the criteria, so
    that two models that meet all of them are called different with at most 1 - `level`.

    Parameters
    ----------
    matrix : ResponseMatrix
        Items x models, with scores.
    floors : sequence of Floors
        Noise of single models. Two readings of one text are no second run and make no floor here.
    limits : Limits
    policy : str
        What an unreadable answer counts as.
    level : float
        In (0, 1).

    Returns
    -------
    Interchange
        For the 60 models of best score. A pair is `interchangeable` where all criteria that
        apply are met, `different` where one fails, else `undecided`. Without a floor and without
        `limits.disagree`, the criterion of disagreement stays open. A model's unknown noise lies
        between the least and the most of the known ones.

    Raises
    ------
    TooFewError
        With fewer than two models that share a scored item.

    References
    ----------
    Schuirmann (1987), https://doi.org/10.1007/BF01068419; Brown and Forsythe (1974),
    https://doi.org/10.1080/00401706.1974.10489158; Rao (1982),
    https://doi.org/10.1016/0040-5809(82)90004-1.
    """
    _validate.choice("policy", policy, POLICIES)
    _validate.probability("level", level)
    for name, value in (("score", limits.score), ("excess", limits.excess)):
        _validate.probability(f"limits.{name}", value)
    chosen = best_models(matrix, most=MOST_MODELS)
    one, other = np.triu_indices(chosen.size, k=1)
    usable = [found for found in floors if found.source in SECOND_RUNS]
    desk = _Desk(
        matrix=matrix,
        chosen=chosen,
        one=one,
        other=other,
        cluster=item_clusters(matrix),
        floor=min(usable, key=lambda found: ORDER.index(found.source), default=None),
        limits=limits,
        policy=policy,
        level=level,
    )
    means, profile = _differences(desk)
    if not (means.n > 0).any():
        raise TooFewError(
            f"scored items of {matrix.benchmark} that two models share", got=0, need=1
        )
    disagree = _disagreement(desk)
    judged = (
        judge_mean(
            "score", means, limit=limits.score, level=level, tested=desk.tested, sides="both"
        ),
        _judge_disagreement(desk, disagree),
        untested("tasks", one.size, limit=limits.tasks, why="the source names no two tasks")
        if profile is None
        else judge_spread(profile, means, limit=limits.tasks, level=level, tested=desk.tested),
    )
    pairs = _verdicts(desk, means, disagree, judged)
    return Interchange(
        pairs=pairs,
        clusters=_clusters(desk, pairs, chosen),
        counts={name: sum(pair.verdict == name for pair in pairs) for name in _VERDICTS},
        floor=desk.floor.source if desk.floor else "",
        considered=int(chosen.size),
        n_models=len(matrix.models),
        limits=limits.to_dict(),
        tasks=len(matrix.tasks),
        level=level,
        settings={
            "policy": policy,
            "errors": "independent items" if desk.cluster is None else "clustered",
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Desk:
    """What is compared, and how."""

    matrix: ResponseMatrix
    chosen: Index
    one: Index
    other: Index
    cluster: Index | None
    floor: Floors | None
    limits: Limits
    policy: Policy
    level: float

    @property
    def tested(self) -> int:
        """Criteria that can fail."""
        disagreement = self.matrix.has_answers and (
            self.floor is not None or self.limits.disagree is not None
        )
        return 1 + int(disagreement) + int(len(self.matrix.tasks) > 1)


def _differences(desk: _Desk) -> tuple[SeriesMeans, TaskProfile | None]:
    """Differences of scores of all pairs, and how they vary over tasks."""
    matrix = desk.matrix
    task = matrix.task if len(matrix.tasks) > 1 else None
    score = matrix.score[:, desk.chosen]
    if desk.cluster is None:
        quick = pair_differences(
            score, first=desk.one, second=desk.other, task=task, n_tasks=len(matrix.tasks)
        )
        return quick.means, quick.profile
    means, profiles = [], []
    for part in chunks(desk.one.size, len(matrix.items)):
        values = score[:, desk.one[part]] - score[:, desk.other[part]]
        means.append(series_means(values, cluster=desk.cluster))
        if task is not None:
            rows, own = _units(values, task, desk.cluster)
            profiles.append(task_profile(rows, own, n_tasks=len(matrix.tasks)))
    if not means:
        means = [series_means(np.zeros((1, 0)), cluster=None)]
    return joined(means), joined_profiles(profiles) if profiles else None


def _units(values: Floats, task: npt.NDArray[np.int32], cluster: Index) -> tuple[Floats, Index]:
    """Independent rows within tasks: means of a cluster's items in a task."""
    known = np.flatnonzero(task >= 0)
    key, unit = np.unique(
        task[known].astype(np.int64) * (cluster.max(initial=0) + 1) + cluster[known],
        return_inverse=True,
    )
    order = np.argsort(unit, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(unit[order]) != 0])
    rows = values[known][order]
    n = np.add.reduceat((~np.isnan(rows)).astype(np.float64), starts, axis=0)
    total = np.add.reduceat(np.nan_to_num(rows), starts, axis=0)
    with np.errstate(invalid="ignore"):
        return total / np.where(n > 0, n, np.nan), key // (cluster.max(initial=0) + 1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Disagreement:
    """Disagreement of each pair, and what is judged of it; None where there is nothing to judge."""

    share: Floats
    least: SeriesMeans | None
    most: SeriesMeans | None


def _disagreement(desk: _Desk) -> _Disagreement:
    """Compare answers; beyond the floor, that of the least and of the most noise where borrowed."""
    if not desk.matrix.has_answers:
        return _Disagreement(share=np.full(desk.one.size, np.nan), least=None, most=None)
    codes = answer_codes(desk.matrix, desk.policy)[:, desk.chosen]
    floor = desk.floor
    if floor is None:  # nothing is taken off
        noise = [np.zeros(codes.shape)]
    elif floor.known[desk.chosen].all():
        noise = [floor.filled(desk.chosen)]
    else:
        noise = [floor.filled(desk.chosen, how) for how in ("least", "most")]
    found = [
        excess_of_pairs(codes, one, first=desk.one, second=desk.other, cluster=desk.cluster)
        for one in noise
    ]
    # Against the least noise the excess is largest: what is within the limit then is beyond doubt.
    return _Disagreement(share=found[0].disagree, least=found[0].excess, most=found[-1].excess)


def _judge_disagreement(desk: _Desk, found: _Disagreement) -> Judged:
    limit = desk.limits.excess
    if found.least is None or found.most is None:
        why = "the source has no answers, only scores"
        return untested("disagreement", desk.one.size, limit=limit, why=why)
    stated = desk.limits.disagree
    if desk.floor is None:
        limit = float("nan") if stated is None else stated
    largest, smallest = (
        judge_mean(
            "disagreement", one, limit=limit, level=desk.level, tested=desk.tested, sides="above"
        )
        for one in (found.least, found.most)
    )
    nothing = desk.floor is None and stated is None
    return replace(
        largest,
        low=smallest.low,
        failed=smallest.failed,
        open_because="no noise floor is known and no largest disagreement was stated"
        if nothing
        else "",
    )


def _verdicts(
    desk: _Desk, means: SeriesMeans, disagree: _Disagreement, judged: Sequence[Judged]
) -> tuple[PairVerdict, ...]:
    low, high = means.bounds(2.0 * desk.level - 1.0)
    equal = np.maximum(np.abs(low), np.abs(high))
    group = np.arange(len(desk.matrix.models)) if desk.floor is None else desk.floor.group
    pairs = []
    for k in np.flatnonzero(means.n > 0).tolist():
        a, b = int(desk.chosen[desk.one[k]]), int(desk.chosen[desk.other[k]])
        same = bool(group[a] == group[b])
        criteria = tuple(_itself(one.at(k)) if same else one.at(k) for one in judged)
        pairs.append(
            PairVerdict(
                a=desk.matrix.models[a],
                b=desk.matrix.models[b],
                verdict=_verdict(criteria),
                n=int(means.n[k]),
                disagree=float(disagree.share[k]),
                equal_within=float(equal[k]),
                same_weights=same,
                criteria=criteria,
                items=_items(criteria),
            )
        )
    return tuple(sorted(pairs, key=_nearness))


def _itself(criterion: Criterion) -> Criterion:
    """Two names of one model make the floor: they cannot be beyond it."""
    if criterion.name != "disagreement":
        return criterion
    return replace(
        criterion, state="met", items=None, reason="one model under two names makes the floor"
    )


def _nearness(pair: PairVerdict) -> tuple[int, float, float, str, str]:
    near = (pair.equal_within, pair.disagree)
    known = tuple(value if value == value else 2.0 for value in near)
    return (_VERDICTS.index(pair.verdict), known[0], known[1], pair.a, pair.b)


def _verdict(criteria: Sequence[Criterion]) -> Verdict:
    states = {one.state for one in criteria}
    if "failed" in states:
        return "different"
    if "open" in states or criteria[1].state == "untested":
        return "undecided"
    return "interchangeable"


def _items(criteria: Sequence[Criterion]) -> int | None:
    """Items that would decide all that is open."""
    left = [one for one in criteria if one.state == "open"]
    needed = [one.items for one in left if one.items is not None]
    failed = any(one.state == "failed" for one in criteria)
    return max(needed) if needed and len(needed) == len(left) and not failed else None


def _clusters(desk: _Desk, pairs: Sequence[PairVerdict], chosen: Index) -> tuple[Cluster, ...]:
    """Cliques of interchangeable models, whatever order the models came in."""
    matrix = desk.matrix
    names = [matrix.models[j] for j in chosen]
    place = {name: k for k, name in enumerate(sorted(names))}
    together = np.zeros((len(names), len(names)), dtype=bool)
    distance = np.full(together.shape, np.nan)
    for pair in pairs:
        i, j = place[pair.a], place[pair.b]
        together[i, j] = together[j, i] = pair.verdict == "interchangeable"
        distance[i, j] = distance[j, i] = pair.disagree
    ordered = sorted(names)
    score = dict(zip(matrix.models, np.nan_to_num(mean_scores(matrix), nan=-1.0), strict=True))
    return tuple(
        Cluster(
            models=tuple(sorted((ordered[k] for k in group), key=lambda m: (-score[m], m))),
            most_disagree=float(np.nanmax(distance[np.ix_(group, group)])),
        )
        for group in cliques(together, distance)
    )
