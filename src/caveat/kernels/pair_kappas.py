"""Chance-adjusted agreement of chosen pairs of models, with errors that allow for clusters.

All three are (o - e) / (1 - e), o and e observed and expected agreement on the items of a pair:

* Cohen's kappa: of answers, e from each model's own shares of the labels;
* error consistency, Geirhos et al. (2020), https://arxiv.org/abs/2006.16736: of being right or
  wrong, e = p q + (1 - p) (1 - q) from the two shares right;
* CAPA, Goel et al. (2025), https://arxiv.org/abs/2502.04313: of answers,
  e = p q + (1 - p) (1 - q) mean(1 / (k - 1)) with k options of an item.

An item moves such a figure by ((o_u - o) - (1 - figure) (e_u - e)) / (1 - e) to first order, e_u
its part in the first derivative of e. For Cohen's kappa and independent items its variance is
the one of Fleiss, Cohen and Everitt (1969), https://doi.org/10.1037/h0028106, with n / (n - 1).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from caveat.kernels.cluster_sums import ClusterRows, cluster_rows, cluster_variance
from caveat.kernels.coincidence import ABSENT, Codes, Floats

Mask = npt.NDArray[np.bool_]
_NO_ROOM = 1e-12
_AT_ONCE = 64
"""Pairs worked on together; more need memory, fewer time."""


@dataclass(frozen=True, slots=True, eq=False)
class Adjusted:
    """One figure of each pair with its t interval, each of shape (pairs,); nan where undefined."""

    value: Floats
    se: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class PairKappas:
    """The three figures of each pair."""

    kappa: Adjusted
    capa: Adjusted
    error_consistency: Adjusted


def pair_kappas(
    answers: Codes,
    correct: Mask,
    *,
    first: npt.NDArray[np.integer],
    second: npt.NDArray[np.integer],
    n_labels: int,
    n_options: Floats,
    cluster: npt.NDArray[np.integer] | None = None,
    level: float,
) -> PairKappas:
    """Kappa, CAPA and error consistency of chosen pairs.

    Parameters
    ----------
    answers : int array, shape (items, m)
        Labels from 0; `ABSENT`, or `NO_OPTION` for an answer that equals no other.
    correct : bool array, shape (items, m)
    first, second : int array, shape (pairs,)
        Columns of the two models of each pair.
    n_labels : int
        0 leaves kappa undefined: there are no labels, or too many for it to mean anything.
    n_options : float array, shape (items,)
        Items with fewer than two or an unknown number (nan) are left out of CAPA.
    cluster : int array, shape (items,), optional
        Every item its own cluster by default.
    level : float
        Coverage of the intervals, in (0, 1).
    """
    rows = (
        ClusterRows(np.arange(answers.shape[0]), np.arange(answers.shape[0]))
        if cluster is None
        else cluster_rows(cluster)
    )
    parts = [
        _chunk(
            _Pairs(answers[:, a], answers[:, b], correct[:, a], correct[:, b]),
            n_labels=n_labels,
            n_options=n_options,
            rows=rows,
            level=level,
        )
        for a, b in (
            (first[start : start + _AT_ONCE], second[start : start + _AT_ONCE])
            for start in range(0, max(first.size, 1), _AT_ONCE)
        )
    ]
    return PairKappas(
        *(
            Adjusted(
                *(
                    np.concatenate([getattr(getattr(part, figure), name) for part in parts])
                    for name in ("value", "se", "low", "high")
                )
            )
            for figure in ("kappa", "capa", "error_consistency")
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Answers of the two models of some pairs, items by pairs."""

    one: Codes
    two: Codes
    one_right: Mask
    two_right: Mask

    @property
    def common(self) -> Mask:
        both: Mask = (self.one != ABSENT) & (self.two != ABSENT)
        return both

    @property
    def same(self) -> Mask:
        alike: Mask = (self.one == self.two) & (self.one >= 0)
        return alike


def _chunk(
    pairs: _Pairs, *, n_labels: int, n_options: Floats, rows: ClusterRows, level: float
) -> PairKappas:
    common = pairs.common
    with np.errstate(invalid="ignore", divide="ignore"):
        answered = _Figure(common, rows=rows, level=level)
        alike = pairs.one_right == pairs.two_right
        right = _Rights(pairs, answered, np.ones((common.shape[0], 1)))
        usable = n_options >= 2.0
        optional = _Figure(common & usable[:, None], rows=rows, level=level)
        spread = np.where(usable, 1.0 / np.where(usable, n_options - 1.0, 1.0), 0.0)
        guessed = _Rights(pairs, optional, spread[:, None])
        return PairKappas(
            kappa=answered.adjusted(pairs.same, *_labels(pairs, answered, n_labels)),
            capa=optional.adjusted(pairs.same, guessed.expected, guessed.moved),
            error_consistency=answered.adjusted(alike, right.expected, right.moved),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Figure:
    """The items that count for each pair, and how a figure is made of them."""

    among: Mask
    rows: ClusterRows
    level: float

    def mean(self, values: npt.NDArray[np.generic]) -> Floats:
        """Mean over the items of each pair."""
        n = self.among.sum(axis=0)
        total: Floats = np.where(self.among, values, 0.0).sum(axis=0) / np.where(n > 0, n, np.nan)
        return total

    def adjusted(self, same: Mask, expected: Floats, moved: Floats) -> Adjusted:
        """Figure and interval, from chance and each item's part in its derivative."""
        observed = self.mean(same)
        room = np.where(1.0 - expected > _NO_ROOM, 1.0 - expected, np.nan)
        value = np.minimum((observed - expected) / room, 1.0)  # above 1 by rounding only
        part = ((same - observed) - (1.0 - value) * (moved - self.mean(moved))) / room
        part = np.where(self.among & np.isfinite(value), part, 0.0)
        found = cluster_variance(
            np.asarray(self.rows.sums(part), dtype=np.float64) ** 2,
            np.asarray(self.rows.sums(self.among.astype(np.float64)), dtype=np.float64),
        )
        se = np.sqrt(found.variance)
        se = np.where((se > _NO_ROOM) & np.isfinite(value), se, np.nan)
        half = stdtrit(found.df, (1.0 + self.level) / 2.0) * se
        return Adjusted(value, se, np.maximum(value - half, -1.0), np.minimum(value + half, 1.0))


class _Rights:
    """Chance of agreeing from the shares right; of two wrong answers, `spread` are the same."""

    def __init__(self, pairs: _Pairs, figure: _Figure, spread: Floats) -> None:
        p, q = figure.mean(pairs.one_right), figure.mean(pairs.two_right)
        alike = figure.mean(np.broadcast_to(spread, figure.among.shape))
        self.expected = p * q + (1.0 - p) * (1.0 - q) * alike
        self.moved = (
            pairs.one_right * (q - (1.0 - q) * alike)
            + pairs.two_right * (p - (1.0 - p) * alike)
            + (1.0 - p) * (1.0 - q) * spread
        )


def _labels(pairs: _Pairs, figure: _Figure, n_labels: int) -> tuple[Floats, Floats]:
    """Chance of agreeing from the shares of labels, and each item's part in its derivative."""
    if not n_labels:
        return np.full(pairs.one.shape[1], np.nan), np.full(pairs.one.shape, np.nan)
    one, two = (_label_shares(codes, figure.among, n_labels) for codes in (pairs.one, pairs.two))
    column = np.arange(pairs.one.shape[1])
    moved = np.where(pairs.one >= 0, two[column, np.maximum(pairs.one, 0)], 0.0) + np.where(
        pairs.two >= 0, one[column, np.maximum(pairs.two, 0)], 0.0
    )
    return (one * two).sum(axis=1), moved


def _label_shares(codes: Codes, among: Mask, n_labels: int) -> Floats:
    """Share of each label; shape (pairs, labels)."""
    n_pairs = codes.shape[1]
    item, pair = np.nonzero(among & (codes >= 0))
    key = pair * np.int64(n_labels) + codes[item, pair]
    counts = np.bincount(key, minlength=n_pairs * n_labels).reshape(n_pairs, n_labels)
    n = among.sum(axis=0)[:, None]
    shares: Floats = counts / np.where(n > 0, n, np.nan)
    return shares
