"""How the votes between models carry the comparison of two of them.

A board is a network: models are its nodes, and the information w that the votes of a pair hold
about the difference of the two is the conductance of an edge. The variance of the difference of two
ratings is then the effective resistance R between them; of a unit current sent from one to the
other, the edge (a, b) carries f, and f^2 / w is its part of R. Klein and Randic (1993),
https://doi.org/10.1007/BF01164627; in network meta-analysis: Koenig, Krahn and Binder (2013),
https://doi.org/10.1002/sim.6001.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from caveat.kernels.laplacian import laplacian

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A connected board with its inverse Laplacian.

    Attributes
    ----------
    information : float array, shape (m, m)
        Symmetric, zero diagonal: information of each pair's votes in inverse squared logits.
    inverse : float array, shape (m, m)
        Pseudo-inverse of its Laplacian.
    """

    information: Floats
    inverse: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """How two models are compared.

    Attributes
    ----------
    resistance : float
        Variance of the difference of their ratings, in squared logits.
    direct : float
        Share of the information that is their own votes: w R, 1 where nothing else compares them.
    share : float array, shape (m, m)
        Part of the variance that each pair of models is the cause of; the upper triangle adds up
        to 1.
    through : float array, shape (m,)
        Part of the current that passes through each other model; 1 for one that everything passes;
        0 for the two themselves.
    """

    resistance: float
    direct: float
    share: Floats
    through: Floats


def network(information: Floats) -> Network:
    """Invert the Laplacian of a connected board.

    Parameters
    ----------
    information : float array, shape (m, m)
    """
    m = information.shape[0]
    ones = np.full((m, m), 1.0 / m)
    scale = float(information.sum()) / m
    inverse = np.linalg.inv(laplacian(information) + scale * ones) - ones / scale
    return Network(information, np.asarray((inverse + inverse.T) / 2.0))


def resistances(board: Network) -> Floats:
    """Variance of every difference of ratings; shape (m, m)."""
    own = np.diag(board.inverse)
    return np.asarray(own[:, None] + own[None, :] - 2.0 * board.inverse)


def path(board: Network, first: int, second: int) -> Path:
    """Take the comparison of two models apart.

    Parameters
    ----------
    board : Network
    first, second : int
        Codes.
    """
    potential = board.inverse[first] - board.inverse[second]
    resistance = float(potential[first] - potential[second])
    flow = board.information * (potential[:, None] - potential[None, :])
    through = np.abs(flow).sum(axis=1) / 2.0
    through[[first, second]] = 0.0
    return Path(
        resistance=resistance,
        direct=float(board.information[first, second]) * resistance,
        share=flow * (potential[:, None] - potential[None, :]) / resistance,
        through=through,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Two groups of models.

    Attributes
    ----------
    members : int array
        Models of the group with fewer votes, ascending.
    across : float
        Votes between the groups.
    share : float
        Of the votes that a model of the smaller group took part in, counted once for each of its
        models, those against the other group.
    """

    members: Codes
    across: float
    share: float


def weakest_split(votes: Floats) -> Split | None:
    """Find two groups of at least two models with few votes between them.

    Models are put in the order of the second eigenvector of the normalised Laplacian, and the cut
    of this order with the smallest `share` (the conductance) is taken: at most the root of twice
    the smallest possible one (Cheeger; Chung 1997, "Spectral Graph Theory", chapter 2).

    Parameters
    ----------
    votes : float array, shape (m, m)
        Symmetric, of a connected board.

    Returns
    -------
    Split or None
        None with fewer than four models.
    """
    m = votes.shape[0]
    if m < 4:
        return None
    degree = votes.sum(axis=1)
    root = 1.0 / np.sqrt(degree)
    normal = np.eye(m) - votes * root[:, None] * root[None, :]
    _, vectors = eigh(normal, subset_by_index=[1, 1])
    order = np.argsort(vectors[:, 0] * root, kind="stable")
    held = np.cumsum(degree[order])
    within = 2.0 * np.cumsum(np.tril(votes[np.ix_(order, order)], -1).sum(axis=1))
    across, smaller = held - within, np.minimum(held, held[-1] - held)
    cuts = np.arange(1, m - 2)  # after the second model, up to before the last but one
    best = int(cuts[np.argmin(across[cuts] / smaller[cuts])])
    low = held[best] <= held[-1] / 2.0
    members = np.sort(order[: best + 1] if low else order[best + 1 :])
    return Split(members, float(across[best]), float(across[best] / smaller[best]))


def cut_models(met: Bools) -> tuple[tuple[int, Codes], ...]:
    """Find models without which others have no votes with the rest.

    Parameters
    ----------
    met : bool array, shape (m, m)
        Symmetric: which models met; connected.

    Returns
    -------
    tuple of (int, int array)
        The model, and the models that only it ties to the largest group left; by code.
    """
    found = []
    for model in np.flatnonzero(_articulation(met)):
        rest = np.delete(np.arange(met.shape[0]), model)
        _, label = connected_components(csr_array(met[np.ix_(rest, rest)]), directed=False)
        largest = np.bincount(label).argmax()
        found.append((int(model), rest[label != largest]))
    return tuple(found)


def _articulation(met: Bools) -> Bools:
    """Cut vertices of a connected graph (Hopcroft and Tarjan 1973), without recursion."""
    m = met.shape[0]
    neighbours = [np.flatnonzero(row).tolist() for row in met]
    seen, low = [-1] * m, [0] * m
    cut = np.zeros(m, dtype=bool)
    seen[0] = clock = 0
    stack = [(0, -1, iter(neighbours[0]))]
    from_root = 0
    while stack:
        model, parent, others = stack[-1]
        for other in others:
            if seen[other] < 0:
                clock += 1
                seen[other] = low[other] = clock
                stack.append((other, model, iter(neighbours[other])))
                break
            if other != parent:
                low[model] = min(low[model], seen[other])
        else:
            stack.pop()
            if parent == 0:
                from_root += 1
            elif parent > 0:
                low[parent] = min(low[parent], low[model])
                cut[parent] |= low[model] >= seen[parent]
    cut[0] = from_root > 1
    return cut
