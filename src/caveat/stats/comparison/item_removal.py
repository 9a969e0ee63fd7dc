"""How few items carry the order of models whose score is a mean."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import ResponseMatrix
from caveat.errors import InputError, TooFewError
from caveat.kernels.cluster_sums import cluster_rows
from caveat.kernels.unit_removals import NONE, fewest_units
from caveat.results.comparison.item_removal import ItemRemoval, OrderFlip, Rivalry
from caveat.stats.comparison.order_flips import (
    Groups,
    PairItems,
    by_groups,
    by_items,
    by_task_means,
    verdict_flip,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.integer]

RIVALS = 10
"""Rivals of the leader that are told one by one."""
_BLOCK = 64  # columns sorted at once
_SEARCHED = 60  # rivals whose items are searched where scores are means over tasks


def item_removal(
    matrix: ResponseMatrix,
    *,
    pairs: Sequence[tuple[str, str]] = (),
    level: float = 0.95,
    rivals: int = RIVALS,
) -> ItemRemoval:
    """Find the fewest items, tasks and clusters whose removal changes an order or a verdict.

    The leader is the model with the highest mean over its own items; it is held against each rival
    on the items both have a score on, and first place falls when any rival comes to stand above.

    Parameters
    ----------
    matrix : ResponseMatrix
    pairs : sequence of pairs of str
        Models to look at beside the leader and its rivals.
    level : float
        One minus the level of the paired tests, in (0, 1).
    rivals : int
        How many rivals of the leader are told one by one, those closest to it.

    Returns
    -------
    ItemRemoval

    Raises
    ------
    TooFewError
        With fewer than two models that have a score, or no rival that shares an item.
    InputError
        When a pair names a model that is not there, or one twice.

    References
    ----------
    Broderick, Giordano and Meager (2020), https://arxiv.org/abs/2011.14999: the question. For a
    mean the answer is exact; see docs/methods/drop-items.md.
    """
    _validate.probability("level", level)
    desk = _Desk.of(matrix, alpha=1.0 - level)
    asked = [desk.indexed(a, b) for a, b in pairs]
    leader = desk.leader(_means(matrix.score))
    met = desk.met(leader)
    gap = desk.gaps(leader, met)
    closest = met[np.argsort(gap, kind="stable")]
    leaders = {"items": matrix.models[leader]}
    first = [_first_place(desk, leader, closest, unit) for unit in (None, *desk.groups)]
    if desk.tasks is not None:
        by_task = desk.leader(desk.task_means(desk.tasks))
        leaders["tasks"] = matrix.models[by_task]
        first += _first_by_tasks(desk, desk.tasks, by_task)
    unlike = np.setdiff1d(_scored(matrix.score), [leader, *met])
    return ItemRemoval(
        benchmark=matrix.benchmark,
        n_models=len(matrix.models),
        n_items=len(matrix.items),
        leaders=leaders,
        first=tuple(first),
        rivals=tuple(_rivalry(desk, leader, int(j)) for j in closest[:rivals]),
        n_rivals=int(met.size),
        pairs=tuple(_asked(desk, i, j) for i, j in asked),
        alpha=desk.alpha,
        unlike=tuple(matrix.models[int(j)] for j in unlike),
        reasons=desk.reasons(),
    )


def _scored(score: Floats) -> Ints:
    return np.flatnonzero(np.isfinite(score).any(axis=0))


def _means(score: Floats) -> Floats:
    known = np.isfinite(score)
    n = known.sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, score, 0.0).sum(axis=0) / np.where(n > 0, n, np.nan))


@dataclass(frozen=True, slots=True, eq=False)
class _Desk:
    """The matrix and its groups of items, where two are named."""

    matrix: ResponseMatrix
    tasks: Groups | None
    clusters: Groups | None
    alpha: float

    @classmethod
    def of(cls, matrix: ResponseMatrix, *, alpha: float) -> "_Desk":
        tasks = clusters = None
        if matrix.task is not None and np.unique(matrix.task).size > 1:
            tasks = Groups("tasks", matrix.task, matrix.tasks)
        code = item_clusters(matrix)
        if code is not None and np.unique(code).size > 1:
            clusters = Groups("clusters", code, ())
        return cls(matrix, tasks, clusters, alpha)

    @property
    def groups(self) -> tuple[Groups, ...]:
        """What items can be put together to."""
        return tuple(g for g in (self.tasks, self.clusters) if g is not None)

    def reasons(self) -> dict[str, str]:
        """Why a unit is not there."""
        missing = {"tasks": self.tasks, "clusters": self.clusters}
        return {
            name: f"the responses name no two {name}, or every item is one of its own"
            for name, groups in missing.items()
            if groups is None
        }

    def indexed(self, a: str, b: str) -> tuple[int, int]:
        """Find two models by name."""
        models = self.matrix.models
        for name in (a, b):
            if name not in models:
                raise InputError(f"pairs must name models of the responses, got {name!r}")
        if a == b:
            raise InputError(f"pairs must name two models, got {a!r} twice")
        return models.index(a), models.index(b)

    def leader(self, means: Floats) -> int:
        """Model with the highest mean; of equal ones the first by name."""
        scored = np.flatnonzero(np.isfinite(means))
        if scored.size < 2:
            raise TooFewError("models with a score", got=int(scored.size), need=2)
        return int(min(scored, key=lambda k: (-round(float(means[k]), 12), self.matrix.models[k])))

    def met(self, leader: int) -> Ints:
        """Models that share an item with the leader."""
        known = np.isfinite(self.matrix.score)
        met: Ints = np.flatnonzero((known & known[:, [leader]]).any(axis=0))
        met = np.setdiff1d(met, [leader])
        if not met.size:
            raise TooFewError("rivals that share an item with the leader", got=0, need=1)
        return met

    def blocks(self, leader: int, others: Codes) -> Iterator[tuple[slice, Floats]]:
        """Differences to the others, some columns at a time."""
        for start in range(0, others.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            yield part, self.matrix.score[:, [leader]] - self.matrix.score[:, others[part]]

    def gaps(self, leader: int, others: Codes) -> Floats:
        """Mean difference to each of the others on the items shared."""
        made = np.empty(others.size)
        for part, difference in self.blocks(leader, others):
            made[part] = _means(difference)
        return made

    def task_means(self, tasks: Groups) -> Floats:
        """Mean over task means; nan for a model without a score in some task that others have."""
        means = _group_means(self.matrix.score, tasks)
        whole = np.isfinite(means).sum(axis=0)
        return np.where(whole == whole.max(), _means(means), np.nan)


def _group_means(difference: Floats, groups: Groups) -> Floats:
    held = cluster_rows(groups.code)
    known = np.isfinite(difference)
    n = np.asarray(held.sums(known.astype(np.float64)))
    with np.errstate(invalid="ignore"):
        return np.asarray(held.sums(np.where(known, difference, 0.0)) / np.where(n > 0, n, np.nan))


def _first_place(desk: _Desk, leader: int, rivals: Ints, groups: Groups | None) -> OrderFlip:
    """Fewest units over all rivals, the closest first; of equal ones the closer."""
    numbers = np.empty(rivals.size, dtype=np.int64)
    for part, difference in desk.blocks(leader, rivals):
        known = np.isfinite(difference)
        value = np.where(known, difference, 0.0)
        if groups is not None:
            held = cluster_rows(groups.code)
            value = np.asarray(held.sums(value))
            known = np.asarray(held.sums(known.astype(np.int64))) > 0
        numbers[part] = fewest_units(value, present=known).turned
    pair = PairItems.of(desk.matrix, leader, int(rivals[_least(numbers)]))
    return by_items(pair, desk.tasks) if groups is None else by_groups(pair, groups)


def _least(numbers: Ints) -> int:
    """Place of the smallest number; the first place where nothing does it."""
    return int(np.where(numbers == NONE, np.iinfo(np.int64).max, numbers).argmin())


def _first_by_tasks(desk: _Desk, tasks: Groups, leader: int) -> list[OrderFlip]:
    """First place where a score is the mean over tasks: single items, and whole tasks."""
    rivals = desk.met(leader)
    means = np.concatenate([_group_means(d, tasks) for _, d in desk.blocks(leader, rivals)], axis=1)
    order = np.argsort(_means(means), kind="stable")
    known = np.isfinite(means)
    whole = fewest_units(np.where(known, means, 0.0), present=known).turned[order]
    weakest = PairItems.of(desk.matrix, leader, int(rivals[order[_least(whole)]]))
    closest = [PairItems.of(desk.matrix, leader, int(j)) for j in rivals[order[:_SEARCHED]]]
    best = by_task_means(closest[0], tasks)
    for pair in closest[1:]:
        flip = by_task_means(pair, tasks, limit=best.number)
        if flip.number is not None:
            best = flip
    if rivals.size > _SEARCHED and best.exact:
        best = best.bounded()
    return [best, by_groups(weakest, tasks, mean="tasks")]


def _rivalry(desk: _Desk, above: int, below: int) -> Rivalry:
    pair = PairItems.of(desk.matrix, above, below)
    flips = [by_items(pair, desk.tasks), *(by_groups(pair, groups) for groups in desk.groups)]
    if desk.tasks is not None:
        flips += [by_task_means(pair, desk.tasks), by_groups(pair, desk.tasks, mean="tasks")]
    verdict = verdict_flip(pair, alpha=desk.alpha)
    return Rivalry(a=pair.names[0], b=pair.names[1], flips=tuple(flips), verdict=verdict)


def _asked(desk: _Desk, i: int, j: int) -> Rivalry:
    """Look at a pair, the model above first."""
    names = desk.matrix.models
    difference = PairItems.of(desk.matrix, i, j).difference
    if not difference.size:
        return Rivalry(a=names[i], b=names[j], flips=(), reason="no item has a score of both")
    lead = round(float(difference.sum()), 9)
    swap = lead < 0 or (lead == 0 and names[j] < names[i])
    return _rivalry(desk, j, i) if swap else _rivalry(desk, i, j)
