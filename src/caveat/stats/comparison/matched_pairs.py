"""Pairs of models whose scores on common items are nearly the same."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.data.matrix import ResponseMatrix
from caveat.results.agreement import Agreement

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
_ROUNDING = 1e-9  # scores such as 0.60 and 0.65 are 0.05 apart up to the last bits


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """Columns of the two models of each pair, in the order of the models."""

    first: Ints
    second: Ints
    reason: str = ""

    def of(self, values: Floats) -> Floats:
        """Pick the pairs' entries of a square array."""
        picked: Floats = values[self.first, self.second]
        return picked

    def only(self, chosen: npt.NDArray[np.integer]) -> "Matched":
        """Return some of the pairs, in the order asked for."""
        return Matched(self.first[chosen], self.second[chosen], self.reason)


def matched_pairs(
    matrix: ResponseMatrix, compared: Agreement, *, points: float, min_items: int
) -> Matched:
    """Find the pairs of near scores on the items that both have a score on.

    Parameters
    ----------
    matrix : ResponseMatrix
    compared : Agreement
        Of `matrix`.
    points : float
        Largest difference, as a share: 0.05 are 5 points.
    min_items : int
        Items that both must have a score on.
    """
    nothing = np.array([], dtype=np.int64)
    known = matrix.score[np.isfinite(matrix.score)]
    if not known.size:
        return Matched(nothing, nothing, "no scores to match models by")
    if known.min() < 0.0 or known.max() > 1.0:
        why = "scores outside 0 to 1: points of score have no meaning to match models by"
        return Matched(nothing, nothing, why)
    first, second = np.triu_indices(len(matrix.models), k=1)
    scored = np.isfinite(matrix.score)
    if scored.all():
        enough = np.full(first.size, scored.shape[0] >= min_items)
    else:
        layer = np.ascontiguousarray(scored.T, dtype=np.float32)
        enough = (layer @ layer.T)[first, second] >= min_items
    gap = np.abs(compared.common_score[first, second] - compared.common_score[second, first])
    near = enough & (gap <= points + _ROUNDING)
    found = Matched(first[near].astype(np.int64), second[near].astype(np.int64))
    if found.first.size:
        return found
    why = f"no two models within {100 * points:g} points of score on {min_items} common items"
    return Matched(nothing, nothing, why)
