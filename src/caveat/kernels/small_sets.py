"""All small sets of clusters taken off a board, one by one."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from caveat.kernels.contests import BoardUnderTest, Contest
from caveat.kernels.drop_clusters import ClusterRemovals
from caveat.kernels.removal_path import STRICT
from caveat.kernels.warm_refit import islands, refit

Floats = npt.NDArray[np.float64]
Models = npt.NDArray[np.intp]

MOST_SETS = 1_200
"""Sets tried in all: about a second."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Does one of the models below come to stand above one of those above?"""

    above: Models
    below: Models


@dataclass(frozen=True, slots=True, eq=False)
class SmallSet:
    """A smallest set that answers a question with yes.

    Attributes
    ----------
    contest : Contest
        The two models that are farthest the other way round without it.
    taken : float array, shape (g,)
    """

    contest: Contest
    taken: Floats


@dataclass(frozen=True, slots=True, eq=False)
class SmallSets:
    """What the smallest sets do.

    Attributes
    ----------
    size : int
        All sets of up to so many clusters were tried.
    found : tuple of SmallSet or None
        For each question; None where none of these sets does.
    """

    size: int
    found: tuple[SmallSet | None, ...]


def small_sets(
    board: BoardUnderTest,
    clusters: ClusterRemovals,
    questions: Sequence[Question],
    *,
    most: int = MOST_SETS,
) -> SmallSets:
    """Try every set of one cluster, of two, and so on, as far as `most` sets go.

    Parameters
    ----------
    board : BoardUnderTest
    clusters : ClusterRemovals
        Of any contest.
    questions : sequence of Question
    most : int

    Returns
    -------
    SmallSets
        Sets without which the board falls apart count as if they did nothing.
    """
    g = clusters.held.shape[0]
    found: list[SmallSet | None] = [None] * len(questions)
    size = spent = 0
    while size < g - 1 and spent + comb(g, size + 1) <= most and None in found:
        size += 1
        spent += comb(g, size)
        best = [STRICT] * len(questions)
        waiting = [k for k, answer in enumerate(found) if answer is None]
        for chosen in itertools.combinations(range(g), size):
            theta = _without(board, clusters, chosen)
            if theta is None:
                continue
            for k in waiting:
                contest, lead = _farthest(theta, questions[k])
                if lead > best[k]:
                    best[k] = lead
                    found[k] = SmallSet(contest, _mark(g, chosen))
    return SmallSets(size, tuple(found))


def _without(
    board: BoardUnderTest, clusters: ClusterRemovals, chosen: tuple[int, ...]
) -> Floats | None:
    units = clusters.units(_mark(clusters.held.shape[0], chosen))
    if islands(units).any():
        return None
    fitted = refit(units, ties=board.ties, start=board.refit)
    return fitted.parameters if fitted.converged else None


def _farthest(theta: Floats, question: Question) -> tuple[Contest, float]:
    """Find the lowest of those above, the highest of those below, and how far it is ahead."""
    low = int(question.above[np.argmin(theta[question.above])])
    high = int(question.below[np.argmax(theta[question.below])])
    return Contest(low, high), float(theta[high] - theta[low])


def _mark(g: int, chosen: tuple[int, ...]) -> Floats:
    taken = np.zeros(g)
    taken[list(chosen)] = 1.0
    return taken
