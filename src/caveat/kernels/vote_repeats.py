"""Runs of one voter's votes on the same pair with the same outcome.

A state is a pair with an outcome. Each vote that another vote of the voter follows is a chance
to repeat its state. Among the others, the share of repeats in the chances of a state says what is
usual there: in an arena that draws pairs at random it is small, in a table that was sorted by pair
it is large.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.rigging_bets import log_repeating

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

N_OUTCOMES = 3
"""Win, loss, tie."""
SHARES = (0.5, 0.9)
"""Chances of a repeat that are bet on."""


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Maximal runs of equal votes.

    Attributes
    ----------
    start, length : int array, shape (r,)
        First row of each run among the ordered rows, and its votes.
    """

    start: Codes
    length: Codes


@dataclass(frozen=True, slots=True, eq=False)
class Repeating:
    """What is bet on repeats, and won.

    Attributes
    ----------
    log_e : float array, shape (v,)
        Log of the e-value of each voter; -inf without a repeat.
    chances : float array, shape (v,)
        Votes that another vote of the voter followed.
    usual : float array, shape (s,)
        Share of repeats in the chances of each state, all voters together; nan without any.
    """

    log_e: Floats
    chances: Floats
    usual: Floats


def runs(voter: Codes, state: Codes, linked: npt.NDArray[np.bool_]) -> Runs:
    """Find the runs.

    Parameters
    ----------
    voter, state : int array, shape (n,)
        In the order of voters and, within a voter, of votes.
    linked : bool array, shape (n - 1,)
        Whether each vote and the next are of one voter and close enough in time.
    """
    if not voter.size:
        return Runs(np.zeros(0, np.int64), np.zeros(0, np.int64))
    same = linked & (state[1:] == state[:-1])
    start = np.flatnonzero(np.concatenate([[True], ~same]))
    return Runs(start, np.diff(start, append=voter.size))


def weigh_repeats(
    voter: Codes,
    pair: Codes,
    outcome: Codes,
    linked: npt.NDArray[np.bool_],
    *,
    n_voters: int,
    n_pairs: int,
) -> Repeating:
    """Weigh the repeats of each voter.

    The smaller of two e-values counts: votes repeat more often than those of others, and on the
    same pair the outcome repeats more often than others vote so. The first leaves a table sorted
    by pair in peace, the second a voter who was shown few pairs, or lopsided ones. Each is the
    mean over the voter's chances of the e-values of their states.

    Parameters
    ----------
    voter, pair, outcome : int array, shape (n,)
        In the order of voters and, within a voter, of votes; `outcome` below `N_OUTCOMES`.
    linked : bool array, shape (n - 1,)
    n_voters, n_pairs : int
    """
    state, n_states = pair * N_OUTCOMES + outcome, n_pairs * N_OUTCOMES
    who, what = voter[:-1][linked], state[:-1][linked]
    again = (what == state[1:][linked]).astype(float)
    stayed = (pair[:-1] == pair[1:])[linked].astype(float)
    chances = np.bincount(who, minlength=n_voters).astype(float)
    usual = _Shares.of(what, again, n_states)
    cell, place = np.unique(who * n_states + what, return_inverse=True)
    m, k, same = (
        np.bincount(place, weights=weights, minlength=cell.size).astype(float)
        for weights in (None, again, stayed)
    )
    # A state that was never repeated can only lose: leaving it out makes the mean no larger.
    won = k > 0
    whose, where = np.divmod(cell[won], n_states)
    m, k, same = m[won], k[won], same[won]
    voted = _Votes.of(voter, pair, state, n_pairs, n_states).others(whose, where)
    bets = (
        _bets(k, m, usual.repeats[where] - k, usual.chances[where] - m),
        _bets(k, same, *voted),
    )
    log_e = np.full(n_voters, np.inf)
    for bet in bets:
        mean = np.full(n_voters, -np.inf)
        np.logaddexp.at(mean, whose, bet + np.log(m) - np.log(chances[whose]))
        log_e = np.minimum(log_e, mean)
    with np.errstate(invalid="ignore"):
        return Repeating(log_e, chances, usual.repeats / usual.chances)


@dataclass(frozen=True, slots=True, eq=False)
class _Shares:
    """Chances and repeats of each state."""

    chances: Floats
    repeats: Floats

    @classmethod
    def of(cls, what: Codes, again: Floats, n_states: int) -> "_Shares":
        chances = np.bincount(what, minlength=n_states).astype(float)
        return cls(chances, np.bincount(what, weights=again, minlength=n_states).astype(float))


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """Votes by state and by pair, of everybody and of each voter."""

    by_state: Floats
    by_pair: Floats
    own: Codes
    own_count: Codes

    @classmethod
    def of(cls, voter: Codes, pair: Codes, state: Codes, n_pairs: int, n_states: int) -> "_Votes":
        own, count = np.unique(voter * n_states + state, return_counts=True)
        return cls(
            np.bincount(state, minlength=n_states).astype(float),
            np.bincount(pair, minlength=n_pairs).astype(float),
            own,
            count,
        )

    def others(self, voter: Codes, state: Codes) -> tuple[Floats, Floats]:
        """Others' votes in a state, and on its pair."""
        base = voter * self.by_state.size + state - state % N_OUTCOMES
        own = np.stack([self._own(base + outcome) for outcome in range(N_OUTCOMES)])
        here = own[state % N_OUTCOMES, np.arange(state.size)]
        pair = self.by_pair[state // N_OUTCOMES] - own.sum(axis=0)
        return self.by_state[state] - here, pair

    def _own(self, key: Codes) -> Floats:
        place = np.minimum(np.searchsorted(self.own, key), self.own.size - 1)
        return np.where(self.own[place] == key, self.own_count[place], 0).astype(float)


def _bets(k: Floats, m: Floats, other_k: Floats, other_m: Floats) -> Floats:
    """Log of the mean over shares of what is won."""
    won = np.stack([log_repeating(k, m, other_k, other_m, share) for share in SHARES])
    mean: Floats = np.logaddexp.reduce(won, axis=0) - np.log(len(SHARES))
    return mean
