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


def largest_excess(filled: Floats, readable: Floats) -> Excess:
    """Compare the most frequent answer among `filled` with its share among `readable`.

    Parameters
    ----------
    filled, readable : float array, shape (k,)
        Counts per answer, of rows that should hold none and of the rest.

    Returns
    -------
    Excess
        Shares of readable answers are smoothed by one count per answer, so that an answer never
        seen there is rare and not impossible.
    """
    code = int(filled.argmax())
    expected = float((readable[code] + 1.0) / (readable.sum() + readable.size))
    p = float(bdtrc(filled[code] - 1.0, filled.sum(), expected)) if filled[code] > 0 else 1.0
    return Excess(code, expected, min(1.0, p * filled.size))
