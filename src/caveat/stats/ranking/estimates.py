"""Ratings with their uncertainty, in the unit they are shown in, whatever made them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from caveat import _validate
from caveat.errors import InputError
from caveat.kernels.rank_sets import difference_errors

Floats = npt.NDArray[np.float64]

MIN_REPLICATES = 100
MAX_FAILED = 0.01
"""Share of replicates that may fall apart: they are the extreme ones, and the percentiles of the
rest would leave them out."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimates:
    """Ratings of m models.

    Attributes
    ----------
    members : int array, shape (m,)
        Codes of the rated models among all models of the votes.
    rating, se, low, high : float array, shape (m,)
    covariance : float array, shape (m, m)
        What rank intervals are made from.
    replicates, failed : int
        Of a bootstrap.
    degrees : float or None
        Degrees of freedom of the errors; None for normal ones.
    unclear : str
        Why no model has a standard error, where that is known.
    """

    members: npt.NDArray[np.intp]
    rating: Floats
    se: Floats
    low: Floats
    high: Floats
    covariance: Floats
    replicates: int = 0
    failed: int = 0
    degrees: float | None = None
    unclear: str = ""

    @property
    def why_no_error(self) -> str:
        """Why a rated model may lack a standard error."""
        if self.unclear:
            return self.unclear
        if self.failed:
            return f"{self.failed} resampled boards fell apart: use the sandwich interval"
        return "no variation among its votes: no standard error"


def from_covariance(
    members: npt.NDArray[np.intp],
    rating: Floats,
    covariance: Floats,
    *,
    level: float,
    degrees: float | None = None,
    anchor: int | None = None,
) -> Estimates:
    """Put intervals around ratings by normal theory, or by Student's t.

    `anchor` is the place of the model whose rating is fixed: its error is 0, not undefined. Where
    it is not given it is the one whose row of the covariance is all zero.
    """
    variance = np.diag(covariance)
    # Rounding leaves about 1e-16 of the largest where there is none.
    told = variance > 1e-12 * variance.max(initial=0.0)
    told |= ~covariance.any(axis=1) if anchor is None else np.arange(variance.size) == anchor
    told &= np.isfinite(difference_errors(covariance)).any(axis=1)
    se = np.sqrt(np.where(told, variance, np.nan))
    tail = (1.0 + level) / 2.0
    half = float(ndtri(tail) if degrees is None else stdtrit(degrees, tail)) * se
    return Estimates(
        members=members,
        rating=rating,
        se=se,
        low=rating - half,
        high=rating + half,
        covariance=covariance,
        degrees=degrees,
    )


def from_replicates(
    members: npt.NDArray[np.intp],
    rating: Floats,
    drawn: Floats,
    *,
    level: float,
    replicates: int,
    covariance: Floats | None = None,
    scale: Floats | None = None,
    degrees: float | None = None,
) -> Estimates:
    """Percentile intervals and standard errors of resampled ratings.

    Parameters
    ----------
    members : int array, shape (m,)
    rating : float array, shape (m,)
    drawn : float array, shape (r, m)
        Ratings of the replicates that have them.
    level : float
    replicates : int
        Asked for.
    covariance : float array, shape (m, m), optional
        For rank intervals, where it is known from elsewhere; else that of the replicates.
    scale : float array, shape (m,), optional
        What the spread of the replicates is to be multiplied by.
    degrees : float, optional
        Degrees of freedom: limits are stretched by the quantile of Student's t over the normal one
        (the expanded percentile interval of Hesterberg 2015,
        https://doi.org/10.1080/00031305.2015.1089789).
    """
    failed = replicates - drawn.shape[0]
    low = high = se = np.full(rating.size, np.nan)
    spread = np.full((rating.size, rating.size), np.nan)
    if failed <= MAX_FAILED * replicates:
        se = drawn.std(axis=0, ddof=1)
        # Positions p (r + 1): on average the tails beyond are p of the distribution. The usual ones
        # leave out too much: with 200 replicates 6% in place of 5%.
        tails = [(1 - level) / 2, (1 + level) / 2]
        low, high = np.quantile(drawn, tails, axis=0, method="weibull")
        spread = np.atleast_2d(np.cov(drawn, rowvar=False))
        se = se if scale is None else se * scale
        stretch = np.ones(rating.size) if scale is None else scale
        if degrees is not None:
            tail = (1.0 + level) / 2.0
            stretch = stretch * float(stdtrit(degrees, tail) / ndtri(tail))
        low, high = rating + stretch * (low - rating), rating + stretch * (high - rating)
    return Estimates(
        members=members,
        rating=rating,
        se=se,
        low=low,
        high=high,
        covariance=spread if covariance is None else covariance,
        replicates=replicates,
        failed=failed,
        degrees=degrees,
    )


def check_replicates(bootstrap: int, *, weighted: bool) -> None:
    """Refuse too few replicates, and resampling votes whose weights are mixed up in cells.

    Raises
    ------
    InputError
    """
    if bootstrap:
        _validate.at_least("bootstrap", bootstrap, MIN_REPLICATES)
        if weighted:
            raise InputError("bootstrap must be 0 for weighted votes: their cells mix weights")
