"""Comparisons that several judges made."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]
VERDICTS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """Verdicts of g judges on c comparisons that at least two of them made.

    Attributes
    ----------
    votes : float array, shape (g, c, 3)
        (Weighted) votes of each judge for one model, for the other, and for neither.
    first_row : int array, shape (c,)
        A row of each comparison.
    """

    votes: Floats
    first_row: npt.NDArray[np.int64]

    def shares(self, judge: int, where: npt.NDArray[np.bool_]) -> Floats:
        """Shares of the verdicts of a judge on some comparisons; rows sum to 1."""
        votes = self.votes[judge, where]
        return np.asarray(votes / votes.sum(axis=1, keepdims=True), dtype=np.float64)

    def made(self, judge: int) -> npt.NDArray[np.bool_]:
        """Comparisons that a judge made; shape (c,)."""
        return np.asarray(self.votes[judge].sum(axis=1) > 0)


def match(
    comparison: Codes, judge: Codes, verdict: Codes, *, n_judges: int, count: Floats | None = None
) -> Matched:
    """Gather votes by comparison and judge.

    Parameters
    ----------
    comparison : int array, shape (n,)
    judge : int array, shape (n,)
        Codes from 0 to `n_judges` - 1.
    verdict : int array, shape (n,)
        0, 1 or 2, told by model and not by place.
    n_judges : int
    count : float array, shape (n,), optional
        Votes a row stands for; 1 where absent.
    """
    _, first, code = np.unique(comparison, return_index=True, return_inverse=True)
    made = np.zeros((n_judges, first.size), dtype=bool)
    made[judge, code] = True
    shared = made.sum(axis=0) > 1
    place = np.full(first.size, -1, dtype=np.int64)
    place[shared] = np.arange(int(shared.sum()))
    keep = place[code] >= 0
    size = int(shared.sum())
    key = (judge[keep].astype(np.int64) * size + place[code[keep]]) * VERDICTS + verdict[keep]
    votes = np.bincount(
        key, weights=None if count is None else count[keep], minlength=n_judges * size * VERDICTS
    )
    return Matched(votes.astype(np.float64).reshape(n_judges, size, VERDICTS), first[shared])
