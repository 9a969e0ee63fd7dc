"""Clusters of items for errors."""

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import ResponseMatrix


def item_clusters(matrix: ResponseMatrix) -> npt.NDArray[np.int64] | None:
    """Code the cluster of each item; one without a cluster is its own.

    Returns
    -------
    int array, shape (items,), or None
        None where the source names no cluster, or each has one item.
    """
    if matrix.cluster is None:
        return None
    alone = matrix.cluster < 0
    first = int(matrix.cluster.max(initial=0)) + 1
    code = np.where(alone, first - 1 + np.cumsum(alone), matrix.cluster).astype(np.int64)
    return code if code.size and np.bincount(code).max() > 1 else None
