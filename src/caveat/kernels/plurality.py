"""Votes of models on items: the answer most of them give, and how often it is right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """The vote of a crowd on n items.

    Attributes
    ----------
    credit : float array, shape (n,)
        Score of the winning answer, the mean over the answers where several are tied; 0 where no
        model gave an answer.
    top : int array, shape (n,)
        Models that gave the winning answer.
    answered : int array, shape (n,)
        Models that gave an answer.
    tied : int array, shape (n,)
        Answers that share the first place; 0 where there is none.
    """

    credit: Floats
    top: npt.NDArray[np.int64]
    answered: npt.NDArray[np.int64]
    tied: npt.NDArray[np.int64]


def growing_votes(
    answer: Ints, score: Floats, order: Sequence[int], sizes: Sequence[int]
) -> Iterator[Votes]:
    """Yield the vote of the first k models of `order` for each k of `sizes`.

    Parameters
    ----------
    answer : int array, shape (n, m)
        Codes from 0, small ones best; below 0 where there is no answer, which is no vote.
    score : float array, shape (n, m)
        Of each answer; an answer is worth the mean score of the models that gave it.
    order : sequence of int
        Columns.
    sizes : sequence of int
        Ascending.
    """
    n = answer.shape[0]
    width = int(answer.max(initial=0)) + 1
    counts = np.zeros((n, width), dtype=np.int64)
    earned = np.zeros((n, width))
    start = 0
    for size in sizes:
        for model in order[start:size]:
            given = np.flatnonzero(answer[:, model] >= 0)
            code = answer[given, model]
            counts[given, code] += 1
            earned[given, code] += score[given, model]
        start = size
        yield tally(counts, earned)


def tally(counts: npt.NDArray[np.int64], earned: Floats) -> Votes:
    """Find the winners, from models and sums of scores by item and answer."""
    top = counts.max(axis=1)
    first = (counts == top[:, None]) & (counts > 0)
    tied = first.sum(axis=1)
    credit = np.where(first, earned, 0.0).sum(axis=1) / np.maximum(tied * top, 1)
    return Votes(credit, top, counts.sum(axis=1), tied)


def chance_if_independent(answer: Ints, share: Floats, options: Floats) -> Floats:
    """Chance that the winning answer is right if models erred independently.

    Parameters
    ----------
    answer : int array, shape (n, m)
        Codes from 0; below 0 where there is no answer.
    share : float array, shape (m,)
        How often each model is right when it answers, strictly between 0 and 1.
    options : float array, shape (n,)
        Options of each item, all wrong ones equally likely; at least the distinct answers.

    Returns
    -------
    float array, shape (n,)
        Of Bayes' rule with every option equally likely beforehand; the mean over winners that are
        tied; nan without an answer or with one option only.
    """
    n, m = answer.shape
    width = int(answer.max(initial=0)) + 1
    counts = np.zeros((n, width))
    odds = np.zeros((n, width))
    rows = np.arange(n)
    for model in range(m):
        given = answer[:, model] >= 0
        code = answer[given, model]
        counts[rows[given], code] += 1.0
        odds[rows[given], code] += np.log(share[model] / (1.0 - share[model]))
    with np.errstate(divide="ignore", invalid="ignore"):
        odds += counts * np.log(options - 1.0)[:, None]
    seen = counts > 0
    top = np.where(seen, odds, 0.0).max(axis=1)
    weight = np.where(seen, np.exp(odds - top[:, None]), 0.0)
    unseen = np.maximum(options - seen.sum(axis=1), 0.0) * np.exp(-top)
    most = counts.max(axis=1)
    first = seen & (counts == most[:, None])
    chance: Floats = np.where(first, weight, 0.0).sum(axis=1)
    chance /= np.maximum(first.sum(axis=1), 1) * (weight.sum(axis=1) + unseen)
    return np.where((most > 0) & (options > 1), chance, np.nan)
