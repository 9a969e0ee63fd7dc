"""One e-value per voter: do the votes fit those of the others on the same pairs?

Bets on five patterns of rigging, each multiplied over pairs, are averaged with weights that
depend on which pairs the voter voted on and not on how: an average of e-values is an e-value. The
product over pairs needs votes on one pair to be exchangeable between voters whatever happened on
the other pairs. Attacks: Min et al. (2025), https://arxiv.org/abs/2501.17858.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from caveat.kernels.lifting import Lifts, lifting
from caveat.kernels.rigging_bets import log_backing, log_guessing
from caveat.kernels.voter_cells import VoterCells

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

PATTERNS = ("for", "against", "lifting", "contrary", "guessing")
"""Backs one model; votes against one; lifts one everywhere; sides with the minority; at random."""
FOR, AGAINST, LIFTING, CONTRARY, GUESSING = range(len(PATTERNS))
_WEIGHT = (0.40, 0.15, 0.25, 0.10, 0.10)
SHARES = (0.5, 0.75, 0.95)
"""Shares of rigged votes that are bet on. Below one half, a taste would do."""


@dataclass(frozen=True, slots=True, eq=False)
class VoterBets:
    """What is bet on each voter, and won.

    Attributes
    ----------
    log_e : float array, shape (v,)
        Log of the e-value; 0 without a telling vote.
    votes : float array, shape (v,)
        Votes in telling cells.
    pattern, model : int array, shape (v,)
        The bet that won most: code in `PATTERNS`, -1 without a telling vote, and the model it is
        about, -1 for none.
    """

    log_e: Floats
    votes: Floats
    pattern: Codes
    model: Codes


def weigh_voters(cells: VoterCells, lifts: Lifts | None = None) -> VoterBets:
    """Weigh the votes of each voter.

    Parameters
    ----------
    cells : VoterCells
    lifts : Lifts, optional
        Which vote lifts which model; without it nothing is bet on that pattern.
    """
    cells = cells.only(cells.telling)
    votes: Floats = np.zeros(cells.n_voters)
    np.add.at(votes, cells.voter, cells.own)
    won = _Winnings(cells.n_voters)
    covered = np.zeros(cells.n_voters, dtype=bool) if lifts is None else votes >= lifts.least
    # Weight of a pattern that is not bet on for a voter goes to the others in proportion.
    rest = np.where(covered, 0.0, -np.log1p(-_WEIGHT[LIFTING]))
    for part in _patterns(cells, votes):
        won.add(part, rest)
    if lifts is not None and covered.any():
        for found in lifting(cells, lifts, covered):
            won.add(_Part(found.voter, found.log_e, LIFTING, found.model), np.zeros_like(rest))
    told = votes > 0
    return VoterBets(
        log_e=np.where(told, won.log_sum, 0.0),
        votes=votes,
        pattern=np.where(told, won.pattern, -1),
        model=np.where(told, won.model, -1),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Logs of e-values, weighted within their pattern; `voter` ascends and may repeat."""

    voter: Codes
    log_e: Floats
    pattern: int
    model: Codes


class _Winnings:
    """Running sum of weighted e-values per voter, and the largest of them."""

    def __init__(self, n_voters: int) -> None:
        self.log_sum = np.full(n_voters, -np.inf)
        self.most = np.full(n_voters, -np.inf)
        self.pattern = np.full(n_voters, -1, dtype=np.int64)
        self.model = np.full(n_voters, -1, dtype=np.int64)

    def add(self, part: _Part, extra: Floats) -> None:
        if not part.voter.size:
            return
        start = np.flatnonzero(np.diff(part.voter, prepend=-1))
        who = part.voter[start]
        value = part.log_e + np.log(_WEIGHT[part.pattern]) + extra[part.voter]
        self.log_sum[who] = np.logaddexp(self.log_sum[who], np.logaddexp.reduceat(value, start))
        most = np.maximum.reduceat(value, start)
        length = np.diff(start, append=part.voter.size)
        place = np.flatnonzero(value == np.repeat(most, length))
        first = place[np.diff(part.voter[place], prepend=-1) > 0]
        better = most > self.most[who]
        self.most[who[better]] = most[better]
        self.pattern[who[better]] = part.pattern
        self.model[who[better]] = part.model[first[better]]


def _patterns(cells: VoterCells, votes: Floats) -> Iterator[_Part]:
    """Yield each pattern but lifting."""
    backing = np.stack([_both(cells, share) for share in SHARES])  # share, side, cell
    yield from _about_models(cells, votes, backing)
    everyone = np.arange(cells.n_voters)
    minority = np.where(cells.pool_wins < cells.pool_losses, backing[:, 0], backing[:, 1])
    even = cells.pool_wins == cells.pool_losses
    nobody = np.full(cells.n_voters, -1)
    contrary = _sums(cells.voter, np.where(even, 0.0, minority), cells.n_voters)
    yield _Part(everyone, _averaged(contrary), CONTRARY, nobody)
    guessed = log_guessing(cells.wins, cells.losses, cells.pool_wins, cells.pool_losses)
    summed = _sums(cells.voter, guessed[None], cells.n_voters)
    yield _Part(everyone, _averaged(summed), GUESSING, nobody)


def _both(cells: VoterCells, share: float) -> Floats:
    """Bets on `first` and on `second` of each cell; shape (2, c)."""
    return np.stack(
        [
            log_backing(cells.wins, cells.own, cells.pool_wins, cells.pool, share),
            log_backing(cells.losses, cells.own, cells.pool_losses, cells.pool, share),
        ]
    )


def _about_models(cells: VoterCells, votes: Floats, backing: Floats) -> Iterator[_Part]:
    """Bets on and against each model a voter met, weighted by how often the voter met it."""
    met, place = np.unique(
        np.concatenate([cells.voter, cells.voter]) * cells.n_models
        + np.concatenate([cells.first, cells.second]),
        return_inverse=True,
    )
    voter, model = np.divmod(met, cells.n_models)
    times = np.bincount(place, weights=np.concatenate([cells.own, cells.own]), minlength=met.size)
    weight = np.log(times) - np.log(2.0 * votes[voter])
    first, second = backing[:, 0], backing[:, 1]
    for pattern, sides in ((FOR, (first, second)), (AGAINST, (second, first))):
        summed = _sums(place, np.concatenate(sides, axis=1), met.size)
        yield _Part(voter, weight + _averaged(summed), pattern, model)


def _sums(place: Codes, values: Floats, size: int) -> Floats:
    """Add the cells of each row up by place; shape (shares, size)."""
    return np.stack([np.bincount(place, weights=row, minlength=size) for row in values])


def _averaged(logs: Floats) -> Floats:
    """Log of the mean over shares."""
    mean: Floats = logsumexp(logs, axis=0) - np.log(logs.shape[0])
    return mean
