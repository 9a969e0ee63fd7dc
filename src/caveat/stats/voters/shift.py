"""Does another weight of the same voters move a rating by more than chance?"""

import numpy as np
import numpy.typing as npt

from caveat._blas import single_threaded
from caveat.kernels.largest_z import largest_z
from caveat.kernels.voter_scores import cross
from caveat.results.stress.voters import Shift
from caveat.stats.ranking.scale import POINTS
from caveat.stats.voters.board import VoterBoard

Floats = npt.NDArray[np.float64]

FEW = 10
"""Effective voters behind a model below which its shift is not judged."""


def shift(board: VoterBoard, reference: VoterBoard, *, rng: np.random.Generator) -> Shift | None:
    """Find the rating that differs most surely between two boards of the same voters.

    Parameters
    ----------
    board, reference : VoterBoard
        Of the same voters, who count in both; no votes without a voter.
    rng : Generator

    Returns
    -------
    Shift or None
        Of the models that at least `FEW` effective voters judged. None where fewer than two models
        are rated on both, or nothing has an error.
    """
    names = [name for name in board.fitted.names if name in reference.fitted.names]
    if len(names) < 2:
        return None
    with single_threaded():
        one, other = (_influence(b, names) for b in (board, reference))
        between = cross(board.scores, reference.scores)
        covariance = (
            one @ board.products @ one.T
            + other @ reference.products @ other.T
            - one @ between @ other.T
            - other @ between.T @ one.T
        )
        covariance *= board.factor
        moved = _centred(board, names) - _centred(reference, names)
        variance = np.diag(covariance)
        # Readings that agree leave rounding errors only; few voters say nothing of spread.
        told = _behind(board, reference, names) >= FEW
        told &= variance > 1e-12 * np.diag(one @ board.products @ one.T)
        if not told.any():
            return None
        se = np.sqrt(np.where(told, variance, np.nan))
        z = moved / se
        drawn = largest_z(covariance[np.ix_(told, told)], degrees=board.n_clusters - 1.0, rng=rng)
    most = int(np.nanargmax(np.abs(z)))
    return Shift(
        model=names[most],
        points=float(POINTS * moved[most]),
        se=float(POINTS * se[most]),
        z=float(z[most]),
        p=(1 + int((drawn >= abs(z[most])).sum())) / (1 + drawn.size),
    )


def _behind(board: VoterBoard, reference: VoterBoard, names: list[str]) -> Floats:
    """Effective voters behind each model, the fewer of both readings."""
    each = [b.behind.effective[_places(b, names)] for b in (board, reference)]
    return np.asarray(np.minimum(*each), dtype=np.float64)


def _places(board: VoterBoard, names: list[str]) -> npt.NDArray[np.int64]:
    order = {name: k for k, name in enumerate(board.fitted.names)}
    return np.array([order[name] for name in names], dtype=np.int64)


def _centred(board: VoterBoard, names: list[str]) -> Floats:
    theta = board.fitted.fit.theta[_places(board, names)]
    return np.asarray(theta - theta.mean(), dtype=np.float64)


def _influence(board: VoterBoard, names: list[str]) -> Floats:
    """How scores move the ratings against their mean; shape (models, p)."""
    rows = board.bread[_places(board, names)]
    return np.asarray(rows - rows.mean(axis=0), dtype=np.float64)
