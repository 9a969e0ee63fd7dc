"""The fewest votes without which one model no longer reaches another along wins and ties.

A finite rating of one above the other needs such a path (Ford 1957,
https://doi.org/10.1080/00029890.1957.11989117). The fewest votes are a minimum cut, and a maximum
flow finds it exactly (Ford and Fulkerson 1956, https://doi.org/10.4153/CJM-1956-045-5).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from caveat.kernels.vote_kinds import VoteKinds

Floats = npt.NDArray[np.float64]

_MOST = 2**30
"""Capacities are 32-bit; no cut of so many votes is of interest."""


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Votes whose removal leaves no path.

    Attributes
    ----------
    number : int
        No fewer do.
    taken : float array, shape (k,)
        Of each kind.
    """

    number: int
    taken: Floats


def cut_votes(kinds: VoteKinds, above: int, below: int) -> Cut | None:
    """Find the fewest votes without which `above` never beat or tied `below`, even indirectly.

    Returns
    -------
    Cut or None
        None where it takes a billion votes.
    """
    a, b = kinds.pairs.a[kinds.pair], kinds.pairs.b[kinds.pair]
    held = (kinds.weight > 0) & (kinds.count > 0)
    ahead, behind = held & (kinds.result != 1), held & (kinds.result != 0)
    winner = np.concatenate([a[ahead], b[behind]])
    loser = np.concatenate([b[ahead], a[behind]])
    votes = np.concatenate([kinds.count[ahead], kinds.count[behind]])
    m = kinds.pairs.n_models
    summed = coo_array((votes, (winner, loser)), shape=(m, m)).tocsr()
    summed.data = np.minimum(summed.data, _MOST)
    capacity = summed.astype(np.int32)
    found = maximum_flow(capacity, above, below)
    if found.flow_value >= _MOST:
        return None
    rest = capacity - found.flow
    rest.eliminate_zeros()
    near = np.zeros(m, dtype=bool)
    near[breadth_first_order(rest, above, return_predecessors=False)] = True
    out = (near[a] & ~near[b] & ahead) | (near[b] & ~near[a] & behind)
    return Cut(int(found.flow_value), np.where(out, kinds.count, 0.0))
