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
    voter: Codes, state: Codes, linked: npt.NDArray[np.bool_], *, n_voters: int, n_states: int
) -> Repeating:
    """Weigh the repeats of each voter against those of the others.

    The e-value of a voter is the mean over the voter's chances of the e-values of their states.

    Parameters
    ----------
    voter, state : int array, shape (n,)
        In the order of voters and, within a voter, of votes.
    linked : bool array, shape (n - 1,)
    n_voters, n_states : int
    """
    who, what = voter[:-1][linked], state[:-1][linked]
    again = (what == state[1:][linked]).astype(float)
    all_chances = np.bincount(what, minlength=n_states).astype(float)
    all_repeats = np.bincount(what, weights=again, minlength=n_states).astype(float)
    chances = np.bincount(who, minlength=n_voters).astype(float)
    cell, place = np.unique(who * n_states + what, return_inverse=True)
    m = np.bincount(place, minlength=cell.size).astype(float)
    k = np.bincount(place, weights=again, minlength=cell.size).astype(float)
    # A state that was never repeated can only lose: leaving it out makes the mean no larger.
    won = k > 0
    whose, where = np.divmod(cell[won], n_states)
    m, k = m[won], k[won]
    others = all_repeats[where] - k, all_chances[where] - m
    bets = np.stack([log_repeating(k, m, *others, share) for share in SHARES])
    value = np.logaddexp.reduce(bets, axis=0) - np.log(len(SHARES))
    value += np.log(m) - np.log(chances[whose])
    log_e = np.full(n_voters, -np.inf)
    np.logaddexp.at(log_e, whose, value)
    with np.errstate(invalid="ignore"):
        return Repeating(log_e, chances, all_repeats / all_chances)
