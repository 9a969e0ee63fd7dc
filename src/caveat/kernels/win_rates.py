"""Shares of votes won: on average over opponents, and against one baseline."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def average_win_rate(wins: Floats) -> Floats:
    """Mean over the opponents a model met of the share it won against each.

    Parameters
    ----------
    wins : float array, shape (m, m)
        (Weighted) wins of row over column, ties as half.

    Returns
    -------
    float array, shape (m,)
        nan for a model that met nobody.
    """
    votes = wins + wins.T
    met = votes > 0
    share = np.divide(wins, votes, out=np.zeros_like(wins), where=met)
    opponents = met.sum(axis=1)
    mean: Floats = share.sum(axis=1) / np.where(opponents > 0, opponents, np.nan)
    return mean


def baseline_win_rate(wins: Floats, baseline: int) -> Floats:
    """Share that each model won of its votes against the baseline; shape (m,).

    A half for the baseline itself; nan for a model that never met it.
    """
    votes = wins[:, baseline] + wins[baseline]
    share = wins[:, baseline] / np.where(votes > 0, votes, np.nan)
    share[baseline] = 0.5
    return np.asarray(share, dtype=np.float64)
