"""Does one answer stand out among answers that should not be there?"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import bdtrc

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Excess:
    """The answer that is most over-represented.

    Attributes
    ----------
    code : int
    expected : float
        Its share among the readable answers.
    p : float
        One-sided binomial p value, times the number of possible answers, at most 1.
    """

    code: int
    expected: float
    p: float


def largest_excess(filled: Floats, readable: Floats, *, n_readable: int, n_answers: int) -> Excess:
    """Compare the most frequent answer among `filled` with its share among readable answers.

    Parameters
    ----------
    filled, readable : float array, shape (k,)
        Counts per answer: of rows that should hold none, and of readable rows.
    n_readable, n_answers : int
        Readable rows with any answer, and distinct answers there are.

    Returns
    -------
    Excess
        Shares of readable answers are smoothed by one count per answer, so that an answer never
        seen there is rare and not impossible.
    """
    code = int(filled.argmax())
    expected = float((readable[code] + 1.0) / (n_readable + n_answers))
    p = tail(int(filled[code]), int(filled.sum()), expected)
    return Excess(code, expected, min(1.0, p * n_answers))


def tail(successes: int, n: int, share: float) -> float:
    """Probability of `successes` or more out of `n`; nan when `share` is."""
    if successes <= 0:
        return 1.0 if np.isfinite(share) else float("nan")
    return float(bdtrc(successes - 1, n, share))
