"""An order of models in which alike ones are neighbours."""

import numpy as np
import numpy.typing as npt


def cluster_order(distance: npt.NDArray[np.float64]) -> tuple[int, ...]:
    """Leaves of an average-linkage tree.

    Parameters
    ----------
    distance : float array, shape (m, m)
        Symmetric; nan (no common items) counts as the largest distance there is.

    Returns
    -------
    tuple of int
        A permutation of 0..m-1.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    m = distance.shape[0]
    if m < 3:
        return tuple(range(m))
    finite = np.isfinite(distance)
    filled = np.where(finite, distance, distance[finite].max(initial=1.0))
    np.fill_diagonal(filled, 0.0)
    tree = linkage(squareform(filled, checks=False), method="average")
    return tuple(int(leaf) for leaf in leaves_list(tree))
