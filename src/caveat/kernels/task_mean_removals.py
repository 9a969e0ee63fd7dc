"""The fewest items without which a lead is gone, where a score is the mean over tasks.

The lead is the mean of f_t over tasks, f_t the mean difference within task t. Within a task the r
largest differences are the best r to remove, whatever happens elsewhere; so the fewest items are
those of the best split of k over tasks, sum f_t(r_t) with sum r_t = k, which dynamic programming
finds exactly. Every task keeps an item.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from caveat.kernels.unit_removals import NONE, ROUNDING

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

STEPS = 6_000
"""Rows of the dynamic programme beyond which the bound stands."""


@dataclass(frozen=True, slots=True, eq=False)
class TaskMeanRemoval:
    """What has to go.

    Attributes
    ----------
    number : int
        Items without which the mean over tasks is below zero; `NONE` where nothing does it.
    at_least : int
        No fewer do.
    items : int array, shape (number,)
        Which.
    """

    number: int
    at_least: int
    items: Ints


def fewest_by_task(
    difference: Floats, task: npt.NDArray[np.integer], *, limit: int | None = None
) -> TaskMeanRemoval:
    """Find the fewest items whose removal puts the mean of task means below zero.

    Parameters
    ----------
    difference : float array, shape (n,)
    task : int array, shape (n,)
        Codes of any kind.
    limit : int, optional
        Look for fewer than so many only: `NONE` where there are not.

    Returns
    -------
    TaskMeanRemoval
    """
    order = np.lexsort((-difference, task))
    starts = np.flatnonzero(np.r_[True, np.diff(task[order]) != 0])
    groups = np.split(order, starts[1:])
    if limit == 0:
        return TaskMeanRemoval(NONE, NONE, order[:0])
    falls = [_fall(difference[group])[:limit] for group in groups]
    lead = float(sum(difference[group].mean() for group in groups))
    need = lead + ROUNDING * max(abs(lead), ROUNDING)
    if lead < -ROUNDING:
        return TaskMeanRemoval(0, 0, order[:0])
    if sum(fall.max() for fall in falls) <= need:
        return TaskMeanRemoval(NONE, NONE, order[:0])
    split, at_least = _by_hulls(falls, need)
    if limit is not None and at_least >= limit:
        return TaskMeanRemoval(NONE, NONE, order[:0])
    if at_least < sum(split) and sum(min(f.size, sum(split) + 1) for f in falls) <= STEPS:
        split = _by_programme(falls, need, sum(split))
        at_least = sum(split)
    if limit is not None and sum(split) >= limit:
        return TaskMeanRemoval(NONE, NONE, order[:0])
    items = [group[:r] for group, r in zip(groups, split, strict=True)]
    return TaskMeanRemoval(sum(split), at_least, np.concatenate(items))


def _fall(ordered: Floats) -> Floats:
    """By how much the mean of a task falls without its r largest, r = 0 .. n - 1."""
    n = ordered.size
    rest = ordered.sum() - np.r_[0.0, np.cumsum(ordered[:-1])]
    fall: Floats = rest[0] / n - rest / (n - np.arange(n))
    return fall


def _by_hulls(falls: list[Floats], need: float) -> tuple[list[int], int]:
    """Split by the concave hulls of the falls: a split that does it, and the bound of the hulls."""
    steps = []
    for t, fall in enumerate(falls):
        corners = _hull(fall)
        for a, b in pairwise(corners):
            steps.append(((fall[b] - fall[a]) / (b - a), b - a, t))
    steps.sort(key=lambda step: -step[0])
    split, got, used = [0] * len(falls), 0.0, 0
    for slope, size, t in steps:
        if got + slope * size > need:
            # the hull is crossed within this step; whole steps before it, then what it takes
            part = int(np.floor((need - got) / slope)) + 1
            at_least = used + min(max(part, 1), size)
            base = sum(f[r] for f, r in zip(falls, split, strict=True)) - falls[t][split[t]]
            tail = falls[t][split[t] + 1 :]
            split[t] += 1 + int((base + tail > need).argmax())
            return split, at_least
        got, used = got + slope * size, used + size
        split[t] += size
    raise AssertionError("the falls add up to more than is needed")  # pragma: no cover


def _hull(fall: Floats) -> list[int]:
    """Corners of the least concave function above, as far as it rises."""
    corners, top = [0], int(fall.argmax())
    while corners[-1] < top:
        a = corners[-1]
        slope = (fall[a + 1 : top + 1] - fall[a]) / np.arange(1, top + 1 - a)
        corners.append(top - int(slope[::-1].argmax()))
    return corners


def _by_programme(falls: list[Floats], need: float, limit: int) -> list[int]:
    """Best split of 0 .. `limit` items over the tasks, the least that does it."""
    best = np.full(limit + 1, -np.inf)
    best[0] = 0.0
    taken = []
    for fall in falls:
        found, which = np.full(limit + 1, -np.inf), np.zeros(limit + 1, dtype=np.int64)
        for r in range(min(fall.size, limit + 1)):
            reached = best[: limit + 1 - r] + fall[r]
            better = reached > found[r:]
            found[r:][better] = reached[better]
            which[r:][better] = r
        best = found
        taken.append(which)
    left = int((best > need).argmax())
    split = []
    for which in reversed(taken):
        split.append(int(which[left]))
        left -= split[-1]
    return split[::-1]
