"""How far a voter's votes follow the pattern that fits them best."""

from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from caveat.kernels.lifting import Lifts
from caveat.kernels.voter_bets import (
    AGAINST,
    CONTRARY,
    FOR,
    GUESSING,
    LIFTING,
    PATTERNS,
    VoterBets,
)
from caveat.kernels.voter_cells import VoterCells
from caveat.results.stress.rigging import Pattern
from caveat.stats.robustness.voter_votes import PairedCells

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """Votes that a pattern speaks of.

    Attributes
    ----------
    about, following, expected : float array, shape (v,)
        Compared votes that the pattern speaks of, those that follow it (with the majority, for
        `contrary` and `guessing`), and how many would if the voter voted as the others did.
    bets : VoterBets
    """

    about: Floats
    following: Floats
    expected: Floats
    bets: VoterBets

    def pattern(self, voter: int) -> Pattern | None:
        """Name of a voter's pattern."""
        code = int(self.bets.pattern[voter])
        return None if code < 0 else cast("Pattern", PATTERNS[code])

    def model(self, voter: int, names: tuple[str, ...]) -> str | None:
        """Name of the model the pattern is about."""
        code = int(self.bets.model[voter])
        return None if code < 0 else names[code]


def followed(paired: PairedCells, lifts: Lifts, bets: VoterBets) -> Followed:
    """Count the votes that follow each voter's pattern.

    Parameters
    ----------
    paired : PairedCells
    lifts : Lifts
    bets : VoterBets
        Of the same cells.
    """
    cells = paired.cells.only(paired.cells.telling)
    side = _side(cells, lifts, bets)
    others = np.maximum(cells.pool - cells.own, 1.0)
    rate = (cells.pool_wins - cells.wins) / others
    told = side != 0
    own = np.where(told, cells.own, 0.0)
    hit = np.where(side > 0, cells.wins, np.where(side < 0, cells.losses, 0.0))
    mean = own * np.where(side > 0, rate, 1.0 - rate)
    about, following, expected = (
        np.bincount(cells.voter, weights=values, minlength=cells.n_voters).astype(float)
        for values in (own, hit, mean)
    )
    return Followed(about, following, expected, bets)


def _side(cells: VoterCells, lifts: Lifts, bets: VoterBets) -> Floats:
    """1 where the pattern of the cell's voter asks for the first model, -1 second, 0 neither."""
    pattern, model = bets.pattern[cells.voter], bets.model[cells.voter]
    on = np.where(cells.first == model, 1.0, np.where(cells.second == model, -1.0, 0.0))
    majority = np.sign(cells.pool_wins - cells.pool_losses)
    side = np.where(pattern == FOR, on, np.where(pattern == AGAINST, -on, 0.0))
    side = np.where((pattern == CONTRARY) | (pattern == GUESSING), majority, side)
    lifting = np.flatnonzero(pattern == LIFTING)
    side[lifting] = _lifted(cells, lifts, lifting, model)
    return side


def _lifted(
    cells: VoterCells,
    lifts: Lifts,
    which: npt.NDArray[np.intp],
    model: npt.NDArray[np.int64],
) -> Floats:
    """Direction that lifts the model of each cell: of its two contrasts, the better followed."""
    best = np.zeros(which.size)
    voter = cells.voter[which]
    net = (cells.wins - cells.losses)[which]
    score = np.full(cells.n_voters, -np.inf)
    for half in np.split(np.arange(lifts.target.size), 2):
        row = np.zeros(cells.n_models, dtype=np.int64)
        row[lifts.target[half]] = half
        push = lifts.push[row[model[which]]]
        place = np.arange(which.size)
        gap = push[place, cells.first[which]] - push[place, cells.second[which]]
        side = np.sign(np.nan_to_num(gap))
        fit = np.bincount(voter, weights=side * net, minlength=cells.n_voters)
        better = (fit > score)[voter]
        best[better] = side[better]
        score = np.maximum(score, fit)
    return best
