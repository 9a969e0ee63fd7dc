"""Taking single votes off a board."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.paired import Units
from caveat.kernels.pull import pull_of
from caveat.kernels.removal_path import State
from caveat.kernels.ties import TieModel
from caveat.kernels.vote_kinds import VoteKinds, moves
from caveat.kernels.warm_refit import Refit, refit

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class VoteRemovals:
    """Kinds of votes as items, each as often as there are votes of it.

    Attributes
    ----------
    kinds : VoteKinds
    contrast : float array, shape (p,)
        1 at the model above, -1 at the one below.
    ties : str
    """

    kinds: VoteKinds
    contrast: Floats
    ties: TieModel

    @property
    def limit(self) -> Floats:
        """Votes of each kind."""
        return self.kinds.count

    def units(self, taken: Floats) -> Units:
        """Votes that are left."""
        return self.kinds.with_counts(self.kinds.count - taken)

    def state(self, units: Units, near: Refit) -> State:
        """Fit connected votes."""
        fitted = refit(units, ties=self.ties, start=near)
        return State(float(self.contrast @ fitted.parameters), units, fitted)

    def gains(self, state: State) -> Floats:
        """Return what the next vote of each kind would take off the gap."""
        pull = pull_of(state.units, state.refit, self.contrast, ties=self.ties)
        return -moves(self.kinds, pull, votes=-1.0)

    def bridges(self, taken: Floats, label: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
        """Kinds between islands of which nothing is left."""
        pairs = self.kinds.pairs
        apart = label[pairs.a] != label[pairs.b]
        return np.asarray(apart[self.kinds.pair] & (taken >= self.kinds.count))
