"""Merge small groups until none is below a threshold, so that no figure tells of too few."""

import numpy as np
import numpy.typing as npt


def merged_with_others(
    sizes: npt.NDArray[np.integer], threshold: int
) -> npt.NDArray[np.bool_] | None:
    """Choose the groups that are shown as one.

    Groups below the threshold are merged. While they are below it together, the smallest group
    left joins them: if it did not, the size of what is merged could be found by subtraction.

    Parameters
    ----------
    sizes : int array, shape (k,)
        Not negative; empty groups count for nothing and are not merged.
    threshold : int
        At least 1.

    Returns
    -------
    bool array, shape (k,), or None
        Which groups are merged; none of them if all are large enough. None if all of them together
        are below the threshold.
    """
    total = int(sizes.sum())
    if total < threshold:
        return None
    merged = (sizes > 0) & (sizes < threshold)
    for place in np.argsort(sizes, kind="stable"):
        together = int(sizes[merged].sum())
        if together == 0 or together >= threshold:
            break
        if sizes[place] > 0:
            merged[place] = True
    return merged
