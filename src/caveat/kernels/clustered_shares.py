"""Shares of items of all pairs of models, with intervals that allow for clusters of items.

The variance of a share comes from its sums over clusters (`cluster_sums`); the interval is Wilson's
with the number of independent items that variance amounts to, share (1 - share) / variance, at most
those there are, and with the critical value of t for the degrees of freedom of the variance: Korn
and Graubard (1998), https://www150.statcan.gc.ca/n1/pub/12-001-x/1998002/article/4356-eng.pdf, and
Franco et al. (2019), https://doi.org/10.1093/jssam/smy019. A share of 0 or 1 has no variance: its
clusters stand for the independent items.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.cluster_sums import ClusterRows, cluster_rows, cluster_variance
from caveat.kernels.coincidence import ABSENT, Codes, Coincidence, Floats, coincidence
from caveat.kernels.means import wilson_share

Mask = npt.NDArray[np.bool_]
SHARES = ("disagree", "both_wrong", "same_wrong", "one_right")
MANY_MODELS = 100
"""Models above which clusters are first merged, so that no array is items by pairs."""
MERGED = 100
"""Clusters that are left then. Whole clusters put together are independent, too."""


@dataclass(frozen=True, slots=True, eq=False)
class SharesOfPairs:
    """Shares of the items both models of a pair answered; each array of shape (m, m), symmetric.

    Attributes
    ----------
    value, low, high : dict of float array
        By name in `SHARES`; nan where a pair has no item in common.
    """

    value: dict[str, Floats]
    low: dict[str, Floats]
    high: dict[str, Floats]


def shares_of_pairs(
    counts: Coincidence,
    answers: Codes,
    correct: Mask,
    *,
    cluster: npt.NDArray[np.integer] | None = None,
    level: float,
) -> SharesOfPairs:
    """Shares of all pairs with Wilson intervals, clustered ones when clusters are given.

    Parameters
    ----------
    counts : Coincidence
        Of `answers` and `correct`.
    answers : int array, shape (items, m)
    correct : bool array, shape (items, m)
    cluster : int array, shape (items,), optional
        Codes from 0; items are independent by default.
    level : float
        In (0, 1).
    """
    n = np.where(counts.n > 0, counts.n, np.nan)
    value = {name: total / n for name, total in _totals(counts).items()}
    if cluster is None:
        number, df = dict.fromkeys(SHARES, n), None
    else:
        number, df = _independent(value, n, answers, correct, cluster)
    limits = {name: wilson_share(value[name], number[name], level=level, df=df) for name in SHARES}
    return SharesOfPairs(
        value=value,
        low={name: low for name, (low, _) in limits.items()},
        high={name: high for name, (_, high) in limits.items()},
    )


def _totals(counts: Coincidence) -> dict[str, Floats]:
    # Both right: what the right answers of the two have beyond the items that one of them got.
    both_right = counts.right + counts.right.T - counts.n + counts.both_wrong
    return {
        "disagree": counts.n - counts.same,
        "both_wrong": counts.both_wrong,
        "same_wrong": counts.same_wrong,
        "one_right": counts.n - both_right - counts.both_wrong,
    }


def _independent(
    value: dict[str, Floats],
    n: Floats,
    answers: Codes,
    correct: Mask,
    cluster: npt.NDArray[np.integer],
) -> tuple[dict[str, Floats], Floats]:
    """Independent items that the clusters amount to, and the degrees of freedom."""
    m = answers.shape[1]
    sums = _by_model if m <= MANY_MODELS else _by_merged_cluster
    variance = {name: np.zeros((m, m)) for name in SHARES}
    held, df = np.zeros((m, m)), np.full((m, m), np.nan)
    sums(_Job(value, n, variance, held, df), answers, correct, cluster)
    number: dict[str, Floats] = {}
    with np.errstate(invalid="ignore", divide="ignore"):
        for name in SHARES:
            share = value[name]
            apart = share * (1.0 - share) / variance[name]
            number[name] = np.where(
                variance[name] > 1e-15, np.minimum(apart, n), np.where(held > 1, held, np.nan)
            )
    return number, df


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """What is known of all pairs, and what is to be filled in."""

    value: dict[str, Floats]
    n: Floats
    variance: dict[str, Floats]
    held: Floats
    df: Floats


def _by_model(job: _Job, answers: Codes, correct: Mask, cluster: npt.NDArray[np.integer]) -> None:
    """Fill in one row of pairs after the other."""
    rows = cluster_rows(cluster)
    answers, correct = answers[rows.order], correct[rows.order]
    inorder = ClusterRows(np.arange(rows.order.size), rows.starts)
    for i in range(answers.shape[1]):
        rest = slice(i, None)
        common, events = _events(answers, correct, i, rest)
        sizes = inorder.sums(common.astype(np.int32)).astype(np.float64)
        found = cluster_variance(np.zeros_like(sizes), sizes)
        job.df[i, rest] = job.df[rest, i] = found.df
        job.held[i, rest] = job.held[rest, i] = found.n_clusters
        total = job.n[i, rest]
        with np.errstate(invalid="ignore", divide="ignore"):
            weight = 1.0 / (1.0 - sizes / total) / total**2
            for name, event in events:
                share = job.value[name][i, rest]
                apart = inorder.sums(event.astype(np.int32)) - share * sizes
                spread = np.where(sizes > 0, apart**2 * weight, 0.0).sum(axis=0)
                job.variance[name][i, rest] = job.variance[name][rest, i] = spread


def _events(
    answers: Codes, correct: Mask, i: int, rest: slice
) -> tuple[Mask, Iterator[tuple[str, Mask]]]:
    """Items that a model has in common with others, and where each share counts."""
    one, many = answers[:, [i]], answers[:, rest]
    common = (one != ABSENT) & (many != ABSENT)
    same = (one == many) & (one >= 0)
    first, second = correct[:, [i]], correct[:, rest]
    wrong = common & ~first & ~second
    events = {
        "disagree": common & ~same,
        "both_wrong": wrong,
        "same_wrong": wrong & same,
        "one_right": common & (first != second),
    }
    return common, iter(events.items())


def _by_merged_cluster(
    job: _Job, answers: Codes, correct: Mask, cluster: npt.NDArray[np.integer]
) -> None:
    """Fill in all pairs at once, one group of clusters after the other."""
    _, owner, size = np.unique(cluster, return_inverse=True, return_counts=True)
    place = np.empty(size.size, dtype=np.int64)
    place[np.argsort(-size, kind="stable")] = np.arange(size.size)
    group = place[owner] % MERGED
    square, pull, pull2 = (np.zeros_like(job.n) for _ in range(3))
    for g in range(min(MERGED, size.size)):
        rows = group == g
        counts = coincidence(answers[rows], correct[rows])
        with np.errstate(invalid="ignore", divide="ignore"):
            share = counts.n / job.n
            rest = np.where(share < 1.0, 1.0 - share, np.nan)
            square += share**2
            pull += share**2 / rest
            pull2 += (share**2 / rest) ** 2
            for name, total in _totals(counts).items():
                apart = total - job.value[name] * counts.n
                job.variance[name][:] += apart**2 / rest / job.n**2
        job.held[:] += counts.n > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        job.df[:] = np.maximum(1.0 / (square + pull**2 - pull2), 1.0)
