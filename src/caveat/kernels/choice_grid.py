"""Scores under every combination of choices, and what each choice does to orders.

A table of scores is summed once to groups of items (task by filter by weight) for each way to read
it; every mean over any choice of groups then comes from these sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

ROUNDING = 1e-9
_CELLS = 4_000_000  # of a block of comparisons


@dataclass(frozen=True, slots=True, eq=False)
class GroupSums:
    """Sums by task under several weightings of the items.

    Attributes
    ----------
    spread : float array, shape (w * tasks, n)
    n_tasks : int
    """

    spread: Floats
    n_tasks: int

    @classmethod
    def of(cls, weights: Floats, task: npt.NDArray[np.integer], n_tasks: int) -> "GroupSums":
        """Prepare weights of shape (w, n) and task codes of shape (n,), all in 0 .. n_tasks - 1."""
        w, n = weights.shape
        spread = np.zeros((w, n_tasks, n))
        spread[:, task, np.arange(n)] = weights
        return cls(spread.reshape(w * n_tasks, n), n_tasks)

    def sums(self, values: Floats) -> Floats:
        """Sum values of shape (n, m), nan as nothing; shape (w, n_tasks, m)."""
        made: Floats = self.spread @ np.where(np.isfinite(values), values, 0.0)
        return made.reshape(-1, self.n_tasks, values.shape[1])

    def totals(self, values: Floats) -> Floats:
        """Sum the weights of what is there; shape (w, n_tasks, m)."""
        known = np.isfinite(values)
        if known.all():
            total = np.repeat(self.spread.sum(axis=1), values.shape[1])
        else:
            total = self.spread @ known.astype(np.float64)
        return np.asarray(total).reshape(-1, self.n_tasks, values.shape[1])


def means(sums: Floats, totals: Floats, left_out: Sequence[int | None]) -> Floats:
    """Put groups together by four means, without one task or with all.

    Parameters
    ----------
    sums, totals : float array, shape (..., tasks, m)
    left_out : sequence of int or None
        Task that does not count; None for all tasks.

    Returns
    -------
    float array, shape (4, ..., len(left_out), m)
        Mean over items, mean over the means of tasks, their median, and the mean over tasks of the
        share of other models beaten, ties as half; nan without any item.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        task = sums / np.where(totals > 0, totals, np.nan)
        beaten = win_shares(task)
        made = []
        for out in left_out:
            kept = np.delete(np.arange(sums.shape[-2]), [] if out is None else [out])
            total = totals[..., kept, :].sum(axis=-2)
            whole = sums[..., kept, :].sum(axis=-2) / np.where(total > 0, total, np.nan)
            made.append(
                np.stack(
                    [
                        whole,
                        _mean(task[..., kept, :]),
                        _median(task[..., kept, :]),
                        _mean(beaten[..., kept, :]),
                    ]
                )
            )
    return np.stack(made, axis=-2)


def _mean(values: Floats) -> Floats:
    known = np.isfinite(values)
    n = known.sum(axis=-2)
    return np.asarray(np.where(known, values, 0.0).sum(axis=-2) / np.where(n > 0, n, np.nan))


def _median(values: Floats) -> Floats:
    """Median of what is there, along the axis before the last."""
    ordered = np.sort(values, axis=-2)  # nan last
    n = np.isfinite(values).sum(axis=-2)[..., None, :]
    low = np.take_along_axis(ordered, np.maximum(n - 1, 0) // 2, axis=-2)
    high = np.take_along_axis(ordered, np.minimum(n // 2, values.shape[-2] - 1), axis=-2)
    return np.asarray(((low + high) / 2.0)[..., 0, :])


def win_shares(values: Floats) -> Floats:
    """Share of the other models that each beats, ties as half; nan for those without a value."""
    m = values.shape[-1]
    flat = values.reshape(-1, m)
    made = np.empty_like(flat)
    step = max(_CELLS // max(m * m, 1), 1)
    for start in range(0, flat.shape[0], step):
        block = flat[start : start + step]
        known = np.isfinite(block)
        gap = block[:, :, None] - block[:, None, :]
        beaten = (gap > ROUNDING).sum(axis=2) + 0.5 * (np.abs(gap) <= ROUNDING).sum(axis=2) - 0.5
        others = known.sum(axis=1, keepdims=True) - 1.0
        share = beaten / np.where(others > 0, others, np.nan)
        made[start : start + step] = np.where(known, share, np.nan)
    return made.reshape(values.shape)


def ranks(values: Floats) -> Ints:
    """Rank each row, 1 for the highest; level models share the better rank.

    Parameters
    ----------
    values : float array, shape (c, m)
    """
    c, m = values.shape
    made = np.empty((c, m), dtype=np.int64)
    step = max(_CELLS // max(m * m, 1), 1)
    for start in range(0, c, step):
        block = values[start : start + step]
        ahead = block[:, None, :] - block[:, :, None] > ROUNDING
        made[start : start + step] = 1 + ahead.sum(axis=2)
    return made


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceEffects:
    """Shares of the variance of all pairs' orders; nan where no order varies.

    Attributes
    ----------
    alone : float array, shape (d,)
        Explained by a choice whatever the others are (first-order Sobol index).
    involved : float array, shape (d,)
        Left when all other choices are fixed (total Sobol index).
    varying : int
        Pairs of models whose order is not the same throughout.
    """

    alone: Floats
    involved: Floats
    varying: int


def choice_effects(values: Floats, valid: Bools) -> ChoiceEffects:
    """Share the variance of pairs' orders out among the choices.

    Parameters
    ----------
    values : float array, shape (l_1, ..., l_d, m)
        Scores by the level of each of d choices.
    valid : bool array, shape (l_1, ..., l_d)
        Combinations that count.
    """
    d, m = valid.ndim, values.shape[-1]
    alone, involved, total, varying = np.zeros(d), np.zeros(d), 0.0, 0
    number = valid.sum()
    count = valid[..., None].astype(np.float64)
    for i in range(m - 1):
        gap = values[..., i, None] - values[..., i + 1 :]
        order = np.where(np.abs(gap) <= ROUNDING, 0.5, (gap > 0).astype(np.float64)) * count
        mean = order.sum(axis=tuple(range(d))) / number
        spread = (order**2).sum(axis=tuple(range(d))) / number - mean**2
        total += float(spread.sum())
        moving = spread > ROUNDING
        varying += int(moving.sum())
        order, mean = order[..., moving], mean[moving]
        for k in range(d):
            rest = tuple(axis for axis in range(d) if axis != k)
            n = count.sum(axis=rest)
            level = order.sum(axis=rest) / np.where(n > 0, n, 1.0)
            alone[k] += float((n * (level - mean) ** 2).sum()) / number
            cell = count.sum(axis=k)
            centre = order.sum(axis=k) / np.where(cell > 0, cell, 1.0)
            involved[k] += float(((order**2).sum(axis=k) - cell * centre**2).sum()) / number
    if not varying:
        return ChoiceEffects(np.full(d, np.nan), np.full(d, np.nan), 0)
    return ChoiceEffects(alone / total, involved / total, varying)
