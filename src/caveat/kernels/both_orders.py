"""Verdicts on the same two answers, shown once in each order.

With odds of e^(d + b) for the answer shown first in one order and e^(-d + b) in the other, where d
is whatever the judge thinks of the two and b the advantage of going first, P(first wins both times)
/ P(second wins both times) = e^(2b): d cancels, item by item, so the estimate b = ln(n_first /
n_second) / 2 needs no ratings. It is the conditional estimate of paired binary data; the exact test
is McNemar's (1947), https://doi.org/10.1007/BF02295996.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, logit

from caveat.kernels.means import column_means

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]

FIRST, SECOND, TIE = 0, 1, 2
"""Verdicts in terms of the order shown."""


@dataclass(frozen=True, slots=True, eq=False)
class BothOrders:
    """What becomes of verdicts when the order is turned.

    Attributes
    ----------
    table : int array, shape (3, 3)
        Pairs of verdicts by what was said in one order (rows) and in the other: the first shown,
        the second shown, a tie.
    consistent, low, high : float
        Share of pairs with the same verdict on the same answers; clustered interval.
    p : float
        Exact two-sided sign test of no advantage, over pairs whose verdict turns with the order;
        at least the smallest number there is.
    advantage, advantage_low, advantage_high : float
        Of the answer shown first, in logits; nan or infinite where the votes do not bound it.
    n_clusters : int
    """

    table: npt.NDArray[np.int64]
    consistent: float
    low: float
    high: float
    p: float
    advantage: float
    advantage_low: float
    advantage_high: float
    n_clusters: int

    @property
    def first_both(self) -> int:
        """Pairs in which whatever was shown first won."""
        return int(self.table[FIRST, FIRST])

    @property
    def second_both(self) -> int:
        """Pairs in which whatever was shown second won."""
        return int(self.table[SECOND, SECOND])

    @property
    def first_half(self) -> int:
        """Pairs with a win of the first and a tie."""
        return int(self.table[FIRST, TIE] + self.table[TIE, FIRST])

    @property
    def second_half(self) -> int:
        """Pairs with a win of the second and a tie."""
        return int(self.table[SECOND, TIE] + self.table[TIE, SECOND])


def both_orders(
    one: Codes, other: Codes, *, cluster: Codes | None = None, level: float
) -> BothOrders:
    """Compare verdicts on the same answers in both orders.

    Parameters
    ----------
    one, other : int array, shape (n,)
        0 the answer shown first won, 1 the second, 2 or 3 neither; `other` is about the same two
        answers in the other order.
    cluster : int array, shape (n,), optional
        Codes from 0 of what pairs share; each is its own by default.
    level : float
        In (0, 1).
    """
    one, other = np.minimum(one, TIE), np.minimum(other, TIE)
    table = np.bincount(one * 3 + other, minlength=9).reshape(3, 3).astype(np.int64)
    turned = np.array([SECOND, FIRST, TIE])
    same = column_means((turned[one] == other)[:, None].astype(float), cluster=cluster, level=level)
    flips = (one == other) & (one != TIE)
    share = column_means(
        (one[flips] == FIRST)[:, None].astype(float),
        cluster=None if cluster is None or not flips.any() else cluster[flips],
        level=level,
    )
    return BothOrders(
        table=table,
        consistent=float(same.mean[0]),
        low=float(same.low[0]),
        high=float(same.high[0]),
        p=_sign_test(table),
        advantage=_half_logit(float(share.mean[0])),
        advantage_low=float(logit(share.low[0]) / 2.0),
        advantage_high=float(logit(share.high[0]) / 2.0),
        n_clusters=int(same.n_clusters[0]),
    )


def _half_logit(share: float) -> float:
    return float(logit(share) / 2.0) if 0.0 < share < 1.0 else float("nan")


def _sign_test(table: npt.NDArray[np.int64]) -> float:
    ahead = table[FIRST, FIRST] + table[FIRST, TIE] + table[TIE, FIRST]
    behind = table[SECOND, SECOND] + table[SECOND, TIE] + table[TIE, SECOND]
    n = int(ahead + behind)
    if not n:
        return float("nan")
    least = float(np.finfo(np.float64).tiny)
    return min(1.0, max(least, 2.0 * float(bdtr(float(min(ahead, behind)), n, 0.5))))
