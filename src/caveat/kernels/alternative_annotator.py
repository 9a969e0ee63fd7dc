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
    n_items, n_judges = judges.shape
    others = np.bincount(item, minlength=n_items)[item] - 1
    if fit == "same":
        said = judges.astype(np.int64)
        ahead = _ahead_same(item, label.astype(np.int64), said)
        known = said[item] >= 0
    else:
        values = judges.astype(np.float64)
        ahead = _ahead_distance(item, label.astype(np.float64), values, others)
        known = np.isfinite(values[item])
    known &= (others > 0)[:, None]
    counts = [
        np.stack(
            [
                np.bincount(person[known[:, j] & (ahead[:, j] == sign)], minlength=n_people)
                for j in range(n_judges)
            ],
            axis=1,
        ).astype(np.int64)
        if n_judges
        else np.zeros((n_people, 0), dtype=np.int64)
        for sign in (1, -1, 0)
    ]
    return Wins(*counts)


def _ahead_same(item: Ints | Codes, label: Ints, said: Ints) -> Ints:
    """Sign of the judge's matches among the others less the person's; shape (n, judges)."""
    size = int(max(label.max(initial=0), said.max(initial=0))) + 1
    key, number = np.unique(item.astype(np.int64) * size + label, return_counts=True)

    def named(where: Ints) -> Ints:
        place = np.minimum(np.searchsorted(key, where), key.size - 1)
        found: Ints = np.where(key[place] == where, number[place], 0)
        return found

    if not key.size:
        return np.zeros((0, said.shape[1]), dtype=np.int64)
    own = named(item.astype(np.int64) * size + label) - 1
    grid = np.arange(said.shape[0], dtype=np.int64)[:, None] * size + np.maximum(said, 0)
    votes = np.where(said >= 0, named(grid), 0)[item]
    matches = votes - (said[item] == label[:, None])
    ahead: Ints = np.sign(matches - own[:, None])
    return ahead


def _ahead_distance(item: Codes, label: Floats, values: Floats, others: Ints) -> Ints:
    """Sign of the person's squared distance to the others less the judge's."""
    total = np.bincount(item, weights=label, minlength=values.shape[0])[item] - label
    judge = values[item]
    toward = others[:, None] * (judge + label[:, None]) - 2.0 * total[:, None]
    scale = (
        others[:, None] * (np.abs(judge) + np.abs(label)[:, None]) + 2.0 * np.abs(total)[:, None]
    )
    toward = np.where(np.abs(toward) <= TIE * scale, 0.0, toward)
    signs = -np.sign((judge - label[:, None]) * toward)
    return np.where(np.isfinite(signs), signs, 0.0).astype(np.int64)


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
