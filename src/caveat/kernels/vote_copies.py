"""How often each vote occurs in a resample that keeps the order of the votes.

A Poisson number of copies with mean 1 for every vote, which for many votes is drawing them with
replacement (Hanley and MacGibbon 2006, https://doi.org/10.1016/j.cmpb.2006.04.006).
"""

import numpy as np
import numpy.typing as npt

from caveat.kernels._jit import compiled

Copies = npt.NDArray[np.uint8]

_MOST = 20
"""More copies have a probability of 1e-20; rounding must not make the search endless."""


def vote_copies(n: int, rng: np.random.Generator) -> Copies:
    """Draw the copies of n votes; shape (n,)."""
    copies = np.empty(n, dtype=np.uint8)
    fill(copies, rng)
    return copies


@compiled
def fill(copies: Copies, rng: np.random.Generator) -> None:
    """Turn uniform numbers into Poisson ones by searching the cumulative distribution."""
    for vote in range(copies.size):
        uniform = rng.random()
        chance = 0.36787944117144233  # exp(-1)
        below = chance
        number = 0
        while uniform > below and number < _MOST:
            number += 1
            chance /= number
            below += chance
        copies[vote] = number
