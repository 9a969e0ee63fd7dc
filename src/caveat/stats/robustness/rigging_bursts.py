"""Voters who cast the same vote again and again in a row."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.data.evidence import Evidence
from caveat.data.times import read_times
from caveat.errors import InputError
from caveat.kernels.e_bh import e_bh
from caveat.kernels.vote_repeats import N_OUTCOMES, Repeating, Runs, runs, weigh_repeats
from caveat.results.stress.rigging import LISTED, Burst, Order
from caveat.stats.robustness.voter_votes import SIDES, VoterVotes

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Bursts:
    """Bursts of equal votes.

    Attributes
    ----------
    flagged : bool array, shape (v,)
    listed : tuple of Burst
        The longest of each flagged voter, largest e-value first.
    order : str
    reason : str
        Why nothing was tested; empty otherwise.
    """

    flagged: Mask
    listed: tuple[Burst, ...]
    order: Order
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _InOrder:
    """Votes by voter and, within a voter, by time or row."""

    index: Codes
    voter: Codes
    state: Codes
    linked: Mask
    seconds: Floats


def bursts(votes: VoterVotes, evidence: Evidence, *, fdr: float, window: float) -> Bursts:
    """Find voters whose votes repeat the one before too often for the pair and its outcomes.

    Parameters
    ----------
    votes : VoterVotes
    evidence : Evidence
        What they were read from; column `at` orders them, or else the rows do.
    fdr : float
    window : float
        Seconds within which a vote counts as following another.
    """
    flagged = np.zeros(len(votes.voters), dtype=bool)
    if (votes.count > 1).any():
        why = "rows stand for several votes, whose order is not told"
        return Bursts(flagged, (), "none", why)
    seconds = np.full(votes.voter.size, np.nan)
    if "at" in evidence.table.column_names:
        try:
            seconds = read_times(evidence.table["at"]).seconds[votes.rows]
        except InputError as error:  # the other tests need no times
            return Bursts(flagged, (), "none", str(error))
    timed = bool(np.isfinite(seconds).any())
    ordered = _in_order(votes, seconds, window if timed else None)
    weighed = weigh_repeats(
        ordered.voter,
        votes.pair[ordered.index],
        votes.outcome[ordered.index],
        ordered.linked,
        n_voters=len(votes.voters),
        n_pairs=votes.n_pairs,
    )
    tested = weighed.chances > 0
    flagged[tested] = e_bh(weighed.log_e[tested], fdr).rejected
    listed = _listed(votes, ordered, weighed, flagged)
    return Bursts(flagged, listed, "time" if timed else "rows")


def _in_order(votes: VoterVotes, seconds: Floats, window: float | None) -> _InOrder:
    use = votes.voter >= 0
    if window is not None:
        use &= np.isfinite(seconds)
    index = np.flatnonzero(use)
    keys = (votes.voter[index],) if window is None else (seconds[index], votes.voter[index])
    index = index[np.lexsort(keys)]
    voter, when = votes.voter[index], seconds[index]
    linked = voter[1:] == voter[:-1]
    if window is not None:
        linked &= np.diff(when) <= window
    return _InOrder(
        index, voter, N_OUTCOMES * votes.pair[index] + votes.outcome[index], linked, when
    )


def _listed(
    votes: VoterVotes, ordered: _InOrder, weighed: Repeating, flagged: Mask
) -> tuple[Burst, ...]:
    order = sorted(np.flatnonzero(flagged), key=lambda v: (-weighed.log_e[v], votes.voters[v]))
    found = runs(ordered.voter, ordered.state, ordered.linked)
    return tuple(_burst(votes, ordered, weighed, found, int(who)) for who in order[:LISTED])


def _burst(
    votes: VoterVotes, ordered: _InOrder, weighed: Repeating, found: Runs, who: int
) -> Burst:
    """Longest run of one voter; of equally long ones the rarest."""
    own = np.flatnonzero(ordered.voter[found.start] == who)
    usual = weighed.usual[ordered.state[found.start[own]]]
    best = own[np.lexsort((np.nan_to_num(usual), -found.length[own]))[0]]
    start, length = int(found.start[best]), int(found.length[best])
    row = ordered.index[start]
    return Burst(
        voter=votes.voters[who],
        model_a=votes.models[votes.first[row]],
        model_b=votes.models[votes.second[row]],
        outcome=SIDES[votes.outcome[row]],
        n_votes=length,
        seconds=float(ordered.seconds[start + length - 1] - ordered.seconds[start]),
        usual=float(weighed.usual[ordered.state[start]]),
        log10_e=float(weighed.log_e[who] / np.log(10.0)),
    )
