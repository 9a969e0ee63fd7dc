"""Decisive votes by voter and pair, beside those of everybody."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class VoterCells:
    """Decisive votes of each voter on each pair, and of all voters on it.

    Attributes
    ----------
    n_voters, n_models : int
    voter, first, second : int array, shape (c,)
        Codes; `first` is below `second`, and no voter has a pair twice.
    wins, losses : float array, shape (c,)
        Whole numbers: votes of the voter for `first` and for `second`.
    pool_wins, pool_losses : float array, shape (c,)
        The same of everybody, the voter included.
    """

    n_voters: int
    n_models: int
    voter: Codes
    first: Codes
    second: Codes
    wins: Floats
    losses: Floats
    pool_wins: Floats
    pool_losses: Floats

    @property
    def own(self) -> Floats:
        """Votes of the voter in each cell."""
        return self.wins + self.losses

    @property
    def pool(self) -> Floats:
        """Votes of everybody on the pair of each cell."""
        return self.pool_wins + self.pool_losses

    @property
    def telling(self) -> Mask:
        """Cells whose totals leave the voter a choice; known without the voter's choices."""
        mixed = (self.pool_wins > 0) & (self.pool_losses > 0)
        return mixed & (self.own > 0) & (self.pool > self.own)

    def only(self, cells: Mask) -> "VoterCells":
        """Return some of the cells."""
        columns = ("voter", "first", "second", "wins", "losses", "pool_wins", "pool_losses")
        return replace(self, **{name: getattr(self, name)[cells] for name in columns})
