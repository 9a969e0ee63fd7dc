"""Kendall's rank correlation, tau-b.

Kendall (1945), https://doi.org/10.1093/biomet/33.3.239: concordant less discordant pairs, by the
geometric mean of the pairs that each of the two orders tells apart.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def kendall_tau(x: Floats, y: Floats) -> float:
    """Tau-b of two sets of scores.

    Parameters
    ----------
    x, y : float array, shape (m,)

    Returns
    -------
    float
        nan for fewer than two, or where all are equal.
    """
    upper = np.triu_indices(x.size, k=1)
    one, other = (np.sign(v[:, None] - v[None, :])[upper] for v in (x, y))
    told = float(np.count_nonzero(one)) * float(np.count_nonzero(other))
    return float((one * other).sum() / np.sqrt(told)) if told else float("nan")
