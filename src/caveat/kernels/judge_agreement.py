"""Agreement of two judges on the same comparisons, with errors that let items be clusters.

Notation: on comparison i the judges give the verdict k (one model, the other, neither) with shares
p_ik and q_ik, 0 or 1 where each judged once; a_i = sum_k p_ik q_ik. Agreement is the mean of a,
chance agreement e = sum_k mean(p_k) mean(q_k), and kappa = (mean(a) - e) / (1 - e): Cohen (1960),
https://doi.org/10.1177/001316446002000104. The error of kappa is the delta method's, as in Fleiss,
Cohen and Everitt (1969), https://doi.org/10.1037/h0028106, summed by cluster.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from caveat.kernels.means import column_means

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Agreement of two judges.

    Attributes
    ----------
    agree, low, high : float
        Mean share of the same verdict.
    kappa, kappa_low, kappa_high : float
        nan where both give one and the same verdict throughout; limits also with one cluster.
    n_clusters : int
    """

    agree: float
    low: float
    high: float
    kappa: float
    kappa_low: float
    kappa_high: float
    n_clusters: int


def judge_agreement(
    one: Floats,
    other: Floats,
    *,
    cluster: npt.NDArray[np.integer] | None = None,
    level: float,
) -> JudgeAgreement:
    """Compare two judges.

    Parameters
    ----------
    one, other : float array, shape (n, k)
        Shares of the verdicts of each judge on each comparison; rows sum to 1.
    cluster : int array, shape (n,), optional
        Codes from 0; each comparison its own by default.
    level : float
        In (0, 1).
    """
    same = (one * other).sum(axis=1)
    mean = column_means(same[:, None], cluster=cluster, level=level)
    p, q = one.mean(axis=0), other.mean(axis=0)
    agree, chance = float(same.mean()), float(p @ q)
    groups = int(mean.n_clusters[0])
    kappa = (agree - chance) / (1.0 - chance) if chance < 1.0 - 1e-12 else math.nan
    half = math.nan
    if math.isfinite(kappa) and groups > 1:
        pull = (same - agree) - (1.0 - kappa) * ((one - p) @ q + (other - q) @ p)
        code = np.arange(same.size) if cluster is None else cluster
        total = np.bincount(code, weights=pull / (1.0 - chance))
        variance = groups / (groups - 1.0) * float(total @ total) / same.size**2
        half = float(stdtrit(groups - 1.0, (1.0 + level) / 2.0)) * math.sqrt(variance)
    return JudgeAgreement(
        agree=agree,
        low=float(mean.low[0]),
        high=float(mean.high[0]),
        kappa=kappa,
        kappa_low=kappa - half,
        kappa_high=min(kappa + half, 1.0) if math.isfinite(half) else math.nan,
        n_clusters=groups,
    )
