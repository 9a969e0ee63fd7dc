"""Bootstrap of a board: resample counts and refit.

Drawing votes with replacement and adding them up is the same as drawing the cells from one
multinomial. Cells that enter the likelihood alike (both orders of a pair, both kinds of tie) are
merged first, which leaves the distribution of the refits as it is. Drawing clusters of votes is the
same as giving each cluster a multinomial number of copies.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from caveat.kernels import paired
from caveat.kernels.clustered import ClusterCells
from caveat.kernels.connectivity import is_connected
from caveat.kernels.counts import VoteCells
from caveat.kernels.paired import PairedFit, Units
from caveat.kernels.position_limits import position_bounded
from caveat.kernels.tie_limits import tie_bounded
from caveat.kernels.ties import slopes

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]

_BATCH = 100
_NUMBERS = 1 << 24
"""Numbers drawn at a time, so that a million clusters do not fill the memory."""
_MAX_STEPS = 60
_TOLERANCE = 1e-9
"""Largest step, in logits, at which a refit counts as converged: a millionth of any error."""


@dataclass(frozen=True, slots=True, eq=False)
class Bootstrap:
    """Ratings of resampled boards.

    Attributes
    ----------
    theta : float array, shape (r, m)
        One row per replicate whose board held together.
    failed : int
        Replicates without ratings: their votes no longer tie all models into one board, or leave
        tie parameter or first-shown advantage without a finite estimate.
    """

    theta: Floats
    failed: int


def cell_bootstrap(
    cells: VoteCells, fitted: PairedFit, *, replicates: int, rng: np.random.Generator
) -> Bootstrap:
    """Resample the votes of a connected board and refit each replicate.

    Parameters
    ----------
    cells : VoteCells
        Unweighted votes.
    fitted : PairedFit
        Fitted to them.
    replicates : int
    rng : Generator
    """
    units = paired.units_of(cells, values=cells.count, position=bool(fitted.coefficients.size))
    counts = np.stack([units.wins, units.losses, units.ties])
    n = round(float(counts.sum()))
    share = counts.ravel() / counts.sum()
    drawn = (
        rng.multinomial(n, share, size=size).reshape(size, 3, -1).astype(np.float64)
        for size in _batches(replicates, share.size)
    )
    return _refitted(units, fitted, drawn)


def cluster_bootstrap(
    cells: VoteCells,
    fitted: PairedFit,
    *,
    clusters: ClusterCells,
    replicates: int,
    rng: np.random.Generator,
) -> Bootstrap:
    """Resample clusters of votes with replacement and refit each replicate.

    Parameters
    ----------
    cells : VoteCells
        Unweighted votes.
    fitted : PairedFit
        Fitted to them.
    clusters : ClusterCells
        The clusters of the same votes; votes that stand alone are resampled as clusters of one.
    replicates : int
    rng : Generator
    """
    units = paired.units_of(cells, values=cells.count, position=bool(fitted.coefficients.size))
    spread = _into_units(cells, units)
    by_unit = (clusters.members @ spread).T.tocsr()
    chance = np.r_[(clusters.votes > 0).astype(np.float64), clusters.single]
    g, chance = clusters.members.shape[0], chance / chance.sum()
    n = round(clusters.n_clusters)

    def draw(size: int) -> Floats:
        copies = rng.multinomial(n, chance, size=size)
        counts = (by_unit @ copies[:, :g].T).T + copies[:, g:] @ spread
        return np.asarray(counts, dtype=np.float64).reshape(size, 3, -1)

    return _refitted(units, fitted, map(draw, _batches(replicates, chance.size)))


def _batches(replicates: int, each: int) -> Iterator[int]:
    """Sizes of batches of replicates that need `each` numbers."""
    size = max(1, min(_BATCH, _NUMBERS // each))
    for start in range(0, replicates, size):
        yield min(size, replicates - start)


def _into_units(cells: VoteCells, units: Units) -> "csr_array":
    """Where the votes of a cell are added up: shape (k, 3u), ones."""
    u, m = units.a.size, units.n_models
    key = units.a * m + units.b
    straight = np.searchsorted(key, cells.a * m + cells.b)
    found = (straight < u) & (key[np.minimum(straight, u - 1)] == cells.a * m + cells.b)
    place = np.where(found, straight, np.searchsorted(key, cells.b * m + cells.a))
    decided = np.where(found, cells.outcome, 1 - cells.outcome)
    column = np.where(cells.outcome >= 2, 2, decided)
    k = cells.a.size
    return csr_array((np.ones(k), (np.arange(k), column * u + place)), shape=(k, 3 * u))


def _refitted(units: Units, fitted: PairedFit, drawn: Iterator[Floats]) -> Bootstrap:
    rows, failed = [], 0
    for counts in drawn:
        whole = np.array([_holds(units, fitted, one) for one in counts])
        failed += int((~whole).sum())
        theta = _refit(units, fitted, counts[whole])
        fine = np.isfinite(theta).all(axis=1)
        failed += int((~fine).sum())
        rows.append(theta[fine])
    return Bootstrap(np.concatenate(rows), failed)


def _holds(units: Units, fitted: PairedFit, counts: Floats) -> bool:
    """Whether all parameters have a finite estimate."""
    m = units.n_models
    won, lost, tied = np.zeros((3, m, m), dtype=bool)
    for found, number in zip((won, lost, tied), counts, strict=True):
        held = number > 0
        found[units.a[held], units.b[held]] = True
    beat, even = won | lost.T, tied | tied.T
    if not is_connected(beat | even):
        return False
    if fitted.has_tie and not tie_bounded(beat, even):
        return False
    return not fitted.coefficients.size or position_bounded(won, lost, tied, ties=fitted.ties)


def _refit(units: Units, fitted: PairedFit, counts: Floats) -> Floats:
    """Refit all replicates side by side with the Hessian of the full board (chord method).

    The replicates differ little from the board, so a few steps do; what has not converged by
    then (thin boards) is fitted by Newton's method on its own.
    """
    m, has_tie = units.n_models, fitted.has_tie
    inverse = paired.bread(units, fitted)
    incidence = _incidence(units)
    found = np.tile(fitted.parameters, (counts.shape[0], 1))
    size = np.full(counts.shape[0], np.inf)
    active = np.arange(counts.shape[0])
    for _ in range(_MAX_STEPS):
        if not active.size:
            break
        x = found[active]
        eta = x[:, units.a] - x[:, units.b] + x[:, m + has_tie :] @ units.covariates.T
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            slope = _slopes(fitted, eta, x, counts[active])
            by_theta = (incidence @ slope[0].T).T
            parts = [by_theta, slope[1].sum(axis=1)[:, None]] if has_tie else [by_theta]
            step = np.hstack([*parts, slope[0] @ units.covariates]) @ inverse
            found[active] += step
            size[active] = np.abs(step).max(axis=1)
        active = np.flatnonzero(~(size < _TOLERANCE))
    for row in active:
        found[row] = _alone(units, fitted, counts[row])
    return found[:, :m]


def _slopes(fitted: PairedFit, eta: Floats, x: Floats, counts: Floats) -> tuple[Floats, Floats]:
    tie = x[:, [fitted.theta.size]] if fitted.has_tie else np.nan
    wins, losses, ties = counts[:, 0], counts[:, 1], counts[:, 2]
    return slopes(fitted.ties, eta=eta, tie=tie, wins=wins, losses=losses, ties=ties)


def _alone(units: Units, fitted: PairedFit, counts: Floats) -> Floats:
    wins, losses, ties = counts
    own = Units(units.n_models, units.a, units.b, wins, losses, ties, units.covariates)
    again = paired.fit(own, ties=fitted.ties, start=fitted.parameters)
    return again.parameters if again.converged else np.full(fitted.parameters.size, np.nan)


def _incidence(units: Units) -> "csr_array":
    u = units.a.size
    return csr_array(
        (
            np.r_[np.ones(u), -np.ones(u)],
            (np.r_[units.a, units.b], np.r_[np.arange(u), np.arange(u)]),
        ),
        shape=(units.n_models, u),
    )
