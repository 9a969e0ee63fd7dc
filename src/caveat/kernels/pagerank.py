"""Ranks as shares of the time that a walk from losers to winners spends with each model.

Page, Brin, Motwani and Winograd (1999), "The PageRank Citation Ranking: Bringing Order to the Web",
http://ilpubs.stanford.edu:8090/422/; for teams, Govan, Meyer and Albright (2008), "Generalizing
Google's PageRank to Rank National Football League Teams".
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

DAMPING = 0.85
TOLERANCE = 1e-12
"""Largest change of the shares, added up over models, at which they count as converged."""
MAX_STEPS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Positive scores that add up to one.

    Attributes
    ----------
    share : float array, shape (m,)
    iterations : int
    converged : bool
    """

    share: Floats
    iterations: int
    converged: bool


def pagerank(wins: Floats, *, damping: float = DAMPING) -> Shares:
    """Follow losses to the models that won.

    With probability `damping` the walk goes from a model to one that beat it, in proportion to its
    wins; else, and from a model that never lost, to any model alike.

    Parameters
    ----------
    wins : float array, shape (m, m)
        Wins of row over column, ties as half, so that a tie leads both ways.
    damping : float
        In (0, 1).
    """
    m = wins.shape[0]
    losses = wins.sum(axis=0)
    step = np.divide(wins, losses, out=np.full((m, m), 1.0 / m), where=losses > 0)
    share = np.full(m, 1.0 / m)
    for iteration in range(1, MAX_STEPS + 1):
        moved = damping * (step @ share) + (1.0 - damping) / m
        change = float(np.abs(moved - share).sum())
        share = moved
        if change < TOLERANCE:
            return Shares(share / share.sum(), iteration, converged=True)
    return Shares(share / share.sum(), MAX_STEPS, converged=False)
