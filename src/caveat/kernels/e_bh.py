"""False discovery control with e-values, whatever their dependence.

The e-BH procedure: Wang and Ramdas (2022), https://doi.org/10.1111/rssb.12489.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Discoveries:
    """What e-BH rejects.

    Attributes
    ----------
    rejected : bool array, shape (k,)
    log_threshold : float
        Least log e-value that was, or with no rejection would have to be, rejected.
    """

    rejected: npt.NDArray[np.bool_]
    log_threshold: float


def e_bh(log_e: Floats, fdr: float) -> Discoveries:
    """Reject the largest e-values so that the false discovery rate is at most `fdr`.

    Parameters
    ----------
    log_e : float array, shape (k,)
        Logs of one e-value per hypothesis; they may depend on each other in any way.
    fdr : float
        Between 0 and 1.

    Returns
    -------
    Discoveries
        The r largest, r the most for which the r-th is at least k / (r * fdr).
    """
    k = log_e.size
    if k == 0:
        return Discoveries(np.zeros(0, dtype=bool), float("inf"))
    bars = np.log(k / fdr) - np.log(np.arange(1.0, k + 1.0))
    enough = np.flatnonzero(np.sort(log_e)[::-1] >= bars)
    if not enough.size:
        return Discoveries(np.zeros(k, dtype=bool), float(bars[0]))
    bar = float(bars[enough[-1]])
    return Discoveries(log_e >= bar, bar)
