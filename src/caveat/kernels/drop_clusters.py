"""Taking whole clusters of votes (a voter's, a prompt's) off a board."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from caveat.kernels.drop_votes import VoteRemovals
from caveat.kernels.paired import Units
from caveat.kernels.removal_path import State
from caveat.kernels.warm_refit import Refit

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ClusterRemovals:
    """Clusters as items, each once.

    Attributes
    ----------
    votes : VoteRemovals
    held : sparse float array, shape (g, k)
        Votes of each kind in each cluster.
    """

    votes: VoteRemovals
    held: csr_array

    @property
    def limit(self) -> Floats:
        """One of each cluster."""
        return np.ones(self.held.shape[0])

    def votes_taken(self, taken: Floats) -> Floats:
        """Votes of each kind that go with the clusters; shape (k,)."""
        return np.asarray(self.held[np.flatnonzero(taken)].sum(axis=0), dtype=np.float64).ravel()

    def units(self, taken: Floats) -> Units:
        """Votes that are left."""
        kinds = self.votes.kinds
        left = kinds.count - self.votes_taken(taken)
        # Sums of weights in another order may leave a rest of rounding, which is no vote.
        return kinds.with_counts(np.where(left > 1e-9 * kinds.count, left, 0.0))

    def state(self, units: Units, near: Refit) -> State:
        """Fit connected votes."""
        return self.votes.state(units, near)

    def gains(self, state: State) -> Floats:
        """Add up what its votes would take off the gap, for each cluster."""
        return np.asarray(self.held @ self.votes.gains(state), dtype=np.float64)

    def bridges(self, taken: Floats, label: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
        """Clusters taken that hold votes between islands."""
        pairs = self.votes.kinds.pairs
        apart = (label[pairs.a] != label[pairs.b])[self.votes.kinds.pair]
        return np.asarray((self.held @ apart.astype(np.float64) > 0) & (taken > 0))
