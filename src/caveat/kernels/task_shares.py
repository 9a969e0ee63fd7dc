"""Disagreement of chosen pairs on each task."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.coincidence import ABSENT, Codes, Floats

_AT_ONCE = 128


@dataclass(frozen=True, slots=True, eq=False)
class TaskShares:
    """Items that count, and those answered differently; each of shape (tasks, pairs)."""

    n: Floats
    differ: Floats

    def shares(self, *, min_items: int) -> Floats:
        """Share answered differently; nan with fewer items than that."""
        enough = self.n >= max(min_items, 1)
        return np.where(enough, self.differ / np.where(enough, self.n, np.nan), np.nan)


def task_shares(
    answers: Codes,
    task: npt.NDArray[np.integer],
    n_tasks: int,
    *,
    first: npt.NDArray[np.integer],
    second: npt.NDArray[np.integer],
) -> TaskShares:
    """Count by task and pair.

    Parameters
    ----------
    answers : int array, shape (items, m)
        Codes from 0; `ABSENT`, or `NO_OPTION` for an answer that equals no other.
    task : int array, shape (items,)
        Codes from 0; items below 0 count for no task.
    n_tasks : int
    first, second : int array, shape (pairs,)
        Columns of the two models of each pair.
    """
    order = np.argsort(task, kind="stable")
    order = order[task[order] >= 0]
    there, starts = np.unique(task[order], return_index=True)
    n, differ = np.zeros((n_tasks, first.size)), np.zeros((n_tasks, first.size))
    answers = answers[order]
    for start in range(0, first.size if there.size else 0, _AT_ONCE):
        pairs = slice(start, start + _AT_ONCE)
        one, two = answers[:, first[pairs]], answers[:, second[pairs]]
        common = (one != ABSENT) & (two != ABSENT)
        apart = common & ((one != two) | (one < 0))
        for into, counted in ((n, common), (differ, apart)):
            into[there, pairs] = np.add.reduceat(counted, starts, axis=0, dtype=np.int32)
    return TaskShares(n, differ)
