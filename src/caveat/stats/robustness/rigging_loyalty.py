"""Voters who back one model nearly always."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import false_discovery_control

from caveat.kernels.loyalty import backing, correlation, upper_tail
from caveat.results.stress.rigging import LISTED, LoyalVoter
from caveat.stats.robustness.voter_votes import PairedCells, VoterVotes

Mask = npt.NDArray[np.bool_]

NEARLY_ALWAYS = 0.9
"""Share of a voter's votes on a model from which it is near unanimity."""


@dataclass(frozen=True, slots=True, eq=False)
class Loyalty:
    """Loyal voters.

    Attributes
    ----------
    flagged : bool array, shape (v,)
    listed : tuple of LoyalVoter
        Smallest chance first.
    n_loyal : int
        Voters and models, of which the first are listed.
    correlation : float
    """

    flagged: Mask
    listed: tuple[LoyalVoter, ...]
    n_loyal: int
    correlation: float


def loyalty(
    votes: VoterVotes, paired: PairedCells, odd: Mask, *, fdr: float, min_votes: int
) -> Loyalty:
    """Find voters who back a model at least nine times in ten, beyond what tastes explain.

    Parameters
    ----------
    votes : VoterVotes
    paired : PairedCells
    odd : bool array, shape (v,)
        Voters who say nothing about how much honest voters differ.
    fdr : float
        Controlled by Benjamini and Yekutieli's procedure, which needs no independence.
    min_votes : int
        Compared votes on the model.
    """
    cells = paired.cells
    found = backing(cells)
    rho = correlation(backing(cells.only(~odd[cells.voter])))
    flagged = np.zeros(len(votes.voters), dtype=bool)
    asked = np.flatnonzero(found.votes >= min_votes)
    if not asked.size:
        return Loyalty(flagged, (), 0, float("nan"))
    p = upper_tail(found, rho, NEARLY_ALWAYS)
    loyal = asked[false_discovery_control(p[asked], method="by") <= fdr]
    flagged[found.voter[loyal]] = True
    ordered = sorted(loyal, key=lambda k: (p[k], -found.votes[k], votes.voters[found.voter[k]]))
    listed = tuple(
        LoyalVoter(
            voter=votes.voters[found.voter[k]],
            model=votes.models[found.model[k]],
            n_votes=round(float(found.votes[k])),
            n_backed=round(float(found.backed[k])),
            share=float(found.backed[k] / found.votes[k]),
            expected=float(found.expected[k]),
            p=float(p[k]),
        )
        for k in ordered[:LISTED]
    )
    return Loyalty(flagged, listed, int(loyal.size), rho)
