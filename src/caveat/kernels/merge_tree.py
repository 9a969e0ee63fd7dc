"""A tree of models in which alike ones are neighbours."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MergeTree:
    """Which models join at which distance.

    Attributes
    ----------
    order : tuple of int
        Leaves from one end to the other: a permutation of 0..m-1.
    merges : tuple of (int, int, float)
        Both branches and the height of each merge, lowest first; branch m + k is merge k.
    """

    order: tuple[int, ...]
    merges: tuple[tuple[int, int, float], ...]


def merge_tree(distance: Floats) -> MergeTree:
    """Average-linkage tree.

    Parameters
    ----------
    distance : float array, shape (m, m)
        Symmetric; nan (no common items) counts as the largest distance there is.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    m = distance.shape[0]
    finite = np.isfinite(distance)
    filled = np.where(finite, distance, distance[finite].max(initial=1.0))
    np.fill_diagonal(filled, 0.0)
    if m < 3:
        merges = ((0, 1, float(filled[0, 1])),) if m == 2 else ()
        return MergeTree(order=tuple(range(m)), merges=merges)
    tree = linkage(squareform(filled, checks=False), method="average")
    return MergeTree(
        order=tuple(int(leaf) for leaf in leaves_list(tree)),
        merges=tuple((int(a), int(b), float(height)) for a, b, height, _ in tree),
    )
