"""Differences of the scores of all pairs of models on the items both have, by matrix products.

Notation: on item k models i and j score s_ki and s_kj; d_ij is the mean of s_ki - s_kj over the
n_ij items both have. Errors are those of a mean (Miller 2024, https://arxiv.org/abs/2411.00640), by
clusters as in `cluster_sums`. Nothing here is of the size models x models x items.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.cluster_sums import ClusterRows, cluster_rows, cluster_variance

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.integer]

PATTERNS = 16
"""Different sets of missing items up to which models with one set are taken together."""
CELLS = 200_000_000
"""Clusters x models x models up to which every pair is added up cluster by cluster."""
_FLAT = 1e-6  # an error between clusters this small beside that of items is rounding
_NOTHING = 1e-13  # a variance this small beside the squared scores is rounding


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """Pairs of m models; entry (i, j) is about i less j.

    Attributes
    ----------
    n : float array, shape (m, m)
        Items both have a score for.
    score : float array, shape (m, m)
        Mean score of i on them; nan without any.
    difference : float array, shape (m, m)
    square : float array, shape (m, m)
        Mean squared difference; for right and wrong the share of items only one gets right.
    plain : float array, shape (m, m)
        Standard error as if items were independent; 0 where all differences are equal.
    se, df : float array, shape (m, m)
        By clusters where there are clusters, else `plain` and n - 1; nan with one item or cluster,
        and among models that were left out of clustering. `plain` as well where all clusters have
        the same mean difference.
    n_clusters : float array, shape (m, m)
    only : float array, shape (m, m)
        Items i gets right and j wrong; nan where a model has scores other than 0 and 1.
    clustered : bool array, shape (m,)
        Models among which errors are by cluster: all, unless that would take too long. All False
        without clusters.
    """

    n: Floats
    score: Floats
    difference: Floats
    square: Floats
    plain: Floats
    se: Floats
    df: Floats
    n_clusters: Floats
    only: Floats
    clustered: Bools


def paired_scores(scores: Floats, *, cluster: Codes | None = None) -> PairedScores:
    """Compare the scores of all pairs.

    Parameters
    ----------
    scores : float array, shape (n, m)
        nan where a model has none. With clusters, too many models and too many different sets of
        missing items, errors are worked out among the first models only.
    cluster : int array, shape (n,), optional
        Every item its own by default.
    """
    present = np.isfinite(scores)
    binary = ((scores == 0.0) | (scores == 1.0) | ~present).all(axis=0)
    moments = _counts(scores, present) if binary.all() else _moments(scores, present, binary)
    n, difference, square = moments.n, moments.difference, moments.square
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = square - difference**2
        flat = spread <= _NOTHING * moments.scale
        plain = np.sqrt(np.where(flat, 0.0, spread) / (n - 1.0))
    plain = np.where(n > 1, plain, np.nan)
    some = n > 0
    difference = np.where(some, difference, np.nan)
    found = _Errors(
        plain,
        np.where(n > 1, n - 1.0, np.nan),
        n,
        np.zeros(scores.shape[1], dtype=bool),
    )
    if cluster is not None:
        found = _clustered(scores, present, cluster, difference, n)
    return PairedScores(
        n=n,
        score=np.where(some, moments.score, np.nan),
        difference=difference,
        square=np.where(some, square, np.nan),
        plain=plain,
        se=np.where(plain == 0, 0.0, np.where(found.se <= _FLAT * plain, plain, found.se)),
        df=found.df,
        n_clusters=found.n_clusters,
        only=moments.only,
        clustered=found.clustered,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Moments:
    n: Floats
    score: Floats
    difference: Floats
    square: Floats
    scale: Floats | float
    only: Floats


def _counts(scores: Floats, present: Bools) -> _Moments:
    """Right and wrong only: counts, exact in single precision up to 16 million items."""
    right = (scores == 1.0).astype(np.float32)
    both = (right.T @ right).astype(np.float64)
    if present.all():
        n = np.full(both.shape, float(scores.shape[0]))
        own = np.broadcast_to(both.diagonal()[:, None], both.shape)
    else:
        there = present.astype(np.float32)
        n = (there.T @ there).astype(np.float64)
        own = (right.T @ there).astype(np.float64)
    only = own - both
    some = np.maximum(n, 1.0)
    return _Moments(n, own / some, (only - only.T) / some, (only + only.T) / some, 1.0, only)


def _moments(scores: Floats, present: Bools, binary: Bools) -> _Moments:
    """Any scores: sums around the mean of each model, so that large scores lose no digits."""
    there = present.astype(np.float64)
    number = np.maximum(there.sum(axis=0), 1.0)
    filled = np.where(present, scores, 0.0)
    centre = filled.sum(axis=0) / number
    off = np.where(present, scores - centre, 0.0)
    n = there.T @ there
    some = np.maximum(n, 1.0)
    first = (off.T @ there) / some
    second = ((off**2).T @ there) / some
    gap = centre[:, None] - centre
    change = first - first.T
    around = second + second.T - 2.0 * (off.T @ off) / some  # mean squared change of the rest
    spread = np.maximum(around - change**2, 0.0)
    only = np.full(n.shape, np.nan)
    if binary.any():
        only[np.ix_(binary, binary)] = _counts(scores[:, binary], present[:, binary]).only
    score = first + centre[:, None]
    difference = change + gap
    return _Moments(n, score, difference, spread + difference**2, second + second.T, only)


@dataclass(frozen=True, slots=True, eq=False)
class _Errors:
    se: Floats
    df: Floats
    n_clusters: Floats
    clustered: Bools


def _clustered(
    scores: Floats, present: Bools, cluster: Codes, difference: Floats, n: Floats
) -> _Errors:
    rows, m = cluster_rows(cluster), scores.shape[1]
    packed, pattern = np.unique(np.packbits(present, axis=0), axis=1, return_inverse=True)
    if packed.shape[1] <= PATTERNS:
        return _by_pattern(scores, present, cluster, pattern.ravel())
    most = int(np.sqrt(CELLS / max(rows.starts.size, 1)))
    among = np.arange(m) < max(most, 50)
    inside = np.ix_(among, among)
    made = [np.full((m, m), np.nan) for _ in range(3)]
    parts = _by_cluster(scores[:, among], present[:, among], rows, difference[inside], n[inside])
    for whole, part in zip(made, parts, strict=True):
        whole[inside] = part
    return _Errors(made[0], made[1], made[2], among)


def _by_pattern(scores: Floats, present: Bools, cluster: Codes, pattern: Codes) -> _Errors:
    """Take models that have the same items together: their pairs share clusters and their sizes."""
    m = scores.shape[1]
    se, df, groups = (np.full((m, m), np.nan) for _ in range(3))
    sets = [np.flatnonzero(pattern == k) for k in range(int(pattern.max(initial=-1)) + 1)]
    for k, mine in enumerate(sets):
        for theirs in sets[: k + 1]:
            both = present[:, mine[0]] & present[:, theirs[0]]
            rows = cluster_rows(cluster[both])
            size = rows.sums(np.ones(int(both.sum())))
            a, b = (_cluster_sums(scores[both][:, one], rows, size) for one in (mine, theirs))
            # sum of w (a - b)^2 = a'wa + b'wb - 2 a'wb, with w the factor of each cluster
            one = cluster_variance(np.ones(size.size), size)
            with np.errstate(divide="ignore", invalid="ignore"):
                weight = 1.0 / (1.0 - size / size.sum()) / size.sum() ** 2
            if size.size < 2:
                weight = np.full(size.size, np.nan)
            total = (weight @ a**2)[:, None] + weight @ b**2 - 2.0 * (a * weight[:, None]).T @ b
            error = np.sqrt(np.maximum(total, 0.0))
            block = np.ix_(mine, theirs)
            for whole, part in ((se, error), (df, one.df), (groups, float(size.size))):
                whole[block] = part
                whole.T[block] = part
    return _Errors(se, df, groups, np.ones(m, dtype=bool))


def _cluster_sums(scores: Floats, rows: ClusterRows, size: Floats) -> Floats:
    """Sum deviations from each model's mean by cluster."""
    if not scores.shape[0]:
        return np.zeros((0, scores.shape[1]))
    mean: Floats = scores.mean(axis=0)
    return rows.sums(scores) - size[:, None] * mean


def _by_cluster(
    scores: Floats, present: Bools, rows: ClusterRows, difference: Floats, n: Floats
) -> tuple[Floats, Floats, Floats]:
    """Add all pairs up, one cluster after the other."""
    there, filled = present.astype(np.float64), np.where(present, scores, 0.0)
    variance, squares, pulls, pulls2, groups = (np.zeros(n.shape) for _ in range(5))
    ends = np.r_[rows.starts[1:], rows.order.size]
    gap, total = np.where(n > 0, difference, 0.0), np.maximum(n, 1.0)
    for start, end in zip(rows.starts, ends, strict=True):
        mine = rows.order[start:end]
        size = there[mine].T @ there[mine]
        own = filled[mine].T @ there[mine]
        share = size / total
        with np.errstate(divide="ignore", invalid="ignore"):
            rest = 1.0 / (1.0 - share)
            variance += np.where(size > 0, (own - own.T - size * gap) ** 2 * rest, 0.0)
            pull = np.where(size > 0, share**2 * rest, 0.0)
        squares += share**2
        pulls += pull
        pulls2 += pull**2
        groups += size > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.maximum(1.0 / (squares + pulls**2 - pulls2), 1.0)
        se = np.sqrt(variance) / total
    alone = groups < 2
    return np.where(alone, np.nan, se), np.where(alone, np.nan, df), groups
