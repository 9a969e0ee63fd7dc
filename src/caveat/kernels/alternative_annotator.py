"""The alternative-annotator test: may a judge stand for one of several people?

Calderon, Reichart and Dror (2025), https://arxiv.org/abs/2501.10970, and their code,
https://github.com/nitaytech/AltTest. Notation: f is the judge, h one person, left out; S(f) and
S(h) how well the label of either fits those of the other people who labelled the item. W_f = 1
where S_f >= S_h, W_h = 1 where S_h >= S_f, d = W_h - W_f in {-1, 0, 1}; epsilon is what the
judge may be worse by. H0: E[d] >= epsilon, for each person by a one-sided t test.

S is the share of the others with the same label, or minus the root of the mean squared distance to
them. Only its order counts, so that whole numbers are compared: how many of the others say the
same; and for numbers the sign of (f - h) ((k - 1) (f + h) - 2 T), k - 1 others with the sum T.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtr

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.integer]
Fit = Literal["same", "distance"]

TIE = 1e-9
"""Distances that differ by less, relative to the numbers, are equal."""
_AT_ONCE = 16
"""Judges worked on together."""
_DENSE = 20_000_000
"""Items times labels up to which each has a place of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Wins:
    """Items on which a judge fits the others better than, worse than or like each person.

    Attributes
    ----------
    better, worse, equal : int array, shape (people, judges)
    """

    better: Ints
    worse: Ints
    equal: Ints

    @property
    def n(self) -> Ints:
        """Items compared."""
        total: Ints = self.better + self.worse + self.equal
        return total


def alternative_annotator(
    item: Codes,
    person: Codes,
    label: npt.NDArray[np.generic],
    judges: npt.NDArray[np.generic],
    *,
    n_people: int,
    fit: Fit = "same",
) -> Wins:
    """Hold judges against each of several people, by how well either fits the rest.

    Items with one label only say nothing and are left out, as are items without a label of the
    judge.

    Parameters
    ----------
    item : int array, shape (n,)
        Item of each label of people, from 0.
    person : int array, shape (n,)
        Who gave it, from 0; no one labels an item twice.
    label : int or float array, shape (n,)
        Codes from 0 where `fit` is `same`, else numbers.
    judges : int or float array, shape (items, judges)
        Their labels; -1, or nan, without one.
    n_people : int
    fit : {"same", "distance"}
        The share of the same label, or minus the root mean squared distance.
    """
    order = np.argsort(person, kind="stable")  # of one person together, to be added up
    item, person, label = item[order], person[order], label[order]
    others = np.bincount(item, minlength=judges.shape[0])[item] - 1
    useful = others > 0
    item, person, label, others = item[useful], person[useful], label[useful], others[useful]
    start = np.flatnonzero(np.diff(person, prepend=-1))
    made = [np.zeros((n_people, judges.shape[1]), dtype=np.int64) for _ in range(3)]
    ahead = _same(item, label, judges.shape[0]) if fit == "same" else _distance(item, label, others)
    for first in range(0, judges.shape[1] if start.size else 0, _AT_ONCE):
        block = slice(first, first + _AT_ONCE)
        better, known = ahead(judges[:, block])
        signs = (known & (better > 0), known & (better < 0), known & (better == 0))
        for total, sign in zip(made, signs, strict=True):
            total[person[start], block] = np.add.reduceat(sign, start, axis=0, dtype=np.int64)
    return Wins(*made)


Signs = npt.NDArray[np.int64] | npt.NDArray[np.float64]
Ahead = Callable[[npt.NDArray[np.generic]], tuple[Signs, npt.NDArray[np.bool_]]]


def _same(item: Codes, label: npt.NDArray[np.generic], n_items: int) -> Ahead:
    """How many more of the others say what the judge says; and where the judge says anything."""
    named = label.astype(np.int64)
    size = int(named.max(initial=0)) + 1
    key = item.astype(np.int64) * size + named
    if n_items * size <= _DENSE:
        count = np.bincount(key, minlength=n_items * size).astype(np.int32)

        def number(keys: Ints) -> npt.NDArray[np.int32]:
            return count[keys]
    else:
        present, counts = np.unique(key, return_counts=True)
        counts = counts.astype(np.int32)

        def number(keys: Ints) -> npt.NDArray[np.int32]:
            place = np.minimum(np.searchsorted(present, keys), present.size - 1)
            return np.where(present[place] == keys, counts[place], 0).astype(np.int32)

    own = number(key) - 1
    base = np.arange(n_items, dtype=np.int64)[:, None] * size

    def ahead(
        judges: npt.NDArray[np.generic],
    ) -> tuple[Signs, npt.NDArray[np.bool_]]:
        said = judges.astype(np.int64)
        used = (said >= 0) & (said < size)  # what no person ever says has no votes
        votes = np.where(used, number(base + np.where(used, said, 0)), 0)[item]
        mine = said[item]
        matches = votes - (mine == named[:, None])
        return matches - own[:, None], mine >= 0

    return ahead


def _distance(item: Codes, label: npt.NDArray[np.generic], others: Ints) -> Ahead:
    """Sign of the person's squared distance to the others less the judge's."""
    numbers = label.astype(np.float64)
    total = np.bincount(item, weights=numbers)[item] - numbers
    near, scale = 2.0 * total[:, None], 2.0 * np.abs(total)[:, None]
    number, own = others[:, None], numbers[:, None]

    def ahead(
        judges: npt.NDArray[np.generic],
    ) -> tuple[Signs, npt.NDArray[np.bool_]]:
        judge = judges.astype(np.float64)[item]
        toward = number * (judge + own) - near
        size = number * (np.abs(judge) + np.abs(own)) + scale
        toward = np.where(np.abs(toward) <= TIE * size, 0.0, toward)
        return np.sign(own - judge) * np.sign(toward), np.isfinite(judge)

    return ahead


def margin_t(wins: Wins, *, epsilon: float) -> Floats:
    """P values of H0: E[d] >= epsilon, by the one-sided t test of the paper.

    Where d does not vary t is undefined. All d = 0 or all -1: no d is 1, which has a probability
    of (1 - epsilon)^n at most under H0, and this is p. All d = 1: p is 1. nan without items.
    """
    n = wins.n.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (wins.worse - wins.better) / n
        spread = (wins.worse + wins.better) / n - mean**2
        flat = (wins.worse == n) | (wins.better == n) | (wins.equal == n)
        t = (mean - epsilon) / np.sqrt(np.where(flat, np.nan, spread) / (n - 1.0))
        none = np.where(wins.worse == n, 1.0, (1.0 - epsilon) ** n)
        p: Floats = np.where(flat, none, stdtr(n - 1.0, t))
    return np.where(n > 0, p, np.nan)


def margin_score(wins: Wins, *, epsilon: float) -> Floats:
    """P values of H0: E[d] >= epsilon, by the score test of a difference of paired shares.

    The variance is that of the nearest point of H0 and not of the sample, so that it exists
    without variation and the level holds where few d are 1. Tango (1998),
    https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C891::AID-SIM780%3E3.0.CO;2-B.
    """
    n = wins.n.astype(np.float64)
    b, c = wins.worse.astype(np.float64), wins.better.astype(np.float64)
    linear = (2.0 * n - b + c) * epsilon - b - c
    root = np.sqrt(np.maximum(linear**2 - 8.0 * n * (-c * epsilon * (1.0 - epsilon)), 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        fewer = (root - linear) / (4.0 * n)
        z = (b - c - n * epsilon) / np.sqrt(n * (2.0 * fewer + epsilon * (1.0 - epsilon)))
        p: Floats = ndtr(z)
    return np.where(n > 0, p, np.nan)
