"""Intervals and tests of differences between the scores of pairs of models.

Where items are independent, scores right or wrong and fewer than `FEW` items tell two models apart,
the interval is that of Bonett and Price (2012), https://doi.org/10.3102/1076998611411915: one item
is added that only the one, and one that only the other gets right. Two one-sided tests of
equivalence: Schuirmann (1987), https://doi.org/10.1007/BF01068419.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from caveat.kernels.mcnemar import LEAST, mcnemar
from caveat.kernels.paired_scores import PairedScores

Floats = npt.NDArray[np.float64]

FEW = 20
"""Items that tell two models apart, below which a t interval covers less than it says."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedTests:
    """Tests of pairs; entry (i, j) is about i less j, nan where nothing can be said.

    Attributes
    ----------
    low, high : float array, shape (m, m)
        Two-sided interval of the difference, within -1..1 for right and wrong.
    p : float array, shape (m, m)
        Two-sided, of no difference: McNemar's exact one for right and wrong and independent items,
        else that of t.
    p_equivalent : float array, shape (m, m)
        Of a difference at or beyond the margin: the larger of two one-sided tests.
    exact : bool array, shape (m, m)
        Where `p` is McNemar's.
    adjusted : bool array, shape (m, m)
        Where the interval is Bonett and Price's.
    """

    low: Floats
    high: Floats
    p: Floats
    p_equivalent: Floats
    exact: npt.NDArray[np.bool_]
    adjusted: npt.NDArray[np.bool_]


def paired_tests(pairs: PairedScores, *, level: float, margin: float) -> PairedTests:
    """Test all pairs.

    Parameters
    ----------
    pairs : PairedScores
    level : float
        In (0, 1).
    margin : float
        Difference from which models are not equivalent; positive.
    """
    clustered = pairs.clustered.any()
    known = (pairs.n_clusters > 1) & (pairs.n > 1) & np.isfinite(pairs.difference)
    binary, flat = np.isfinite(pairs.only), pairs.plain == 0
    apart = np.where(binary, pairs.only + pairs.only.T, np.nan)
    adjusted = known & binary & (flat if clustered else flat | (apart < FEW))
    exact = known & binary & (flat if clustered else True)
    units = pairs.n_clusters  # with clusters, where all differences are equal, each is one trial
    b, c = (
        np.where(binary, x / np.maximum(pairs.n, 1.0) * units, np.nan)
        for x in (pairs.only, pairs.only.T)
    )
    change = (b - c) / (units + 2.0)
    centre = np.where(adjusted, change, pairs.difference)
    with np.errstate(invalid="ignore"):
        spread = np.sqrt(((b + c + 2.0) / (units + 2.0) - change**2) / (units + 2.0))
        spread = np.where(adjusted, spread, np.where(known & ~flat, pairs.se, np.nan))
    df = np.where(adjusted, np.inf, pairs.df)
    half = stdtrit(df, (1.0 + level) / 2.0) * spread
    with np.errstate(invalid="ignore"):
        p = np.clip(2.0 * stdtr(df, -np.abs(centre) / spread), LEAST, 1.0)
        wide = np.maximum(spread, _least_spread(pairs, binary, margin))
        equal = stdtr(df, (np.abs(centre) - margin) / wide)
        # no item tells them apart: (1 - margin)^n is the chance of that at the margin
        equal = np.where(adjusted & (b + c == 0), max(1.0 - margin, 0.0) ** units, equal)
    p = np.where(exact, mcnemar(np.rint(b).astype(np.float64), np.rint(c).astype(np.float64)).p, p)
    bound = np.where(binary, 1.0, np.inf)
    return PairedTests(
        np.maximum(centre - half, -bound),
        np.minimum(centre + half, bound),
        p,
        np.where(np.isfinite(equal), np.maximum(equal, LEAST), np.nan),
        exact,
        adjusted,
    )


def _least_spread(pairs: PairedScores, binary: npt.NDArray[np.bool_], margin: float) -> Floats:
    """Error at a true difference of the margin: then at least so many items tell two models apart.

    As restricted estimates do in Nam (1997), https://doi.org/10.2307/2533508.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(pairs.plain > 0, pairs.se / pairs.plain, 1.0)
        variance = (np.maximum(pairs.square, margin) - margin**2) / (pairs.n - 1.0)
        least = ratio * np.sqrt(np.maximum(variance, 0.0))
    return np.where(binary & np.isfinite(least), least, 0.0)
