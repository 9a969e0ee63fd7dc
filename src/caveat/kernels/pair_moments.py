"""Means of the differences of all pairs of models from matrix products, without a loop over pairs.

The sum over items of a product of something of one model and something of another is a matrix
product. So are the sums and squares of differences of scores, and of disagreement less the noise
floor: with v where a model has an answer and a floor w, and s where two answers are equal,

    sum (1 - s - (w_a + w_b) / 2)  and  sum (1 - s) (1 - w_a - w_b) + sum (w_a + w_b)^2 / 4

take products of w, of v, and of both by answer. Items are independent: with clusters, the slower
`pair_excess` and `series_means` are asked, which say the same of the same data.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.coincidence import ABSENT, Codes, by_popularity
from caveat.kernels.means import FEW
from caveat.kernels.pair_excess import Index, PairExcess, pair_excess
from caveat.kernels.series_means import SeriesMeans
from caveat.kernels.task_profile import TaskProfile, profile_of_sums

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
_FEW_VALUES = 12
"""Distinct scores up to which equal ones are counted value by value."""
_FEW_ANSWERS = 32


@dataclass(frozen=True, slots=True, eq=False)
class PairDifferences:
    """Differences of scores of p pairs, and how they vary over tasks.

    Attributes
    ----------
    means : SeriesMeans
        Of the first model's score less the second's, over items both have.
    profile : TaskProfile or None
        None without tasks.
    """

    means: SeriesMeans
    profile: TaskProfile | None


def pair_differences(
    score: Floats,
    *,
    first: Index,
    second: Index,
    task: npt.NDArray[np.integer] | None,
    n_tasks: int,
) -> PairDifferences:
    """Compare the scores of pairs, over all items and by task.

    Parameters
    ----------
    score : float array, shape (items, m)
        nan where a model has none.
    first, second : int array, shape (p,)
        Columns of each pair.
    task : int array, shape (items,), optional
        From 0 to `n_tasks` - 1; -1 is left out of the profile.
    n_tasks : int
    """
    blocks = [np.flatnonzero(task == k) for k in range(n_tasks)] if task is not None else []
    rest = np.arange(score.shape[0]) if task is None else np.flatnonzero(task < 0)
    by_task = [_score_sums(score[rows], first, second) for rows in blocks]
    n, total, squares = np.sum([*by_task, _score_sums(score[rest], first, second)], axis=0)
    up, down, equal = _score_counts(score, first, second)
    means = means_of_sums(n, total, squares, up=up, down=down, whole=equal + up + down == n)
    profile = None
    if task is not None:
        profile = profile_of_sums(*np.stack(by_task, axis=1)) if by_task else None
    return PairDifferences(means=means, profile=profile)


def _score_sums(score: Floats, first: Index, second: Index) -> Floats:
    """Items, sum and sum of squares of the differences of pairs; shape (3, p)."""
    there = ~np.isnan(score)
    present = there.astype(np.float64)
    filled = np.where(there, score, 0.0)
    sums = filled.T @ present
    squares = (filled**2).T @ present
    n, cross = present.T @ present, filled.T @ filled
    return np.stack(
        [
            n[first, second],
            sums[first, second] - sums[second, first],
            squares[first, second] + squares[second, first] - 2.0 * cross[first, second],
        ]
    )


def _score_counts(score: Floats, first: Index, second: Index) -> tuple[Floats, Floats, Floats]:
    """Items at which the difference is 1, -1 and 0; nan where there are too many values to tell."""
    values = np.unique(score[~np.isnan(score)])
    if values.size > _FEW_VALUES:
        nothing = np.full(first.size, np.nan)
        return nothing, nothing, nothing
    at = [(score == value).astype(np.float64) for value in values]
    size = (score.shape[1], score.shape[1])
    equal = np.sum([one.T @ one for one in at], axis=0) if at else np.zeros(size)
    up = np.zeros(size)
    for k, value in enumerate(values):
        other = np.flatnonzero(values == value - 1.0)
        if other.size:
            up += at[k].T @ at[int(other[0])]
    return up[first, second], up[second, first], equal[first, second]


def excess_of_pairs(
    answers: Codes,
    within: Floats,
    *,
    first: Index,
    second: Index,
    cluster: npt.NDArray[np.integer] | None,
) -> PairExcess:
    """Compare pairs with the floor of their two models, the quick way where there is one.

    Parameters
    ----------
    answers, within, first, second, cluster
        See `pair_excess`.
    """
    if cluster is None:
        return pair_excesses(answers, within, first=first, second=second)
    return pair_excess(answers, within, first=first, second=second, cluster=cluster)


def pair_excesses(answers: Codes, within: Floats, *, first: Index, second: Index) -> PairExcess:
    """Compare pairs with the floor of their two models: `pair_excess` without clusters.

    Parameters
    ----------
    answers : int array, shape (items, m)
        Codes from 0 per item; `ABSENT` does not count, any other negative code equals no other.
    within : float array, shape (items, m)
        Disagreement of each model with itself on each item; nan where unknown.
    first, second : int array, shape (p,)
    """
    known = (answers != ABSENT) & ~np.isnan(within)
    floor = np.where(known, within, 0.0)
    present = known.astype(np.float64)
    none, whole = known & (floor == 0.0), known & (floor == 1.0)
    same = _Same(answers)
    n = (present.T @ present)[first, second]
    differ = n - same.count(present, present)[first, second]
    held = floor.T @ present
    floors = (held[first, second] + held[second, first]) / 2.0
    total = differ - floors
    # the floor where the two differ: all of it less where they are equal
    shared = same.count(floor, present)
    apart = held - shared
    weight = (floor**2).T @ present
    cross = floor.T @ floor
    squares = (
        differ
        - apart[first, second]
        - apart[second, first]
        + (weight[first, second] + weight[second, first] + 2.0 * cross[first, second]) / 4.0
    )
    both_none, both_whole = _product(none)[first, second], _product(whole)[first, second]
    alike = same.count(none, none)[first, second]
    some = np.where(n > 0, n, np.nan)
    return PairExcess(
        disagree=differ / some,
        floor=floors / some,
        excess=means_of_sums(
            n,
            total,
            squares,
            up=both_none - alike,
            down=same.count(whole, whole)[first, second],
            whole=both_none + both_whole == n,
        ),
    )


class _Same:
    """Sums over equal answers of a product of weights of the two models."""

    def __init__(self, answers: Codes) -> None:
        few = int(answers.max(initial=0)) < _FEW_ANSWERS
        codes = answers if few else by_popularity(answers)
        self._at = [codes == code for code in range(int(codes.max(initial=-1)) + 1)]

    def count(self, one: npt.ArrayLike, other: npt.ArrayLike) -> Floats:
        """Sum of one[i, a] other[i, b] over items on which a and b are equal; shape (m, m)."""
        left, right = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
        m = left.shape[1]
        total = np.zeros((m, m))
        for at in self._at:
            rows = np.flatnonzero(at.sum(axis=1) > 1)  # others equal themselves only
            mask = at[rows]
            total += (left[rows] * mask).T @ (right[rows] * mask)
        return total


def _product(mask: Mask) -> Floats:
    layer = mask.astype(np.float64)
    product: Floats = layer.T @ layer
    return product


def means_of_sums(
    n: Floats, total: Floats, squares: Floats, *, up: Floats, down: Floats, whole: Mask
) -> SeriesMeans:
    """Means of series from their sums.

    Parameters
    ----------
    n, total, squares : float array, shape (s,)
        Items, sum and sum of squares.
    up, down : float array, shape (s,)
        Items at 1 and at -1.
    whole : bool array, shape (s,)
        Whether all others are at 0.
    """
    some = np.where(n > 0, n, np.nan)
    mean = total / some
    spread = squares - some * mean**2
    spread = np.where(spread > 1e-10 * some, spread, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.sqrt(np.where(n > 1, n / (n - 1.0), np.nan) * spread) / some
        moved = np.minimum(np.minimum(up + down, n - up), n - down)
        rare = (moved < FEW) & whole & (n > 0)
    return SeriesMeans(
        mean=mean,
        se=se,
        df=n - 1.0,
        n=n,
        units=n,
        up=np.where(rare, up, np.nan),
        down=np.where(rare, down, np.nan),
    )
