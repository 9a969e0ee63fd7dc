"""McNemar's exact test: do two models differ on the items that one of them gets right?

McNemar (1947), https://doi.org/10.1007/BF02295996; the exact form is a sign test of the b items
only the one and the c items only the other gets right. The mid-p value, which is less
conservative, is that of Fagerland, Lydersen and Laake (2013),
https://doi.org/10.1186/1471-2288-13-91.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, gammaln

Floats = npt.NDArray[np.float64]

LEAST = float(np.finfo(np.float64).tiny)
"""Smallest p value told: no test is certain."""
_FAR = 1e-250  # tails below this are summed as logarithms
_TERMS = 2_000  # each is less than 0.9 of the one before it, that far out


@dataclass(frozen=True, slots=True, eq=False)
class McNemar:
    """Exact two-sided test; nan where a count is.

    Attributes
    ----------
    p, mid_p : float array
        1 where no item tells the two apart; at least `LEAST`.
    log10_p : float array
        Not bounded by what a number can hold.
    """

    p: Floats
    mid_p: Floats
    log10_p: Floats


def mcnemar(b: Floats, c: Floats) -> McNemar:
    """Test that b and c of b + c items are halves but for chance.

    Parameters
    ----------
    b, c : float array, one shape
        Items that only the one, and only the other, gets right.
    """
    k, n = np.minimum(b, c), b + c
    known = np.isfinite(n)
    k, n = np.where(known, k, 0.0), np.where(known, n, 0.0)
    tail = bdtr(k, n.astype(np.int64), 0.5)
    point = np.exp(_log_point(k, n))
    far = tail < _FAR
    log_p = np.log(2.0) + np.log(np.maximum(tail, LEAST))
    if far.any():
        log_p = np.where(far, np.log(2.0) + _log_tail(k, n, far), log_p)
    log_p = np.where(known, np.minimum(log_p, 0.0), np.nan)
    p = np.where(known, np.clip(2.0 * tail, LEAST, 1.0), np.nan)
    mid = np.where(known, np.clip(2.0 * tail - point, LEAST, 1.0), np.nan)
    mid = np.where(known & (b == c), 1.0, mid)
    return McNemar(p, mid, log_p / math.log(10.0))


def _log_point(k: Floats, n: Floats) -> Floats:
    """Log of the chance of k of n heads."""
    made: Floats = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) - n * math.log(2.0)
    return made


def _log_tail(k: Floats, n: Floats, where: npt.NDArray[np.bool_]) -> Floats:
    """Log of the chance of at most k heads, from the largest term down."""
    made = np.full(k.shape, -np.inf)
    low, all_of = k[where], n[where]
    term, total = np.ones(low.size), np.ones(low.size)
    for j in range(_TERMS):
        term = term * np.maximum(low - j, 0.0) / (all_of - low + j + 1.0)
        total += term
        if (term < 1e-17 * total).all():
            break
    made[where] = _log_point(low, all_of) + np.log(total)
    return made
