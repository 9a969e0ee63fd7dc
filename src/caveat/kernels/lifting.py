"""Bets that a voter lifts one model with every vote, also with votes between other models.

Notation: a vote for a over b moves the contrast c of ratings by (u_a - u_b)(y - p), u = A^+ c, with
A the information of the board. The omnipresent attack of Min et al. (2025),
https://arxiv.org/abs/2501.17858, casts each vote where it moves the target's rating, or its lead
over the next model above, upwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.special import expit, logsumexp

from caveat.kernels.laplacian import information
from caveat.kernels.rigging_bets import log_backing
from caveat.kernels.voter_cells import VoterCells

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

SHARE = 0.9
"""Share of the votes that is taken to follow the direction."""
LEAST = 20
"""Votes below which nothing is bet on it: too few to win against that many possible targets."""
_FLAT = 1e-9
"""Difference of u, relative to the largest, below which a vote moves nothing."""
_BLOCK = 16
"""Targets at a time: bounds the memory on boards of many models and voters."""


@dataclass(frozen=True, slots=True, eq=False)
class Lifts:
    """How far a vote for a model over another moves each contrast.

    Attributes
    ----------
    target : int array, shape (t,)
        Code of the model each contrast lifts.
    push : float array, shape (t, m)
        u of each contrast; nan for models without a rating.
    least : int
        Votes a voter needs.
    """

    target: Codes
    push: Floats
    least: int = LEAST


@dataclass(frozen=True, slots=True, eq=False)
class Lifted:
    """Logs of weighted e-values of voters, in ascending order, and their targets."""

    voter: Codes
    log_e: Floats
    model: Codes


def lifts(votes: Floats, theta: Floats) -> Lifts:
    """Find which vote lifts which model.

    Parameters
    ----------
    votes : float array, shape (m, m)
        Votes between models, both orders added up.
    theta : float array, shape (m,)
        Ratings in logits; nan where there is none. The rated models are connected.

    Returns
    -------
    Lifts
        Two contrasts a rated model: its rating against the mean, and against the model next above
        it (for the leader, next below).
    """
    rated = np.flatnonzero(np.isfinite(theta))
    size = rated.size
    push = np.full((2 * size, theta.size), np.nan)
    if size < 2:
        return Lifts(rated[:0], push[:0])
    strength, met = theta[rated], votes[np.ix_(rated, rated)]
    p = expit(strength[:, None] - strength[None, :])
    # The information is singular along (1, ..., 1), which no difference of u sees.
    inverse = np.linalg.inv(information(met, p) + met.sum() / size**2)
    order = np.argsort(-strength, kind="stable")
    rival = np.empty(size, dtype=np.int64)
    rival[order[1:]], rival[order[0]] = order[:-1], order[1]
    push[:size, rated] = inverse
    push[size:, rated] = inverse - inverse[rival]
    return Lifts(np.concatenate([rated, rated]), push)


def lifting(cells: VoterCells, lifts: Lifts, covered: npt.NDArray[np.bool_]) -> Iterator[Lifted]:
    """Yield the bets on blocks of targets for the voters that are covered.

    Parameters
    ----------
    cells : VoterCells
        Telling cells only.
    lifts : Lifts
    covered : bool array, shape (v,)
    """
    cells = cells.only(covered[cells.voter] & np.isfinite(_gap(lifts, cells)))
    who, row = np.unique(cells.voter, return_inverse=True)
    pair, column = np.unique(cells.first * cells.n_models + cells.second, return_inverse=True)
    if not who.size:
        return
    shape = (who.size, pair.size)
    own, pool = cells.own, cells.pool
    up = csr_array(
        (log_backing(cells.wins, own, cells.pool_wins, pool, SHARE), (row, column)), shape=shape
    )
    down = csr_array(
        (log_backing(cells.losses, own, cells.pool_losses, pool, SHARE), (row, column)),
        shape=shape,
    )
    first, second = np.divmod(pair, cells.n_models)
    number = lifts.target.size
    for start in range(0, number, _BLOCK):
        push = lifts.push[start : start + _BLOCK]
        moved = (push[:, first] - push[:, second]).T
        flat = _FLAT * np.nanmax(np.abs(push), axis=1)
        log_e = up @ (moved > flat).astype(float) + down @ (moved < -flat).astype(float)
        most = lifts.target[start + np.argmax(log_e, axis=1)]
        yield Lifted(who, logsumexp(log_e, axis=1) - np.log(number), most)


def _gap(lifts: Lifts, cells: VoterCells) -> Floats:
    """Nan where either model of a cell has no rating."""
    if not lifts.target.size:
        return np.full(cells.voter.size, np.nan)
    gap: Floats = lifts.push[0, cells.first] - lifts.push[0, cells.second]
    return gap
