"""How often one model, run again, gives another answer.

Rao's quadratic entropy with all answers equally far apart (the index of Gini and Simpson), item by
item: the chance that two answers of one model to one item differ. Rao (1982),
https://doi.org/10.1016/0040-5809(82)90004-1.
"""

import numpy as np
import numpy.typing as npt

from caveat.kernels.coincidence import ABSENT, Codes

Floats = npt.NDArray[np.float64]


def within_disagreement(answers: Codes, owner: npt.NDArray[np.integer], *, n_owners: int) -> Floats:
    """Share of pairs of answers of the same model to the same item that differ.

    Parameters
    ----------
    answers : int array, shape (items, columns)
        Codes from 0 per item; `ABSENT` does not count, any other negative code equals no other.
    owner : int array, shape (columns,)
        Model of each column, from 0 to `n_owners` - 1.
    n_owners : int

    Returns
    -------
    float array, shape (items, n_owners)
        nan where a model has fewer than two answers to an item.
    """
    order = np.argsort(owner, kind="stable")
    size = np.bincount(owner, minlength=n_owners)
    place = np.arange(owner.size) - np.repeat(np.cumsum(size) - size, size)
    depth = int(size.max(initial=0))
    stacked = np.full((depth, answers.shape[0], n_owners), ABSENT, dtype=np.int32)
    stacked[place, :, owner[order]] = answers[:, order].T
    n = (stacked != ABSENT).sum(axis=0).astype(np.float64)
    stacked.sort(axis=0)
    # After sorting, an answer equals as many earlier ones as its run is long.
    run = np.zeros(n.shape)
    same = np.zeros(n.shape)
    for k in range(1, depth):
        alike = (stacked[k] == stacked[k - 1]) & (stacked[k] >= 0)
        run = np.where(alike, run + 1.0, 0.0)
        same += run
    pairs = n * (n - 1.0) / 2.0
    return np.where(pairs > 0, 1.0 - same / np.where(pairs > 0, pairs, 1.0), np.nan)
