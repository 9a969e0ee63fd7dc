"""How much the votes of a pair that share something agree beyond chance.

Votes of one pair on one item, or by one voter, go together. Their intraclass correlation rho is
estimated by the analysis of variance within pairs, over all pairs at once, so that how far pairs
stray from their ratings does not enter; a pair's win share then has 1 + rho (sum n_c^2 / n - 1)
times the variance it would have with independent votes, n_c being the votes of its clusters: Fisher
(1925); Donner (1986), https://doi.org/10.2307/1403259. Where all pairs are asked the same items, a
part of that is in the ratings and not around them: too much is allowed for then, not too little.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from caveat.kernels.clustered import ClusterCells
from caveat.kernels.counts import VoteCells
from caveat.kernels.paired import Units

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Agreement of votes that share something.

    Attributes
    ----------
    rho : float
        Intraclass correlation, not below 0; nan where no pair has two votes that share something
        beside one that does not share it with them.
    inflation : float array, shape (u,)
        Factor on the variance of each pair's win share; ones without a rho.
    """

    rho: float
    inflation: Floats


def together(cells: VoteCells, units: Units, clusters: ClusterCells) -> Together:
    """Estimate the agreement of votes within pairs.

    Parameters
    ----------
    cells : VoteCells
        k cells of unweighted votes.
    units : Units
        u pairs, made of these cells.
    clusters : ClusterCells
        Of these cells.
    """
    place, score = _places(cells, units)
    u, k = units.a.size, cells.a.size
    into = csr_array((np.ones(k), (np.arange(k), place)), shape=(k, u))
    number = (clusters.members @ into).tocoo()
    held = csr_array((score, (np.arange(k), place)), shape=(k, u))
    scored = (clusters.members @ held).tocsr()
    pair, size = number.col, number.data
    total = np.asarray(scored[number.row, pair]).ravel()
    alone = clusters.single

    def summed(by_cluster: Floats, by_vote: Floats) -> Floats:
        both = np.bincount(pair, by_cluster, u) + np.bincount(place, alone * by_vote, u)
        return np.asarray(both, dtype=np.float64)

    n = np.bincount(place, cells.count, u)
    squares = np.bincount(place, cells.count * score**2, u)
    means = summed(total**2 / size, score**2)
    groups, crowding = summed(np.ones(size.size), np.ones(k)), summed(size**2, np.ones(k)) / n
    rho = _correlation(
        between=float((means - np.bincount(place, cells.count * score, u) ** 2 / n).sum()),
        within=float((squares - means).sum()),
        free_between=float((groups - 1.0).sum()),
        free_within=float((n - groups).sum()),
        size=float((n - crowding).sum()),
    )
    agreed = 0.0 if math.isnan(rho) else rho
    return Together(rho, np.asarray(1.0 + agreed * (crowding - 1.0), dtype=np.float64))


def worth(units: Units, inflation: Floats) -> Units:
    """Count the votes of each pair as so many independent ones as their variance is worth.

    Parameters
    ----------
    units : Units
    inflation : float array, shape (u,)
        Factor on the variance of each pair's win share.
    """
    return replace(
        units,
        wins=units.wins / inflation,
        losses=units.losses / inflation,
        ties=units.ties / inflation,
    )


def _places(cells: VoteCells, units: Units) -> tuple[npt.NDArray[np.intp], Floats]:
    """Pair of each cell, and the score of the pair's first model in it."""
    m = cells.n_models
    key = units.a * m + units.b
    straight, turned = cells.a * m + cells.b, cells.b * m + cells.a
    at = np.minimum(np.searchsorted(key, straight), key.size - 1)
    found = key[at] == straight
    return (
        np.where(found, at, np.searchsorted(key, turned)),
        np.where(found, cells.score, 1.0 - cells.score),
    )


def _correlation(
    *, between: float, within: float, free_between: float, free_within: float, size: float
) -> float:
    if free_between <= 0 or free_within <= 0:
        return math.nan
    b, w = between / free_between, within / free_within
    bottom = b + (size / free_between - 1.0) * w
    return min(max((b - w) / bottom, 0.0), 1.0) if bottom > 0 else math.nan
