"""Scores in proportion to the average score of the models beaten.

Keener (1993), "The Perron-Frobenius Theorem and the Ranking of Football Teams",
https://doi.org/10.1137/1035004, the direct method: with a_ij the wins of i over j divided by all
votes of i, the scores are the leading eigenvector of a.
"""

import numpy as np
import numpy.typing as npt

from caveat.kernels.pagerank import MAX_STEPS, TOLERANCE, Shares

Floats = npt.NDArray[np.float64]


def eigenvector(wins: Floats) -> Shares:
    """Power iteration of (a + I / 2), which has the eigenvectors of a and does not oscillate.

    Parameters
    ----------
    wins : float array, shape (m, m)
        Wins of row over column, ties as half. The graph of wins must be strongly connected, or
        some scores are zero and say nothing.
    """
    m = wins.shape[0]
    votes = (wins + wins.T).sum(axis=1)
    a = wins / np.where(votes > 0, votes, 1.0)[:, None]
    share = np.full(m, 1.0 / m)
    for iteration in range(1, MAX_STEPS + 1):
        moved = a @ share + share / 2.0
        moved /= moved.sum()
        change = float(np.abs(moved - share).sum())
        share = moved
        if change < TOLERANCE:
            return Shares(share, iteration, converged=True)
    return Shares(share, MAX_STEPS, converged=False)
