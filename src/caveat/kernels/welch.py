"""Are several means equal, each with an error of its own?

Welch (1951), "On the comparison of several mean values: an alternative approach", Biometrika 38,
https://doi.org/10.1093/biomet/38.3-4.330.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import fdtrc

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WelchTest:
    """Test that all means are one; nan with fewer than two that have an error.

    Attributes
    ----------
    f, df, df_within, p : float
    n_means : int
        Means that take part.
    """

    f: float
    df: float
    df_within: float
    p: float
    n_means: int


def welch_test(mean: Floats, se: Floats, df: Floats) -> WelchTest:
    """Test means whose errors differ.

    Parameters
    ----------
    mean, se, df : float array, shape (k,)
        Means without an error above 0 and degrees of freedom are left out.
    """
    known = np.isfinite(mean) & np.isfinite(df) & (se > 0)
    mean, se, df = mean[known], se[known], df[known]
    k = int(known.sum())
    if k < 2:
        return WelchTest(math.nan, math.nan, math.nan, math.nan, k)
    weight = 1.0 / se**2
    share = weight / weight.sum()
    between = float((weight * (mean - share @ mean) ** 2).sum()) / (k - 1)
    loose = float(((1.0 - share) ** 2 / df).sum())
    f = between / (1.0 + 2.0 * (k - 2) / (k**2 - 1) * loose)
    within = (k**2 - 1) / (3.0 * loose)
    return WelchTest(f, k - 1.0, within, float(fdtrc(k - 1.0, within, f)), k)
