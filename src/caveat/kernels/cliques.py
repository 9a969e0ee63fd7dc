"""Groups in which every member may stand for every other: complete linkage.

Not being told apart is not transitive: A and B, and B and C, may be interchangeable though A and C
are not. Complete linkage joins groups only where all their members are, so that a group is a
clique. Which of several partitions into cliques comes out depends on distances and, at equal ones,
on the order of the members.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_APART = 2.0
"""Distance of pairs that must not share a group: above all others, which are 0 to 1."""


def cliques(together: npt.NDArray[np.bool_], distance: Floats) -> tuple[tuple[int, ...], ...]:
    """Split members into groups of pairs that may be together, the nearest first.

    Parameters
    ----------
    together : bool array, shape (m, m)
        Symmetric.
    distance : float array, shape (m, m)
        Symmetric, in 0..1; nan counts as 1.

    Returns
    -------
    tuple of tuple of int
        Groups of two or more, largest first and at equal size by their first member.
    """
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    m = together.shape[0]
    if m < 2:
        return ()
    cost = np.where(together, np.clip(np.nan_to_num(distance, nan=1.0), 0.0, 1.0), _APART)
    np.fill_diagonal(cost, 0.0)
    tree = linkage(squareform(cost, checks=False), method="complete")
    label = fcluster(tree, t=(1.0 + _APART) / 2.0, criterion="distance")
    groups = [tuple(np.flatnonzero(label == one).tolist()) for one in np.unique(label)]
    return tuple(sorted((g for g in groups if len(g) > 1), key=lambda g: (-len(g), g[0])))
