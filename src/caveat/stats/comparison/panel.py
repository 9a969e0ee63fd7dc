"""Which models and items make up a crowd."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from caveat import _rng
from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import ResponseMatrix
from caveat.errors import TooFewError
from caveat.kernels.coincidence import by_popularity
from caveat.kernels.means import Means
from caveat.stats.comparison.keys import option_numbers

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

FOLDS = 5
WIDER = 1.5
"""By how much intervals grow where folds chose differently: with five folds, the variance of their
mean is 1/5 + 1/4 of that of one fold rather than 1/5 (Nadeau and Bengio 2003,
https://doi.org/10.1023/A:1024068626366)."""
HALF = 0.5
"""Share of the items that the models counted have in common at least."""
MOST_LABELS = 256
"""Distinct answers beyond which each item's answers are numbered by themselves."""


@dataclass(slots=True, eq=False)
class Panel:
    """Models and items that are counted.

    Attributes
    ----------
    names : tuple of str
        Models, best first.
    left_out : int array
        Columns of the models that lack too many items.
    answer : int array, shape (n, m)
        Codes from 0; below 0 where there is no answer.
    score : float array, shape (n, m)
        0 or 1.
    options : float array, shape (n,)
        At least the distinct answers to the item; nan where unknown.
    cluster : int array, shape (n,) or None
    fold : int array, shape (n,)
    reasons : dict
        Why a figure is undefined.
    notes : list of str
    """

    names: tuple[str, ...]
    left_out: Ints
    answer: npt.NDArray[np.int32]
    score: Floats
    options: Floats
    cluster: Ints | None
    fold: Ints
    reasons: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def splits(self) -> Iterator[Mask]:
        """Yield the items of each fold; those that leave no others to choose by are passed over."""
        for fold in range(FOLDS):
            own = self.fold == fold
            if own.any() and not own.all():
                yield own

    def best_first(self, items: npt.NDArray[np.bool_]) -> list[int]:
        """Order the models by their mean score on some of the items, equal ones by name."""
        return _best_first(self.score[items].mean(axis=0), self.names)


def panel_of(matrix: ResponseMatrix, *, seed: int) -> Panel:
    """Choose the models, and the items that all of them have a score on.

    Parameters
    ----------
    matrix : ResponseMatrix
    seed : int
        Of the division of items into folds; items of one cluster stay together, and the order of
        the source plays no part.

    Raises
    ------
    TooFewError
        With fewer than two models that have a score on the same items.
    """
    models, items = _common(matrix)
    if models.size < 2 or not items.size:
        raise TooFewError(
            f"models of {matrix.benchmark} with scores on the same items",
            got=min(int(models.size), 1),
            need=2,
        )
    items = np.array(sorted(items.tolist(), key=lambda j: matrix.items[j]), dtype=np.int64)
    score = matrix.score[np.ix_(items, models)]
    order = _best_first(score.mean(axis=0), tuple(matrix.models[j] for j in models.tolist()))
    models, score = models[order], score[:, order]
    answer = matrix.answer[np.ix_(items, models)]
    if len(matrix.labels) > MOST_LABELS:
        answer = by_popularity(answer)
    cluster = item_clusters(matrix)
    own = None if cluster is None else _renumbered(cluster[items])
    panel = Panel(
        names=tuple(matrix.models[j] for j in models.tolist()),
        left_out=np.setdiff1d(np.arange(len(matrix.models)), models),
        answer=answer,
        score=score,
        options=_options(option_numbers(matrix)[items], answer),
        cluster=own,
        fold=_folds(own, items.size, seed),
    )
    if items.size < len(matrix.items):
        panel.notes.append(
            f"{items.size:,} of {len(matrix.items):,} items are counted: those on which all "
            f"{models.size:,} models have a score"
        )
    return panel


def interval(
    means: Means, column: int, *, same: bool, within: tuple[float, float]
) -> tuple[float, float]:
    """Return an interval of a mean over folds, wider where they did not choose the same models."""
    mean, wider = float(means.mean[column]), 1.0 if same else WIDER
    low = mean - wider * (mean - float(means.low[column]))
    high = mean + wider * (float(means.high[column]) - mean)
    return max(low, within[0]), min(high, within[1])


def _common(matrix: ResponseMatrix) -> tuple[Ints, Ints]:
    """Most models that still have half of the items in common, and these items."""
    known = np.isfinite(matrix.score)
    number = known.sum(axis=0)
    order = np.array(
        sorted(range(number.size), key=lambda j: (-number[j], matrix.models[j])), dtype=np.int64
    )
    order = order[number[order] > 0]
    wanted = HALF * known.any(axis=1).sum()
    shared = np.ones(known.shape[0], dtype=bool)
    kept = 0
    for model in order:
        more = shared & known[:, model]
        if kept >= 2 and more.sum() < wanted:
            break
        shared, kept = more, kept + 1
    return order[:kept], np.flatnonzero(shared)


def _best_first(mean: Floats, names: tuple[str, ...]) -> list[int]:
    return sorted(range(mean.size), key=lambda j: (-mean[j], names[j]))


def _renumbered(cluster: Ints) -> Ints:
    """Give clusters numbers in the order of their first items."""
    values, first, place = np.unique(cluster, return_index=True, return_inverse=True)
    rank = np.empty(values.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(values.size)
    return rank[place]


def _folds(cluster: Ints | None, n: int, seed: int) -> Ints:
    units = n if cluster is None else int(cluster.max()) + 1
    fold: Ints = _rng.as_generator(seed).permutation(units) % FOLDS
    return fold if cluster is None else fold[cluster]


def _options(options: Floats, answer: npt.NDArray[np.int32]) -> Floats:
    """No fewer options than distinct answers, and two at least."""
    ordered = np.sort(answer, axis=1)
    new = (ordered[:, 1:] != ordered[:, :-1]) & (ordered[:, 1:] >= 0)
    distinct = new.sum(axis=1) + (ordered[:, 0] >= 0)
    least: Floats = np.maximum(options, np.maximum(distinct, 2))
    return least
