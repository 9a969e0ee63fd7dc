"""How many votes a rigging voter could cast on this board before being found."""

import numpy as np
import numpy.typing as npt

from caveat.kernels.voter_bets import weigh_voters
from caveat.kernels.voter_cells import VoterCells
from caveat.results.stress.rigging import Reach
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.robustness.voter_votes import FIRST, SECOND, VoterVotes

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

MOST = 4096
"""Votes beyond which nobody looks."""
VOTERS = 200
"""Simulated voters: a share of 80% is known to 2.8 points."""


def reach(
    votes: VoterVotes,
    board: FittedBoard,
    *,
    log_threshold: float,
    rng: np.random.Generator,
    power: float = 0.8,
) -> tuple[Reach, ...]:
    """Simulate voters who always back one model and abstain elsewhere.

    Parameters
    ----------
    votes : VoterVotes
    board : FittedBoard
        Names the models: second, in the middle, and last.
    log_threshold : float
        Log of the e-value from which a single odd voter is flagged.
    rng : numpy.random.Generator
    power : float
    """
    names = [board.names[k] for k in np.argsort(-board.fit.theta, kind="stable")]
    places = {"runner-up": 1, "middle": len(names) // 2, "last": len(names) - 1}
    seen: dict[str, str] = {}
    for place, number in places.items():
        seen.setdefault(names[number], place)
    return tuple(
        Reach(
            model=name,
            place=place,
            power=power,
            n_votes=_votes_needed(votes, votes.models.index(name), log_threshold, rng, power),
        )
        for name, place in seen.items()
    )


def _votes_needed(
    votes: VoterVotes, target: int, bar: float, rng: np.random.Generator, power: float
) -> int | None:
    """Fewest votes at which a share `power` of the simulated voters is found, to 2%."""
    pool = _Pool(votes, target)
    low, high = 0, 8
    while pool.found(high, bar, rng) < power:
        low, high = high, 2 * high
        if high > MOST:
            return None
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        if pool.found(middle, bar, rng) < power:
            low = middle
        else:
            high = middle
    return high


class _Pool:
    """Decisive votes on the pairs of one model."""

    def __init__(self, votes: VoterVotes, target: int) -> None:
        on = ((votes.first == target) | (votes.second == target)) & (votes.count > 0)
        self.pair, start = np.unique(votes.pair[on], return_index=True)
        self.first, self.second = votes.first[on][start], votes.second[on][start]
        self.wins, self.losses = (
            np.bincount(
                votes.pair[on],
                weights=np.where(votes.outcome[on] == side, votes.count[on], 0.0),
                minlength=votes.n_pairs,
            )[self.pair]
            for side in (FIRST, SECOND)
        )
        self.target = target
        self.n_models = len(votes.models)
        self.often = np.bincount(votes.pair[on], weights=votes.count[on])[self.pair]

    def found(self, n_votes: int, bar: float, rng: np.random.Generator) -> float:
        """Share of voters found who cast `n_votes` for the model on pairs as they come."""
        drawn = rng.multinomial(n_votes, self.often / self.often.sum(), size=VOTERS)
        voter, place = np.nonzero(drawn)
        cast = drawn[voter, place].astype(float)
        for_first = self.first[place] == self.target
        wins, losses = np.where(for_first, cast, 0.0), np.where(for_first, 0.0, cast)
        cells = VoterCells(
            n_voters=VOTERS,
            n_models=self.n_models,
            voter=voter,
            first=self.first[place],
            second=self.second[place],
            wins=wins,
            losses=losses,
            pool_wins=self.wins[place] + wins,
            pool_losses=self.losses[place] + losses,
        )
        return float((weigh_voters(cells).log_e >= bar).mean())
