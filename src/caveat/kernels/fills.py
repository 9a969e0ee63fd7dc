"""Does one answer stand out among answers that should not be there?"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import bdtrc, gammaln, logsumexp

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Excess:
    """The most frequent answer, and how far beyond its usual share it is.

    Attributes
    ----------
    code : int
    expected : float
        Its share among the readable answers; nan when there are none.
    p : float
        One-sided p value of Fisher's exact test, times the number of possible answers, at most 1.
    """

    code: int
    expected: float
    p: float


def largest_excess(filled: Floats, readable: Floats, *, n_readable: int, n_answers: int) -> Excess:
    """Compare the most frequent answer among `filled` with its share among readable answers.

    Both shares are estimates, so the table of filled and readable rows with this answer and with
    another is tested, not the filled rows against a share taken for known.

    Parameters
    ----------
    filled, readable : float array, shape (k,)
        Counts per answer: of rows that should hold none, and of readable rows.
    n_readable, n_answers : int
        Readable rows with any answer, and distinct answers there are.

    Returns
    -------
    Excess
    """
    code = int(filled.argmax())
    own = int(readable[code])
    p = hypergeometric_tail(
        int(filled[code]),
        draws=int(filled.sum()),
        marked=int(filled[code]) + own,
        total=int(filled.sum()) + n_readable,
    )
    expected = own / n_readable if n_readable else float("nan")
    return Excess(code, expected, min(1.0, p * n_answers))


def hypergeometric_tail(successes: int, *, draws: int, marked: int, total: int) -> float:
    """Probability of `successes` marked or more among `draws` of `total` without replacement."""
    k = np.arange(max(successes, draws + marked - total, 0), min(draws, marked) + 1)
    if not k.size:
        return 0.0
    terms = _log_choose(marked, k) + _log_choose(total - marked, draws - k)
    return min(1.0, float(np.exp(logsumexp(terms) - _log_choose(total, draws))))


def _log_choose(n: int, k: npt.NDArray[np.int64] | int) -> Floats:
    chosen = np.asarray(k, dtype=np.float64)
    logarithm: Floats = gammaln(n + 1.0) - gammaln(chosen + 1.0) - gammaln(n - chosen + 1.0)
    return logarithm


def tail(successes: int, n: int, share: float) -> float:
    """Probability of `successes` or more out of `n`; nan when `share` is."""
    if successes <= 0:
        return 1.0 if np.isfinite(share) else float("nan")
    return float(bdtrc(successes - 1, n, share))
