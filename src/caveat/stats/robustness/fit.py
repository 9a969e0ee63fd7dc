"""How well the ratings fit the votes they were made from."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, chdtrc, gammaincc

from caveat._blas import single_threaded
from caveat._rng import as_generator
from caveat.errors import InputError, TooFewError
from caveat.kernels import goodness, misfit
from caveat.kernels.cycles import cyclic, triples
from caveat.kernels.expected import Expected, expected, tail_bound
from caveat.kernels.goodness import Goodness
from caveat.kernels.misfit import Residuals
from caveat.kernels.multiplicity import holm
from caveat.kernels.paired import Units
from caveat.kernels.within_pairs import together, worth
from caveat.results.ranking import Ranking
from caveat.results.stress.fit import (
    AllPairs,
    Cycle,
    Cycles,
    Fit,
    LeadFit,
    ModelFit,
    PairFit,
    SharedVotes,
)
from caveat.stats.ranking.dependence import COLUMNS
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.rated_votes import has_values
from caveat.stats.ranking.scale import POINTS
from caveat.stats.ranking.sharing import clusters_of

Floats = npt.NDArray[np.float64]

REPLICATES = 499
LEAST_REPLICATES = 99
WORK = 2e10
"""Operations that cycles are counted with over all drawn boards: above 340 models, fewer boards are
drawn."""
LISTED = 20
SPARSE = 5.0
"""Expected votes of an outcome below which its cell is called sparse."""


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """A fit with all that is read from it."""

    board: FittedBoard
    units: Units
    shared: SharedVotes | None
    at: Expected
    left: Residuals
    found: Goodness
    null: Goodness
    level: float


def fit(board: Ranking, fitted: FittedBoard, *, seed: "int | np.random.Generator" = 0) -> Fit:
    """Judge how well one number per model explains the votes between them.

    Use it before believing a rating at all. On many votes every model of votes is rejected; how far
    the win shares of pairs stray from what the ratings say (`tau`) tells whether that matters.

    Parameters
    ----------
    board : Ranking
    fitted : FittedBoard
        Its fit.
    seed : int or Generator
        For the boards drawn from the fit.

    Returns
    -------
    Fit

    Raises
    ------
    InputError
        If the votes carry weights.
    TooFewError
        If there are no more pairs than free ratings, or ties only.

    References
    ----------
    Williams (1982), https://doi.org/10.2307/2347977; DerSimonian and Laird (1986),
    https://doi.org/10.1016/0197-2456(86)90046-2; Kendall and Babington Smith (1940),
    https://doi.org/10.1093/biomet/31.3-4.324; Davison and Hinkley (1997), "Bootstrap Methods and
    their Application", section 4.2.
    """
    if fitted.votes.weighted:
        raise InputError("votes must carry no weights, got some: noise is known for counts only")
    if not (fitted.units.wins + fitted.units.losses).any():
        raise TooFewError("votes that are no ties", got=0, need=1)
    free = len(fitted.names) - 1 + fitted.fit.coefficients.size
    if fitted.units.a.size <= free:
        raise TooFewError("pairs", got=fitted.units.a.size, need=free + 1)
    with single_threaded():
        shared, inflation = _shared(board, fitted)
        units = worth(fitted.units, inflation)
        at = expected(units, fitted.fit)
        judged = _Judged(
            board=fitted,
            units=units,
            shared=shared,
            at=at,
            left=misfit.residuals(units, fitted.fit, at),
            found=goodness.observed(units, fitted.fit),
            null=goodness.drawn(
                units, fitted.fit, replicates=_replicates(units), rng=as_generator(seed)
            ),
            level=board.level,
        )
        return _result(judged, board, free, seed)


def _shared(board: Ranking, fitted: FittedBoard) -> tuple[SharedVotes | None, Floats]:
    """Find what votes share that takes most from their number, and by how much for each pair."""
    source, plain = fitted.votes.source, np.ones(fitted.units.a.size)
    if source is None:
        return None, plain
    found: tuple[SharedVotes | None, Floats] = (None, plain)
    for column in dict.fromkeys((*COLUMNS, *filter(None, [board.cluster]))):
        if not has_values(source.table, column):
            continue
        got = together(fitted.cells, fitted.units, clusters_of(fitted, column))
        mean = float(np.average(got.inflation, weights=fitted.units.n_votes))
        if mean > (found[0].inflation if found[0] else 1.0):
            found = SharedVotes(column=column, rho=got.rho, inflation=mean), got.inflation
    return found


def _replicates(units: Units) -> int:
    return int(min(REPLICATES, max(LEAST_REPLICATES, WORK / max(units.n_models, 2) ** 3)))


def _result(judged: _Judged, board: Ranking, free: int, seed: "int | np.random.Generator") -> Fit:
    units, found, null = judged.units, judged.found, judged.null
    tau = misfit.departure(units, judged.at, judged.left, level=judged.level)
    has_tie = judged.board.fit.has_tie
    df = units.a.size - free
    tested = _all_pairs(judged)
    return Fit(
        method=judged.board.method,
        n_models=units.n_models,
        n_pairs=units.a.size,
        n_votes=round(float(judged.board.units.n_votes.sum())),
        pearson=float(found.pearson[0]),
        df=df,
        p_chi2=float(chdtrc(df, found.pearson[0])),
        p=_share(null.pearson, found.pearson[0]),
        deviance=float(found.deviance[0]),
        deviance_df=df + (units.a.size - 1 if has_tie else 0),
        deviance_p=_share(null.deviance, found.deviance[0]),
        sparse=_sparse(judged),
        tau=tau.tau,
        low=tau.low,
        high=tau.high,
        level=judged.level,
        models=_models(judged, tau.tau),
        pairs=_pairs(tested),
        n_pairs_off=int(tested.all_pairs.off.sum()),
        lead=_lead(judged, board, tau.tau),
        cycles=_cycles(judged),
        shared=judged.shared,
        replicates=null.pearson.size,
        seed=seed if isinstance(seed, int) else None,
        all_pairs=tested.all_pairs,
    )


def _share(null: Floats, value: float) -> float:
    """Return the p value of a drawn distribution: itself counts as one of it."""
    if math.isnan(value):
        return math.nan
    # What rounding makes of equal figures must not tell them apart.
    return float((1 + (null >= value * (1 - 1e-9)).sum()) / (1 + null.size))


def _sparse(judged: _Judged) -> float:
    n, at = judged.units.n_votes, judged.at
    chance = np.stack([at.win, at.loss, at.tie])
    least = np.where(chance > 0, n * chance, np.inf).min(axis=0)
    return float((least < SPARSE).mean())


def _models(judged: _Judged, tau: float) -> tuple[ModelFit, ...]:
    units, names = judged.units, judged.board.names
    mine, null = judged.found.by_model[0], judged.null.by_model
    mean, variance = null.mean(axis=0), null.var(axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Drawn boards give no p value below their number; their first two moments, as those of a
        # gamma distribution, do.
        p = np.where(variance > 0, gammaincc(mean**2 / variance, mine * mean / variance), 1.0)
    adjusted = holm(p)
    own = misfit.departure_by_model(units, judged.at, judged.left, tau=tau)
    both = np.r_[units.a, units.b]
    pairs = np.bincount(both, minlength=len(names))
    votes = np.bincount(both, np.tile(judged.board.units.n_votes, 2), len(names))
    rows = [
        ModelFit(
            model=names[k],
            n_pairs=int(pairs[k]),
            n_votes=round(float(votes[k])),
            pearson=float(mine[k]),
            expected=float(mean[k]),
            tau=float(own[k]),
            p=float(p[k]),
            p_adjusted=float(adjusted[k]),
        )
        for k in range(len(names))
    ]
    return tuple(sorted(rows, key=lambda m: (m.p, -m.pearson / max(m.expected, 1e-9), m.model)))


@dataclass(frozen=True, slots=True, eq=False)
class _Tested:
    """All pairs, with bounds on their p values."""

    all_pairs: AllPairs
    bound: Floats
    adjusted: Floats


def _all_pairs(judged: _Judged) -> _Tested:
    units, at, z = judged.units, judged.at, judged.left.z
    share = at.score + judged.left.residual
    bound = np.where(np.isnan(z), 1.0, tail_bound(units, at, share))
    adjusted = holm(bound)
    every = AllPairs(
        a=units.a,
        b=units.b,
        n_votes=judged.board.units.n_votes,
        observed=share,
        expected=at.score,
        z=z,
        off=adjusted < 1.0 - judged.level,
        names=judged.board.names,
    )
    return _Tested(every, bound, adjusted)


def _pairs(tested: _Tested) -> tuple[PairFit, ...]:
    """Pairs furthest off, the first of the two above what its rating says."""
    every = tested.all_pairs
    order = np.lexsort((-np.abs(np.nan_to_num(every.z)), tested.bound))[:LISTED]
    rows = []
    for k in order[~np.isnan(every.z[order])].tolist():
        up = bool(every.z[k] > 0)
        a, b = every.names[every.a[k]], every.names[every.b[k]]
        observed, expected = float(every.observed[k]), float(every.expected[k])
        rows.append(
            PairFit(
                a=a if up else b,
                b=b if up else a,
                n_votes=round(float(every.n_votes[k])),
                observed=observed if up else 1.0 - observed,
                expected=expected if up else 1.0 - expected,
                z=abs(float(every.z[k])),
                p_adjusted=float(tested.adjusted[k]),
            )
        )
    return tuple(rows)


def _lead(judged: _Judged, board: Ranking, tau: float) -> LeadFit | None:
    lead = board.lead
    if lead is None or not math.isfinite(lead.z) or math.isnan(tau):
        return None
    names = judged.board.names
    contrast = np.zeros(len(names))
    contrast[[names.index(lead.leader), names.index(lead.runner_up)]] = 1.0, -1.0
    more = misfit.carried(judged.board.units, judged.board.fit, judged.at, contrast)
    se = math.hypot(lead.se, POINTS * tau * math.sqrt(more))
    return LeadFit(
        leader=lead.leader,
        runner_up=lead.runner_up,
        z=lead.z,
        se=lead.se,
        se_departing=se,
        z_departing=lead.difference / se,
        critical=board.critical,
    )


def _cycles(judged: _Judged) -> Cycles:
    units, null = judged.units, judged.null.cyclic
    ahead = goodness.ahead(units, units.wins, units.losses)
    counted = triples(ahead)
    tail = (1.0 - judged.level) / 2.0
    low, high = counted.n * np.quantile(null, [tail, 1.0 - tail])
    sure = _sure_cycles(judged, ahead)
    return Cycles(
        n_triples=counted.n,
        n_cyclic=counted.n_cyclic,
        expected=counted.n * float(null.mean()),
        low=float(low),
        high=float(high),
        p=_share(null, float(judged.found.cyclic[0])),
        zeta=counted.zeta,
        n_beyond_doubt=len(sure),
        listed=tuple(sure[:LISTED]),
    )


def _sure_cycles(judged: _Judged, ahead: npt.NDArray[np.bool_]) -> list[Cycle]:
    units, names, m = judged.units, judged.board.names, judged.units.n_models

    def square(values: Floats) -> Floats:
        made = np.bincount(units.a * m + units.b, values, m * m).reshape(m, m)
        return np.asarray(made, dtype=np.float64)

    won = square(units.wins) + square(units.losses).T
    tied = square(units.ties) + square(units.ties).T
    fewer, decisive = np.minimum(won, won.T), won + won.T
    i, j = np.nonzero(np.triu(decisive + tied) > 0)
    adjusted = np.ones((m, m))
    number, lost = (np.rint(x[i, j]).astype(np.int64) for x in (decisive, fewer))
    adjusted[i, j] = holm(np.minimum(1.0, 2.0 * bdtr(lost.astype(np.float64), number, 0.5)))
    adjusted = np.minimum(adjusted, adjusted.T)
    rounds = cyclic(ahead & (adjusted < 1.0 - judged.level))
    with np.errstate(invalid="ignore"):
        share = (won + tied / 2.0) / (decisive + tied)
    found = [
        Cycle(
            models=(names[a], names[b], names[c]),
            shares=(float(share[a, b]), float(share[b, c]), float(share[c, a])),
            p_adjusted=float(max(adjusted[a, b], adjusted[b, c], adjusted[c, a])),
        )
        for a, b, c in rounds.tolist()
    ]
    return sorted(found, key=lambda c: (c.p_adjusted, -min(c.shares), c.models))
