"""Ratings with covariates of single votes, such as which answer was longer.

Notation as in `caveat.kernels.paired`: a vote between a and b has eta = theta_a - theta_b + z'g.
Here z differs from vote to vote, so votes cannot be added up beforehand: each Newton step is one
scan of the rows, in blocks. What belongs to a pair is gathered by pair; no matrix of rows times
models is ever made.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from caveat.kernels import paired
from caveat.kernels.paired import PairedFit, pack
from caveat.kernels.row_sums import RowSums
from caveat.kernels.ties import TieModel
from caveat.kernels.vote_curves import Curves, curves
from caveat.kernels.vote_rows import VoteRows, units_of_rows

Floats = npt.NDArray[np.float64]

TOLERANCE = 1e-11
"""Largest Newton step, in logits, at which the fit counts as converged."""
MAX_STEPS = 60
_HALVINGS = 40
INDISTINCT = 1e-9
"""Share of a covariate's information that must be its own, not that of ratings and the other
covariates, for its coefficient to be told apart from them."""
_RUNAWAY = 50.0
"""Coefficient, per typical size of its covariate, beyond which there is no finite maximum."""


@dataclass(frozen=True, slots=True, eq=False)
class RowFit:
    """Fit of ratings and coefficients.

    Attributes
    ----------
    fitted : PairedFit
    indistinct : bool array, shape (k,)
        Covariates that ratings and the other covariates say already; with any, nothing is fitted.
    scans : int
        Passes over the rows.
    """

    fitted: PairedFit
    indistinct: npt.NDArray[np.bool_]
    scans: int


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """What one scan adds up. `slope` is a vector of all parameters, `matrix` a square of them."""

    value: float
    slope: Floats
    matrix: Floats


def fit(rows: VoteRows, *, ties: TieModel = "half-win", start: Floats | None = None) -> RowFit:
    """Fit ratings, tie parameter and coefficients to a connected board.

    Parameters
    ----------
    rows : VoteRows
        The graph of wins, ties both ways, must be strongly connected, and the tie parameter must
        exist, as for `caveat.kernels.paired.fit`.
    ties : str
    start : float array, shape (p,), optional
        Parameters to start from; the fit without covariates where absent.

    Returns
    -------
    RowFit
        Not converged where no finite maximum exists: a covariate that decides every vote.
    """
    x = _without(rows, ties) if start is None else start
    now, scans = _scan(rows, x, ties), 1
    m, k = rows.n_models, rows.covariates.shape[0]
    indistinct = _indistinct(now.matrix, rows, x.size - k)
    before = 0.0
    for iteration in range(1, MAX_STEPS + 1):
        if indistinct.any() or np.abs(x[x.size - k :]).max(initial=0.0) > _RUNAWAY:
            break
        step = _solved(filled(now.matrix, rows), now.slope)
        if step is None:
            break
        step[:m] -= step[:m].mean()
        size = float(np.abs(step).max())
        if size < TOLERANCE or _is_last(size, before):
            if _indistinct(now.matrix, rows, x.size - k).any():
                break  # so far out that no vote is in doubt: rounding ends what would go on
            x = x + step
            return RowFit(_fitted(x, rows, ties, now.value, iteration), indistinct, scans)
        for halving in range(_HALVINGS):
            there, scans = _scan(rows, x + step / 2.0**halving, ties), scans + 1
            if there.value >= now.value - 1e-12 * abs(now.value):
                x, now, before = x + step / 2.0**halving, there, size
                break
        else:
            break
    fitted = replace(_fitted(x, rows, ties, now.value, scans), converged=False)
    return RowFit(fitted, indistinct, scans)


def _solved(matrix: Floats, slope: Floats) -> Floats | None:
    """Newton step; None where votes are so sure that no information is left."""
    try:
        return np.asarray(np.linalg.solve(matrix, slope), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None


def _is_last(size: float, before: float) -> bool:
    """Whether a step leaves less than the tolerance: Newton's method squares the distance.

    The factor of the square is taken from the last two steps, ten times, and at least as 10.
    """
    if before <= 0.0 or size > 1e-4:
        return False
    return 10.0 * max(1.0, size / before**2) * size**2 < TOLERANCE


def _without(rows: VoteRows, ties: TieModel) -> Floats:
    """Parameters of the fit without covariates, with zeros for their coefficients."""
    fitted = paired.fit(units_of_rows(rows), ties=ties)
    tie = fitted.tie if fitted.has_tie else None
    return pack(fitted.theta, tie, np.zeros(rows.covariates.shape[0]))


def _fitted(x: Floats, rows: VoteRows, ties: TieModel, value: float, iterations: int) -> PairedFit:
    m, has_tie = rows.n_models, ties != "half-win"
    return PairedFit(
        ties=ties,
        theta=x[:m] - x[:m].mean(),
        tie=float(x[m]) if has_tie else float("nan"),
        coefficients=x[m + has_tie :],
        value=value,
        iterations=iterations,
        converged=True,
    )


def filled(matrix: Floats, rows: VoteRows) -> Floats:
    """Add a term along the common shift of all ratings; it moves nothing orthogonal to it."""
    m = rows.n_models
    made = matrix.copy()
    made[:m, :m] += np.trace(matrix[:m, :m]) / m**2
    return made


def _indistinct(matrix: Floats, rows: VoteRows, head: int) -> npt.NDArray[np.bool_]:
    """Find covariates whose information is that of ratings or of other covariates."""
    own = np.diag(matrix)[head:]
    alone = np.sqrt(np.where(own > 0.0, own, 1.0))
    whole = filled(matrix, rows)
    cross = whole[:head, head:]
    left = matrix[head:, head:] - cross.T @ np.linalg.solve(whole[:head, :head], cross)
    left = left / np.outer(alone, alone)
    found = np.diag(left) < INDISTINCT
    if found.any() or not own.size:
        return np.asarray(found)
    least, vectors = np.linalg.eigh(left)
    return np.asarray((np.abs(vectors[:, least < INDISTINCT]) > 0.1).any(axis=1))


def gathering(rows: VoteRows, ties: TieModel) -> RowSums:
    """Return empty sums over these rows."""
    return RowSums(
        rows.first,
        rows.second,
        n_models=rows.n_models,
        n_covariates=rows.covariates.shape[0],
        has_tie=ties != "half-win",
    )


def _scan(rows: VoteRows, x: Floats, ties: TieModel) -> _Sums:
    """Log-likelihood, slopes and observed information at the parameters `x`."""
    sums = gathering(rows, ties)
    q, k = rows.first.size, rows.covariates.shape[0]
    by_pair, by_z, by_tie, value = np.zeros(q), np.zeros(k), 0.0, 0.0
    for block, _, at in scan_curves(rows, x, ties):
        pair, z = rows.pair[block], rows.covariates[:, block]
        scaled = at if rows.weight is None else _weighed(at, rows.weight[block])
        value += float(scaled.value.sum())
        by_pair += np.bincount(pair, weights=scaled.eta, minlength=q)
        by_z += z @ scaled.eta
        by_tie += 0.0 if scaled.tie is None else float(scaled.tie.sum())
        sums.add(pair, z, scaled.eta_eta, scaled.eta_tie, scaled.tie_tie)
    tie = by_tie if ties != "half-win" else None
    return _Sums(value, pack(sums.by_model(by_pair), tie, by_z), sums.matrix())


def scan_curves(
    rows: VoteRows, x: Floats, ties: TieModel
) -> Iterator[tuple[slice, Floats, Curves]]:
    """Yield each block of rows with eta and the likelihood of its votes at the parameters `x`."""
    m, k = rows.n_models, rows.covariates.shape[0]
    tie = float(x[m]) if ties != "half-win" else float("nan")
    gap, coefficients = x[rows.first] - x[rows.second], x[x.size - k :]
    for block in rows.blocks():
        eta = gap[rows.pair[block]]
        if k:
            eta += coefficients @ rows.covariates[:, block]
        yield block, eta, curves(ties, eta=eta, tie=tie, outcome=rows.outcome[block])


def _weighed(at: Curves, weight: Floats) -> Curves:
    def by(values: Floats | None) -> Floats | None:
        return None if values is None else values * weight

    return Curves(
        value=at.value * weight,
        eta=at.eta * weight,
        eta_eta=at.eta_eta * weight,
        tie=by(at.tie),
        eta_tie=by(at.eta_tie),
        tie_tie=by(at.tie_tie),
    )
