"""Disagreement of pairs of models beyond that of one model with itself.

Notation: p_a(c) is the chance that model a gives answer c to an item. Two models disagree with
chance D = 1 - sum p_a p_b, one model run twice with chance W_a = 1 - sum p_a^2, and

    D - (W_a + W_b) / 2 = sum (p_a - p_b)^2 / 2,

item by item: the excess is 0 only where both models give every answer equally often, and never
below (Rao's dissimilarity, 1982, https://doi.org/10.1016/0040-5809(82)90004-1). So the floor of a
pair is the mean of the two models' own, and differences are taken item by item, as all three are
estimated on the same items.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.coincidence import ABSENT, Codes
from caveat.kernels.series_means import SeriesMeans, series_means

Floats = npt.NDArray[np.float64]
Index = npt.NDArray[np.integer]
CHUNK = 6_000_000
"""Values held at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class PairExcess:
    """Disagreement, floor and excess of p pairs on the items where all are known.

    Attributes
    ----------
    disagree, floor : float array, shape (p,)
    excess : SeriesMeans
        Of the difference, item by item.
    """

    disagree: Floats
    floor: Floats
    excess: SeriesMeans


def chunks(pairs: int, items: int) -> list[slice]:
    """Slices of the pairs that fit into memory."""
    step = max(1, CHUNK // max(items, 1))
    return [slice(k, min(k + step, pairs)) for k in range(0, pairs, step)]


def joined(parts: list[SeriesMeans]) -> SeriesMeans:
    """Put series side by side."""
    names = ("mean", "se", "df", "n", "units", "up", "down")
    return SeriesMeans(
        **{name: np.concatenate([getattr(p, name) for p in parts]) for name in names}
    )


def pair_differ(answers: Codes, first: Index, second: Index) -> Floats:
    """Whether the models of each pair answer differently, item by item; shape (items, p).

    Parameters
    ----------
    answers : int array, shape (items, m)
        Codes from 0 per item; `ABSENT` does not count, any other negative code equals no other.
    first, second : int array, shape (p,)
        Columns of each pair.

    Returns
    -------
    float array
        1, 0, or nan where either is absent.
    """
    one, other = answers[:, first], answers[:, second]
    differ: Floats = ((one != other) | (one < 0)).astype(np.float64)
    differ[(one == ABSENT) | (other == ABSENT)] = np.nan
    return differ


def pair_excess(
    answers: Codes,
    within: Floats,
    *,
    first: Index,
    second: Index,
    cluster: npt.NDArray[np.integer] | None,
) -> PairExcess:
    """Compare pairs with the floor of their two models.

    Parameters
    ----------
    answers : int array, shape (items, m)
        See `pair_differ`.
    within : float array, shape (items, m)
        Disagreement of each model with itself on each item; nan where unknown.
    first, second : int array, shape (p,)
    cluster : int array, shape (items,), optional

    Returns
    -------
    PairExcess
    """
    disagree, floors, parts = [], [], []
    for part in chunks(first.size, answers.shape[0]):
        a, b = first[part], second[part]
        differ = pair_differ(answers, a, b)
        floor = (within[:, a] + within[:, b]) / 2.0
        excess = series_means(differ - floor, cluster=cluster)
        known = ~(np.isnan(differ) | np.isnan(floor))
        some = np.where(excess.n > 0, excess.n, np.nan)
        disagree.append(np.where(known, differ, 0.0).sum(axis=0) / some)
        floors.append(np.where(known, floor, 0.0).sum(axis=0) / some)
        parts.append(excess)
    empty = [np.zeros(0)]
    return PairExcess(
        disagree=np.concatenate(disagree or empty),
        floor=np.concatenate(floors or empty),
        excess=joined(parts or [series_means(np.zeros((1, 0)), cluster=None)]),
    )
