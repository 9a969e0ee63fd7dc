"""What it takes to turn the order of two models round, from the items both have a score on."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from caveat.data.matrix import ResponseMatrix
from caveat.kernels.cluster_sums import cluster_rows
from caveat.kernels.task_mean_removals import fewest_by_task
from caveat.kernels.unit_removals import NONE, fewest_units, largest_first, worth_as_much
from caveat.kernels.verdict_removals import fewest_for_verdict
from caveat.results.comparison.item_removal import Mean, OrderFlip, Unit, VerdictFlip

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.integer]

NAMED = 50
"""Units named one by one."""
_ONE_IN_20 = float(ndtri(0.95))
_TWO_SIDED = float(ndtri(0.975))


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Items put together: tasks or clusters.

    Attributes
    ----------
    unit : str
    code : int array, shape (items,)
        Of the whole benchmark.
    names : tuple of str
        By code; empty where groups have no names but that of their first item.
    """

    unit: Unit
    code: Codes
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PairItems:
    """Two models on the items both have a score on.

    Attributes
    ----------
    matrix : ResponseMatrix
    above, below : int
    rows : int array, shape (n,)
        Items of the matrix.
    difference : float array, shape (n,)
    """

    matrix: ResponseMatrix
    above: int
    below: int
    rows: Ints
    difference: Floats

    @classmethod
    def of(cls, matrix: ResponseMatrix, above: int, below: int) -> "PairItems":
        """Take the items that both have."""
        difference = matrix.score[:, above] - matrix.score[:, below]
        rows = np.flatnonzero(np.isfinite(difference))
        return cls(matrix, above, below, rows, difference[rows])

    @property
    def names(self) -> tuple[str, str]:
        """The two models."""
        return self.matrix.models[self.above], self.matrix.models[self.below]


def by_items(pair: PairItems, groups: Groups | None) -> OrderFlip:
    """Mean over items, single items go."""
    d = pair.difference
    return _flip(pair, "items", "items", d, pair.rows, groups)


def by_groups(pair: PairItems, groups: Groups, *, mean: Mean = "items") -> OrderFlip:
    """Whole tasks or clusters go; the score is a mean over items, or over the means of tasks."""
    held = cluster_rows(groups.code[pair.rows])
    codes = groups.code[pair.rows][held.order][held.starts]
    sums = np.asarray(held.sums(pair.difference), dtype=np.float64)
    if mean == "tasks":
        sums = sums / np.diff(np.r_[held.starts, held.order.size])
    return _flip(pair, groups.unit, mean, sums, codes, groups)


def by_task_means(pair: PairItems, tasks: Groups, *, limit: int | None = None) -> OrderFlip:
    """Mean over the means of tasks, single items go; every task keeps an item."""
    d, code = pair.difference, tasks.code[pair.rows]
    found = fewest_by_task(d, code, limit=limit)
    held = cluster_rows(code)
    sizes = np.diff(np.r_[held.starts, held.order.size])
    means = np.asarray(held.sums(d), dtype=np.float64) / sizes
    gone = found.items[np.argsort(-d[found.items], kind="stable")]
    number = None if found.number == NONE else found.number
    return OrderFlip(
        unit="items",
        mean="tasks",
        above=pair.names[0],
        below=pair.names[1],
        n_items=d.size,
        of=d.size,
        difference=float(means.mean()),
        number=number,
        level=None,
        exact=found.number == found.at_least,
        at_least=None if number is None else found.at_least,
        share=math.nan if number is None else number / d.size,
        removed=tuple(pair.matrix.items[k] for k in pair.rows[gone[:NAMED]]),
        tasks=_tasks(tasks, pair.rows[gone]),
    )


def _flip(
    pair: PairItems, unit: Unit, mean: Mean, worth: Floats, of: Codes, groups: Groups | None
) -> OrderFlip:
    found = fewest_units(worth[:, None])
    number, level = int(found.turned[0]), int(found.level[0])
    gone = largest_first(worth)[: max(number, 0)]
    lead = float(worth.sum())
    return OrderFlip(
        unit=unit,
        mean=mean,
        above=pair.names[0],
        below=pair.names[1],
        n_items=pair.difference.size,
        of=worth.size,
        difference=lead / (worth.size if mean == "tasks" else pair.difference.size),
        number=None if number == NONE else number,
        level=None if level == NONE else level,
        exact=True,
        at_least=None if number == NONE else number,
        share=math.nan if number == NONE else number / worth.size,
        equal=_equal(worth),
        at_random=_at_random(worth),
        pool=worth_as_much(worth, max(number, 0)),
        removed=_named(pair, unit, of[gone[:NAMED]], groups),
        tasks=_tasks(groups, of[gone]) if unit == "items" and groups is not None else (),
    )


def _equal(worth: Floats) -> int | None:
    """Count the units that a lead of `_TWO_SIDED` errors of equal models would take."""
    lead = _TWO_SIDED * math.sqrt(float(worth @ worth))
    past = np.cumsum(-np.sort(-worth)) > lead
    return int(past.argmax()) + 1 if past.any() else None


def _at_random(worth: Floats) -> int | None:
    """Count the units whose random removal turns the order one time in 20.

    What is left of n units, a share f of them, has a mean z sqrt(f / (1 - f)) errors above zero.
    """
    n, lead = worth.size, float(worth.sum())
    spread = float(((worth - worth.mean()) ** 2).sum()) * n / max(n - 1, 1)
    if lead <= 0 or not spread or not (worth < 0).any():
        return None
    z2 = lead**2 / spread
    return min(math.ceil(n * z2 / (z2 + _ONE_IN_20**2)), n - 1)


def _named(pair: PairItems, unit: Unit, codes: Codes, groups: Groups | None) -> tuple[str, ...]:
    if groups is None or unit == "items":
        return tuple(pair.matrix.items[k] for k in codes)
    if unit == "tasks":
        return tuple(groups.names[k] if k >= 0 else "" for k in codes)
    first = {int(c): int(k) for k, c in reversed(list(enumerate(groups.code)))}
    return tuple(f"cluster of {pair.matrix.items[first[int(c)]]}" for c in codes)


def _tasks(tasks: Groups | None, rows: Codes) -> tuple[tuple[str, int], ...]:
    if tasks is None or tasks.unit != "tasks":
        return ()
    code, number = np.unique(tasks.code[rows], return_counts=True)
    order = np.argsort(-number, kind="stable")
    return tuple((tasks.names[code[k]] if code[k] >= 0 else "", int(number[k])) for k in order)


def verdict_flip(pair: PairItems, *, alpha: float) -> VerdictFlip:
    """Find what changes the verdict of the paired test over single items."""
    found = fewest_for_verdict(pair.difference, alpha=alpha)
    number = None if found.number == NONE else found.number
    reason = ""
    if math.isnan(found.p):
        reason = "fewer than two items, or all differences equal"
    elif number is None:
        reason = "the test could not speak on the items that would be left"
    return VerdictFlip(
        above=pair.names[0],
        below=pair.names[1],
        test="mcnemar" if found.binary else "t",
        alpha=alpha,
        p=found.p,
        significant=found.significant,
        number=number,
        at_least=None if number is None else found.at_least,
        share=math.nan if number is None else number / pair.difference.size,
        removed=tuple(pair.matrix.items[k] for k in pair.rows[found.items[:NAMED]]),
        reason=reason,
    )
