"""Errors of ratings and coefficients fitted to single votes, plain and clustered.

Sandwich: White (1982), https://doi.org/10.2307/1912526. Clusters: Liang and Zeger (1986),
https://doi.org/10.1093/biomet/73.1.13, with the factor G / (G - 1).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from caveat.kernels.few_clusters import ClustersOfModels, steadied
from caveat.kernels.paired import FEW_VOTES, PairedFit
from caveat.kernels.row_sums import RowSums
from caveat.kernels.style import filled, gathering, scan_curves
from caveat.kernels.ties import chances, likelihood
from caveat.kernels.vote_curves import Curves
from caveat.kernels.vote_rows import VoteRows

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]

_DENSE_MODELS = 256
"""Models up to which multiplying dense blocks is quicker than a sparse product."""


def sandwich(rows: VoteRows, fitted: PairedFit) -> Floats:
    """Robust covariance of all parameters, each vote an independent unit; shape (p, p).

    One scan. Steadied for models of few votes as `caveat.kernels.paired.sandwich` is.

    Parameters
    ----------
    rows : VoteRows
        The votes the parameters were fitted to.
    fitted : PairedFit
    """
    found = _scanned(rows, fitted)
    return _between(_inverse(found.curved, rows), found.meat)


@dataclass(frozen=True, slots=True, eq=False)
class Steadying:
    """Clusters behind each model, and what a vote for it takes from the others.

    Attributes
    ----------
    models : ClustersOfModels
    away : float array, shape (m, m)
    """

    models: ClustersOfModels
    away: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Scanned:
    """Information, and squared slopes of the votes, steadied where a model has few."""

    curved: RowSums
    meat: Floats


def _scanned(rows: VoteRows, fitted: PairedFit) -> _Scanned:
    number = rows.votes_of_models
    trust = np.minimum(1.0, np.minimum(number[rows.first], number[rows.second]) / FEW_VOTES)
    few = bool((trust < 1.0).any())
    curved, seen, model = (gathering(rows, fitted.ties) for _ in range(3))
    observed = expected = 0.0
    for block, eta, at in scan_curves(rows, fitted.parameters, fitted.ties):
        pair, z = rows.pair[block], rows.covariates[:, block]
        curved.add(pair, z, *_weighed(rows.weight, block, (at.eta_eta, at.eta_tie, at.tie_tie)))
        squares = _weighed(rows.weight2, block, _squares(at))
        if few:
            wanted = _weighed(rows.weight2, block, _expected(at, eta, fitted))
            observed, expected = observed + squares[0].sum(), expected + wanted[0].sum()
            model.add(pair, z, *_times(1.0 - trust[pair], wanted))
            squares = _times(trust[pair], squares)
        seen.add(pair, z, *squares)
    meat = seen.matrix()
    return _Scanned(curved, meat + observed / expected * model.matrix() if few else meat)


def _between(inverse: Floats, meat: Floats) -> Floats:
    covariance = inverse @ meat @ inverse
    return np.asarray((covariance + covariance.T) / 2.0, dtype=np.float64)


def _inverse(curved: RowSums, rows: VoteRows) -> Floats:
    """Inverse information orthogonal to the common shift of all ratings."""
    matrix, m = curved.matrix(), rows.n_models
    inverse = np.linalg.inv(filled(matrix, rows))
    inverse[:m, :m] -= 1.0 / float(np.trace(matrix[:m, :m]))
    return np.asarray((inverse + inverse.T) / 2.0, dtype=np.float64)


_Three = tuple[Floats, Floats | None, Floats | None]


def _times(factor: Floats, values: _Three) -> _Three:
    first, second, third = values
    return (
        factor * first,
        None if second is None else factor * second,
        None if third is None else factor * third,
    )


def _weighed(weight: Floats | None, where: slice | Codes, values: _Three) -> _Three:
    return values if weight is None else _times(weight[where], values)


def _squares(at: Curves) -> _Three:
    if at.tie is None:
        return at.eta**2, None, None
    return at.eta**2, at.eta * at.tie, at.tie**2


def _expected(at: Curves, eta: Floats, fitted: PairedFit) -> _Three:
    """Information of one vote whatever its outcome was."""
    if fitted.ties != "rao-kupper":  # the observed information does not depend on the outcome
        return at.eta_eta, at.eta_tie, at.tie_tie
    p = chances(fitted.ties, eta=eta, tie=fitted.tie)
    one = likelihood(fitted.ties, eta=eta, tie=fitted.tie, wins=p.win, losses=p.loss, ties=p.tie)
    return one.eta_eta, one.eta_tie, one.tie_tie


def clustered(
    rows: VoteRows, fitted: PairedFit, cluster: Codes, *, behind: Steadying | None = None
) -> Floats:
    """Robust covariance with the votes of a cluster taken together; shape (p, p).

    Parameters
    ----------
    rows : VoteRows
    fitted : PairedFit
    cluster : int array, shape (n,)
        Codes from 0; -1 for votes that are each a cluster of its own. Identical votes of one row
        are in the same cluster unless its code is -1.
    behind : Steadying, optional
        What steadies the errors of models that few clusters judged, at the cost of one more scan;
        they stay as they are where absent.

    Returns
    -------
    float array, shape (p, p)
        nan with fewer than two clusters.

    References
    ----------
    Liang and Zeger (1986), https://doi.org/10.1093/biomet/73.1.13, with the factor G / (G - 1).
    """
    eta, tie = np.empty(rows.n_rows), np.empty(rows.n_rows)
    curved, single = gathering(rows, fitted.ties), gathering(rows, fitted.ties)
    held, alone = np.zeros(int(cluster.max(initial=-1)) + 1, dtype=bool), 0.0
    for block, _, at in scan_curves(rows, fitted.parameters, fitted.ties):
        pair, z, code = rows.pair[block], rows.covariates[:, block], cluster[block]
        curved.add(pair, z, *_weighed(rows.weight, block, (at.eta_eta, at.eta_tie, at.tie_tie)))
        squares = _weighed(rows.weight2, block, _squares(at))
        lone = code < 0
        if lone.any():
            single.add(pair, z, *_times(lone.astype(np.float64), squares))
            alone += float(lone.sum() if rows.count is None else rows.count[block][lone].sum())
        held[code[~lone]] = True
        eta[block], tie[block] = at.eta, 0.0 if at.tie is None else at.tie
    number = float(np.count_nonzero(held)) + alone
    factor = number / (number - 1.0) if number > 1 else float("nan")
    together = _cluster_meat(rows, eta, tie if fitted.has_tie else None, cluster)
    meat = factor * (single.matrix() + together)
    if behind is not None and number > 1:
        plain = _scanned(rows, fitted).meat.diagonal()[: rows.n_models]
        meat = steadied(meat, plain, behind.models, behind.away)
    return _between(_inverse(curved, rows), meat)


def _cluster_meat(rows: VoteRows, eta: Floats, tie: Floats | None, cluster: Codes) -> Floats:
    """Squared sums of clusters: ratings as a sparse array, since a cluster meets few models."""
    m, groups = rows.n_models, int(cluster.max(initial=-1)) + 1
    keep = np.flatnonzero(cluster >= 0)
    code, pair = cluster[keep], rows.pair[keep]
    weight = None if rows.weight is None else rows.weight[keep]
    slope = eta[keep] if weight is None else eta[keep] * weight
    shape = (groups, m)
    ratings = csr_array((slope, (code, rows.first[pair])), shape=shape) - csr_array(
        (slope, (code, rows.second[pair])), shape=shape
    )
    rest = [slope * z[keep] for z in rows.covariates]
    if tie is not None:
        rest.insert(0, tie[keep] if weight is None else tie[keep] * weight)
    dense = np.array(
        [np.bincount(code, weights=values, minlength=groups) for values in rest]
    ).reshape(len(rest), groups)
    made = np.zeros((m + len(rest), m + len(rest)))
    made[:m, :m] = _gram(ratings)
    made[m:, :m] = (ratings.T @ dense.T).T
    made[:m, m:] = made[m:, :m].T
    made[m:, m:] = dense @ dense.T
    return made


def _gram(sparse: csr_array) -> Floats:
    """Product of an array's transpose with itself; in dense blocks while there are few columns."""
    rows, m = sparse.shape
    if m > _DENSE_MODELS:
        return np.asarray((sparse.T @ sparse).toarray(), dtype=np.float64)
    total, size = np.zeros((m, m)), (1 << 20) // max(m, 1)
    for start in range(0, rows, size):
        block = sparse[start : start + size].toarray()
        total += block.T @ block
    return total
