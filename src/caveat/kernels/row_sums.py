"""Sums over votes with covariates, gathered by pair: a square matrix of all parameters from scans.

Parameters stand as in `caveat.kernels.paired`: ratings (m), tie parameter, coefficients (k).
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]


class RowSums:
    """Adds up x x' for the derivative x of eta, weighted; and the same with the tie parameter.

    Parameters
    ----------
    first, second : int array, shape (q,)
        Models of each pair.
    n_models, n_covariates : int
    """

    def __init__(
        self, first: Codes, second: Codes, *, n_models: int, n_covariates: int, has_tie: bool
    ) -> None:
        q, k = first.size, n_covariates
        self._first, self._second = first, second
        self._m, self._has_tie = n_models, has_tie
        self._pair = np.zeros(q)
        self._pair_tie = np.zeros(q)
        self._pair_z = np.zeros((k, q))
        self._tie = 0.0
        self._tie_z = np.zeros(k)
        self._z = np.zeros((k, k))

    def add(
        self,
        pair: Codes,
        z: Floats,
        eta_eta: Floats,
        eta_tie: Floats | None,
        tie_tie: Floats | None,
    ) -> None:
        """Add a block of votes.

        Parameters
        ----------
        pair : int array, shape (n,)
        z : float array, shape (k, n)
        eta_eta : float array, shape (n,)
        eta_tie, tie_tie : float array, shape (n,), or None
            None without a tie parameter.
        """
        q = self._first.size
        self._pair += np.bincount(pair, weights=eta_eta, minlength=q)
        scaled = z * eta_eta
        for j, row in enumerate(scaled):
            self._pair_z[j] += np.bincount(pair, weights=row, minlength=q)
        self._z += z @ scaled.T
        if eta_tie is not None and tie_tie is not None:
            self._pair_tie += np.bincount(pair, weights=eta_tie, minlength=q)
            self._tie += float(tie_tie.sum())
            self._tie_z += z @ eta_tie

    def matrix(self) -> Floats:
        """Return the sums as a matrix of the parameters; shape (p, p)."""
        m, k, one = self._m, self._z.shape[0], int(self._has_tie)
        made = np.zeros((m + one + k, m + one + k))
        edge = np.bincount(self._first * m + self._second, weights=self._pair, minlength=m * m)
        edge = edge.reshape(m, m) + edge.reshape(m, m).T
        made[:m, :m] = np.diag(edge.sum(axis=1)) - edge
        if self._has_tie:
            made[:m, m] = made[m, :m] = self.by_model(self._pair_tie)
            made[m, m] = self._tie
            made[m, m + one :] = made[m + one :, m] = self._tie_z
        for j in range(k):
            made[:m, m + one + j] = made[m + one + j, :m] = self.by_model(self._pair_z[j])
        made[m + one :, m + one :] = self._z
        return made

    def by_model(self, values: Floats) -> Floats:
        """Sum values of pairs to models, with a minus for the second; shape (m,)."""
        m = self._m
        ahead = np.bincount(self._first, weights=values, minlength=m)
        behind = np.bincount(self._second, weights=values, minlength=m)
        return np.asarray(ahead - behind, dtype=np.float64)
