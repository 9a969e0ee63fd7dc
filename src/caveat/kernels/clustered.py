"""Error of one contrast of ratings when votes come in clusters.

Notation: c is the contrast, A the information, u = A^+ c; the score of a vote of weight v is
v (u_a - u_b) (y - p_ab). Scores are summed by cluster, squared and added: Liang and Zeger (1986),
https://doi.org/10.1093/biomet/73.1.13, with the factor G / (G - 1).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from caveat.kernels.bradley_terry import information
from caveat.kernels.counts import SCORE_OF_A

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Clustered:
    """Variance of a contrast.

    Attributes
    ----------
    variance : float
        With the votes of a cluster taken together; nan with fewer than two clusters.
    plain : float
        With each vote an independent unit.
    n_votes, n_clusters, largest : float
        Votes, clusters that hold a vote, and votes of the largest.
    """

    variance: float
    plain: float
    n_votes: float
    n_clusters: float
    largest: float


def influence(votes: Floats, theta: Floats, contrast: Floats) -> Floats:
    """Return u, by which the residual of each vote moves the contrast.

    Parameters
    ----------
    votes : float array, shape (m, m)
        (Weighted) votes between models, both orders added up; the board is connected.
    theta : float array, shape (m,)
        Fitted ratings in logits.
    contrast : float array, shape (m,)
        Sums to zero.
    """
    m = theta.size
    p = expit(theta[:, None] - theta[None, :])
    # The information is singular along (1, ..., 1), to which the contrast is orthogonal.
    filled = information(votes, p) + votes.sum() / m**2
    return np.asarray(np.linalg.solve(filled, contrast), dtype=np.float64)


def vote_scores(
    a: Codes,
    b: Codes,
    outcome: Codes,
    *,
    theta: Floats,
    influence: Floats,
    weight: Floats | None = None,
) -> Floats:
    """Score of each vote; shape (n,).

    Parameters
    ----------
    a, b, outcome : int array, shape (n,)
        Codes of the models and of the outcome.
    theta, influence : float array, shape (m,)
    weight : float array, shape (n,), optional
        Weight of each vote; 1 where absent.
    """
    score: Floats = SCORE_OF_A[outcome] - expit(theta[a] - theta[b])
    score *= influence[a] - influence[b]
    if weight is not None:
        score *= weight
    return score


def clustered(score: Floats, cluster: Codes, *, count: Floats | None = None) -> Clustered:
    """Add scores up by cluster.

    Parameters
    ----------
    score : float array, shape (n,)
    cluster : int array, shape (n,)
        Codes from 0; -1 for votes that are each a cluster of its own.
    count : float array, shape (n,), optional
        Identical votes a row stands for, all in the same cluster; 1 where absent.
    """
    summed = score if count is None else count * score
    plain = float(summed @ score)
    code = cluster + 1  # 0 gathers the votes that stand alone
    total = np.bincount(code, weights=summed)[1:]
    number = np.bincount(code, weights=count, minlength=1)
    singles, votes = float(number[0]), number[1:]
    groups = float(np.count_nonzero(votes)) + singles
    alone = np.flatnonzero(code == 0) if singles else code[:0]
    meat = float(total @ total + summed[alone] @ score[alone])
    return Clustered(
        variance=groups / (groups - 1.0) * meat if groups > 1 else float("nan"),
        plain=plain,
        n_votes=float(singles + votes.sum()),
        n_clusters=groups,
        largest=max(float(votes.max(initial=0)), 1.0 if singles else 0.0),
    )
