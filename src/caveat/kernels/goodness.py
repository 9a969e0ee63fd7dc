"""Goodness of fit of a board: sums of squares, deviance and cycles, and what noise makes of them.

Pearson's sum of squares is over pairs, of scores with ties as half: sum of n (y - e)^2 / v in the
notation of `caveat.kernels.misfit`. The deviance is that of the table of wins, losses and ties.
Cells of few votes spoil their chi-squared distributions, so boards are drawn from the fit and
fitted again: the parametric bootstrap.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.special import xlogy

from caveat.kernels import paired
from caveat.kernels.cycles import triples
from caveat.kernels.expected import Expected, draw, expected, expected_at
from caveat.kernels.paired import PairedFit, Units
from caveat.kernels.ties import slopes

Floats = npt.NDArray[np.float64]

_BATCH = 50
_STEPS = 2
"""Steps of scoring by which drawn boards are fitted, from the fit they were drawn from: it lies
within their error of the maximum, and the maximum itself may be infinite."""


@dataclass(frozen=True, slots=True, eq=False)
class Goodness:
    """Figures of one board, or of r drawn ones.

    Attributes
    ----------
    pearson : float array, shape (r,)
    deviance : float array, shape (r,)
        nan under half-win with ties, which it does not model.
    by_model : float array, shape (r, m)
        Parts of `pearson` from the pairs of each model; each pair counts for both of its models.
    cyclic : float array, shape (r,)
        Cyclic triples as a share of those with three uneven pairs; 0 without any.
    """

    pearson: Floats
    deviance: Floats
    by_model: Floats
    cyclic: Floats


def observed(units: Units, fitted: PairedFit) -> Goodness:
    """Figures of the votes themselves.

    Parameters
    ----------
    units : Units
        Unweighted votes of a connected board.
    fitted : PairedFit
    """
    counts = np.stack([units.wins, units.losses, units.ties])[None]
    return _figures(units, fitted, counts, expected(units, fitted))


def drawn(
    units: Units, fitted: PairedFit, *, replicates: int, rng: np.random.Generator
) -> Goodness:
    """Figures of boards drawn from the fit and fitted again.

    Ratings from few votes lie further apart than the strengths behind them, and boards drawn from
    them would go round too seldom: they are drawn from ratings moved together (see `shrunk`).

    Parameters
    ----------
    units : Units
    fitted : PairedFit
    replicates : int
    rng : Generator
    """
    source = shrunk(units, fitted)
    at = expected(units, source)
    inverse = paired.bread(units, source)
    parts = []
    for size in _batches(replicates):
        counts = draw(units, at, size=size, rng=rng)
        parts.append(_figures(units, source, counts, _refitted(units, source, counts, inverse)))
    return Goodness(
        *(np.concatenate([getattr(part, name) for part in parts]) for name in Goodness.__slots__)
    )


def shrunk(units: Units, fitted: PairedFit) -> PairedFit:
    """Move ratings together, so that the sum of their squares is what is expected of the true ones.

    The sum of squared estimates exceeds that of the true ratings by the sum of their variances.

    Parameters
    ----------
    units : Units
    fitted : PairedFit
    """
    spread = float(fitted.theta @ fitted.theta)
    m = units.n_models
    noise = float(np.trace(paired.bread(units, fitted)[:m, :m]))
    share = max(0.0, 1.0 - noise / spread) if spread > 0 else 0.0
    return replace(fitted, theta=math.sqrt(share) * fitted.theta)


def _batches(replicates: int) -> Iterator[int]:
    for start in range(0, replicates, _BATCH):
        yield min(_BATCH, replicates - start)


def _refitted(units: Units, fitted: PairedFit, counts: Floats, inverse: Floats) -> Expected:
    m, has_tie = units.n_models, fitted.has_tie
    wins, losses, ties = np.moveaxis(counts, 1, 0)
    x = np.tile(fitted.parameters, (counts.shape[0], 1))
    incidence = _incidence(units)
    for _ in range(_STEPS):
        eta = x[:, units.a] - x[:, units.b] + x[:, m + has_tie :] @ units.covariates.T
        tie = x[:, [m]] if has_tie else math.nan
        slope, by_tie = slopes(fitted.ties, eta=eta, tie=tie, wins=wins, losses=losses, ties=ties)
        parts = [(incidence @ slope.T).T, by_tie.sum(axis=1, keepdims=True)][: 1 + has_tie]
        x = x + np.hstack([*parts, slope @ units.covariates]) @ inverse
        if fitted.ties == "rao-kupper":
            x[:, m] = np.maximum(x[:, m], fitted.tie / 2.0)  # its edge is 0
    eta = x[:, units.a] - x[:, units.b] + x[:, m + has_tie :] @ units.covariates.T
    tie = x[:, [m]] if has_tie else math.nan
    return expected_at(fitted.ties, eta=eta, tie=tie, votes=counts.sum(axis=1), ties=ties)


def _incidence(units: Units) -> "csr_array":
    u = units.a.size
    places = (np.r_[units.a, units.b], np.r_[np.arange(u), np.arange(u)])
    return csr_array((np.r_[np.ones(u), -np.ones(u)], places), shape=(units.n_models, u))


def _figures(units: Units, fitted: PairedFit, counts: Floats, at: Expected) -> Goodness:
    n = counts.sum(axis=1)
    score = counts[:, 0] + counts[:, 2] / 2.0
    missed, wanted = (score - n * at.score) ** 2, n * at.variance
    # Far out the variance underflows; a pair that is then as certain as it looks strays by nothing.
    sure = (wanted == 0) & (missed == 0)
    square = np.divide(missed, wanted, out=np.zeros_like(missed), where=~sure)
    each = abs(_incidence(units)) @ square.T
    return Goodness(
        pearson=square.sum(axis=1),
        deviance=_deviance(fitted, counts, at),
        by_model=each.T,
        cyclic=np.array([_cyclic(ahead(units, *one[:2])) for one in counts], dtype=np.float64),
    )


def _cyclic(arcs: npt.NDArray[np.bool_]) -> float:
    """Share of cyclic triples: boards of few votes have fewer triples without a draw."""
    found = triples(arcs)
    return found.n_cyclic / found.n if found.n else 0.0


def _deviance(fitted: PairedFit, counts: Floats, at: Expected) -> Floats:
    if not fitted.has_tie and counts[:, 2].any():
        return np.full(counts.shape[0], np.nan)
    n = counts.sum(axis=1)
    chance = (at.win, at.loss, at.tie)
    total = sum(
        xlogy(counts[:, k], counts[:, k]) - xlogy(counts[:, k], n * p) for k, p in enumerate(chance)
    )
    return np.asarray(2.0 * np.asarray(total).sum(axis=-1), dtype=np.float64)


def ahead(units: Units, wins: Floats, losses: Floats) -> npt.NDArray[np.bool_]:
    """Whether i won more than half of its votes against j, ties as half; shape (m, m)."""
    m = units.n_models
    net = np.bincount(units.a * m + units.b, weights=wins - losses, minlength=m * m).reshape(m, m)
    return np.asarray(net - net.T > 0)
