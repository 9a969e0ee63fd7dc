"""p values of a family of tests, adjusted.

Holm (1979), https://www.jstor.org/stable/4615733; Benjamini and Hochberg (1995),
https://doi.org/10.1111/j.2517-6161.1995.tb02031.x; Benjamini and Yekutieli (2001),
https://doi.org/10.1214/aos/1013699998.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_Factor = Callable[[int], Floats]
_Monotone = Callable[[Floats], Floats]


def holm(p: Floats) -> Floats:
    """Adjust p values so that no true hypothesis is rejected with the stated probability.

    Parameters
    ----------
    p : float array, shape (n,)
        nan where there is no test; it stays nan and does not count.
    """
    return _adjusted(p, lambda n: n - np.arange(n, dtype=np.float64), np.maximum.accumulate)


def benjamini_hochberg(p: Floats) -> Floats:
    """Adjust p values so that the expected share of false rejections is bounded.

    Parameters
    ----------
    p : float array, shape (n,)
        nan where there is no test; it stays nan and does not count. Independent or positively
        dependent tests.
    """
    return _adjusted(
        p,
        lambda n: n / np.arange(1.0, n + 1.0),
        lambda ordered: np.minimum.accumulate(ordered[::-1])[::-1],
    )


def benjamini_yekutieli(p: Floats) -> Floats:
    """Adjust p values so that the expected share of false rejections is bounded, always.

    Parameters
    ----------
    p : float array, shape (n,)
        nan where there is no test; it stays nan and does not count. Tests may depend on each
        other in any way.
    """

    def factor(n: int) -> Floats:
        ranks = np.arange(1.0, n + 1.0)
        scaled: Floats = n * (1.0 / ranks).sum() / ranks
        return scaled

    return _adjusted(p, factor, lambda ordered: np.minimum.accumulate(ordered[::-1])[::-1])


def _adjusted(p: Floats, factor: _Factor, monotone: _Monotone) -> Floats:
    made = np.full(p.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    made[order] = np.minimum(1.0, monotone(p[order] * factor(order.size)))
    return made
