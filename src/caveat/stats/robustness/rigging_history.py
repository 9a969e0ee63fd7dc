"""Voters whose votes do not fit the history of the pairs they voted on."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.e_bh import e_bh
from caveat.kernels.lifting import Lifts
from caveat.kernels.voter_bets import VoterBets, weigh_voters
from caveat.stats.robustness.voter_votes import PairedCells

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


_COMPARABLE = 0.5
"""Share of a voter's compared votes that has to stay comparable when others are left out."""


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """Every voter against the others on the same pairs.

    Attributes
    ----------
    bets : VoterBets
    log_e : float array, shape (v,)
        Log of the e-value after the second look.
    tested, flagged : bool array, shape (v,)
    log_threshold : float
        nan when nobody was tested.
    n_cleared : int
        Voters whom the second look cleared.
    """

    bets: VoterBets
    log_e: Floats
    tested: Mask
    flagged: Mask
    log_threshold: float
    n_cleared: int


def history(paired: PairedCells, lifts: Lifts, *, fdr: float, min_votes: int) -> History:
    """Test each voter with enough votes, and look twice at those that stand out.

    A voter who rigs many votes on a pair makes the honest voters on it look odd. So each voter
    over the threshold is weighed again without the votes of the others over it, or, where that
    leaves nobody to compare with, of those that are odder; and keeps the smaller of two e-values:
    what is at most an e-value controls the false discovery rate.

    Parameters
    ----------
    paired : PairedCells
    lifts : Lifts
    fdr : float
    min_votes : int
        Compared votes that a voter needs; known without the voter's choices.
    """
    bets = weigh_voters(paired.cells, lifts)
    tested = bets.votes >= min_votes
    log_e = bets.log_e.copy()
    first = _flag(log_e, tested, fdr)
    if first.sum() > 1:
        again = weigh_voters(paired.beside_others(first).cells, lifts)
        fewer = again.votes < _COMPARABLE * bets.votes
        rest = weigh_voters(paired.beside_less_odd(first, log_e).cells, lifts)
        second = np.where(fewer, rest.log_e, again.log_e)
        log_e[first] = np.minimum(log_e[first], second[first])
    flagged = _flag(log_e, tested, fdr)
    found = e_bh(log_e[tested], fdr)
    bar = found.log_threshold if tested.any() else float("nan")
    cleared = int(first.sum() - flagged.sum())
    return History(bets, log_e, tested, flagged, bar, cleared)


def _flag(log_e: Floats, tested: Mask, fdr: float) -> Mask:
    flagged = np.zeros(log_e.size, dtype=bool)
    flagged[tested] = e_bh(log_e[tested], fdr).rejected
    return flagged
