"""A board by maximum likelihood: Bradley-Terry and the models of ties."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from caveat import _validate
from caveat._blas import single_threaded
from caveat._rng import as_generator
from caveat.data.evidence import ORDER_KNOWN
from caveat.data.schema import OUTCOMES
from caveat.errors import InputError
from caveat.kernels import paired
from caveat.kernels.clustered import ClusterCells
from caveat.kernels.few_clusters import clustered_covariance
from caveat.kernels.paired import PairedFit
from caveat.kernels.resampling import cell_bootstrap, cluster_bootstrap
from caveat.kernels.ties import decisive
from caveat.results.ranking import Position, Ranking
from caveat.stats.ranking.assembling import Told, assemble
from caveat.stats.ranking.counting import CountedVotes
from caveat.stats.ranking.estimates import (
    Estimates,
    check_replicates,
    from_covariance,
    from_replicates,
)
from caveat.stats.ranking.fitted import FittedBoard, Method, fit_board
from caveat.stats.ranking.scale import CENTRE, POINTS
from caveat.stats.ranking.sharing import clusters_of
from caveat.stats.ranking.win_chances import with_win_chances

if TYPE_CHECKING:
    import pyarrow as pa

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """How the uncertainty of ratings is found.

    Attributes
    ----------
    level : float
        Coverage of each rating's interval, and joint coverage of all rank intervals.
    bootstrap : int
        0 for sandwich intervals, or the number of replicates (at least 100) for percentile
        intervals and standard errors.
    cluster : str or None
        Column (`voter`, `item`, `battle`, ...) whose votes count together.
    seed : int or Generator
        For the bootstrap and the simulated critical value.
    """

    level: float = 0.95
    bootstrap: int = 0
    cluster: str | None = None
    seed: int | np.random.Generator = 0


PLAIN = Errors()


def rate(
    votes: CountedVotes,
    *,
    method: Method = "auto",
    position: bool = False,
    anchor: str | None = None,
    errors: Errors = PLAIN,
    start: FittedBoard | None = None,
) -> Ranking:
    """Rate models by Bradley-Terry, or by a model of ties.

    Use it for votes that do not depend on when they were cast. Models that the votes do not tie
    into one board are reported as groups and left unrated, never regularised into place.

    Parameters
    ----------
    votes : CountedVotes
        Counts of m models.
    method : str
        `bradley-terry` (a tie is half a win of each), `davidson`, `rao-kupper`, or `auto`:
        `davidson` where the votes hold ties enough to fit it.
    position : bool
        Whether to fit an advantage of the answer shown first.
    anchor : str, optional
        Model whose rating is fixed at 1000 points; the rated model with the most votes where
        absent.
    errors : Errors
    start : FittedBoard, optional
        An earlier board to start from.

    Returns
    -------
    Ranking
        Ratings in Elo-like points.

    Raises
    ------
    InputError
        If an option is out of range or does not fit the votes.

    References
    ----------
    As for `fit_board`; White (1982), https://doi.org/10.2307/1912526; Mogstad et al. (2024),
    https://doi.org/10.1093/restud/rdad006.

    Examples
    --------
    >>> import caveat
    >>> rows = {"model_a": ["x"] * 60, "model_b": ["y"] * 60,
    ...         "outcome": (["a"] * 4 + ["b", "tie"]) * 10}
    >>> caveat.rank(caveat.read_votes(rows)).models[0].model
    'x'
    """
    _check(errors, weighted=votes.weighted)
    board = fit_board(votes, method=method, position=position, start=start)
    return rate_fitted(board, anchor=anchor, errors=errors)


def rate_fitted(
    board: FittedBoard,
    *,
    anchor: str | None = None,
    errors: Errors = PLAIN,
    covariance: Floats | None = None,
) -> Ranking:
    """Turn a fitted board into ratings with intervals, ranks and tiers; see `rate`.

    `covariance`, of all parameters in logits, is that of the board where it is not given.
    """
    _check(errors, weighted=board.votes.weighted)
    fixed = _anchor(board, anchor)
    # Two streams: asking for a bootstrap must not move the critical value, and with it ranks.
    for_ranks, for_bootstrap = as_generator(errors.seed).spawn(2)
    clusters = clusters_of(board, errors.cluster) if errors.cluster else None
    if covariance is None:
        covariance = covariance_of(board, clusters)
    estimates = _estimates(board, covariance, clusters, fixed, errors, for_bootstrap)
    told = Told(
        method=board.method,
        groups=board.groups,
        level=errors.level,
        rng=for_ranks,
        interval=_interval(errors),
        chance=_chance(board.fit) if len(board.names) > 1 else None,
        fields=_fields(board, covariance, clusters, fixed, errors),
    )
    return with_win_chances(assemble(board.votes, estimates, told), board, covariance)


def _check(errors: Errors, *, weighted: bool) -> None:
    _validate.probability("level", errors.level)
    check_replicates(errors.bootstrap, weighted=weighted)


def _interval(errors: Errors) -> str:
    if errors.cluster is None:
        return "bootstrap" if errors.bootstrap else "sandwich"
    return "cluster bootstrap" if errors.bootstrap else "clustered sandwich"


def _anchor(board: FittedBoard, anchor: str | None) -> int:
    """Place of the anchor among the rated models."""
    if anchor is not None:
        if anchor not in board.names or len(board.names) < 2:
            known = anchor in board.votes.models
            why = "it has no rating" if known else "no vote names it"
            raise InputError(f"anchor must be a rated model, got {anchor!r}: {why}")
        return board.names.index(anchor)
    cells, m = board.cells, len(board.names)
    votes = np.bincount(cells.a, weights=cells.count, minlength=m)
    votes = votes + np.bincount(cells.b, weights=cells.count, minlength=m)
    return min(range(m), key=lambda k: (-votes[k], board.names[k]))


def covariance_of(board: FittedBoard, clusters: ClusterCells | None) -> Floats:
    """Covariance of all parameters of a board, in logits; shape (p, p).

    Parameters
    ----------
    board : FittedBoard
    clusters : ClusterCells or None
        Votes that count together; None where each is an independent unit.
    """
    cells, fitted = board.cells, board.fit
    if len(board.names) < 2:
        return np.full((1, 1), np.nan)
    with single_threaded():
        if clusters is None:
            return paired.sandwich(cells, fitted)
        return clustered_covariance(cells, board.units, fitted, clusters)


def _estimates(
    board: FittedBoard,
    covariance: Floats,
    clusters: ClusterCells | None,
    anchor: int,
    errors: Errors,
    rng: np.random.Generator,
) -> Estimates:
    m, fitted = len(board.names), board.fit
    rating = CENTRE + POINTS * (fitted.theta - fitted.theta[anchor])
    anchored = POINTS**2 * _anchored(covariance[:m, :m], anchor)
    degrees = None if clusters is None else max(clusters.n_clusters - 1.0, 1.0)
    if clusters is not None and clusters.n_clusters < 2:
        unclear = f"all votes share one {errors.cluster}: no standard error"
        found = from_covariance(board.members, rating, anchored, level=errors.level, anchor=anchor)
        return replace(found, unclear=unclear)
    if not errors.bootstrap or m < 2:
        return from_covariance(
            board.members, rating, anchored, level=errors.level, degrees=degrees, anchor=anchor
        )
    with single_threaded():
        if clusters is None:
            drawn = cell_bootstrap(board.cells, fitted, replicates=errors.bootstrap, rng=rng)
        else:
            drawn = cluster_bootstrap(
                board.cells, fitted, clusters=clusters, replicates=errors.bootstrap, rng=rng
            )
    points = CENTRE + POINTS * (drawn.theta - drawn.theta[:, [anchor]])
    return from_replicates(
        board.members,
        rating,
        points,
        level=errors.level,
        replicates=errors.bootstrap,
        covariance=anchored,
        scale=None if clusters is None else _scale(board, clusters, anchored, anchor),
        degrees=degrees,
    )


def _scale(board: FittedBoard, clusters: ClusterCells, anchored: Floats, anchor: int) -> Floats:
    """Errors of ratings by what resampled clusters would show of them.

    A resampled board knows neither the G / (G - 1) of clusters nor that a model with few of them
    says little of its own spread.
    """
    m = len(board.names)
    plain = clustered_covariance(board.cells, board.units, board.fit, clusters, few=0)
    shown = POINTS**2 * _anchored(plain[:m, :m], anchor).diagonal() / clusters.factor
    told = shown > 1e-12 * shown.max(initial=0.0)
    scale = np.sqrt(anchored.diagonal() / np.where(told, shown, np.nan))
    scale[anchor] = 1.0
    return np.asarray(scale, dtype=np.float64)


def _anchored(covariance: Floats, anchor: int) -> Floats:
    """Covariance of the differences to one model."""
    row = covariance[anchor]
    made = np.asarray(covariance - row[:, None] - row[None, :] + row[anchor], dtype=np.float64)
    made[anchor] = made[:, anchor] = 0.0  # exactly, whatever rounding leaves
    return made


def _chance(fitted: PairedFit) -> Floats:
    """Chance to win a decisive vote, side by side; shape (m, m)."""
    eta = fitted.theta[:, None] - fitted.theta[None, :]
    return decisive(fitted.ties, eta=eta, tie=fitted.tie)


def _fields(
    board: FittedBoard,
    covariance: Floats,
    clusters: ClusterCells | None,
    anchor: int,
    errors: Errors,
) -> dict[str, Any]:
    fitted, seed = board.fit, errors.seed
    ties = "half-win" if board.method == "bradley-terry" else "modelled"
    groups = None if clusters is None else clusters.n_clusters
    return {
        "converged": fitted.converged,
        "iterations": fitted.iterations,
        "seed": seed if isinstance(seed, int) else None,
        "anchor": board.names[anchor] if len(board.names) > 1 else None,
        "tie_parameter": fitted.tie,
        "position": position_of(fitted, covariance, n_clusters=groups, level=errors.level)
        if fitted.coefficients.size
        else None,
        "cluster": errors.cluster,
        "n_clusters": None if groups is None else round(groups),
        "counts": None if board.votes.weighted else counts_table(board.votes),
        "settings": {"ties": ties, "points_per_logit": POINTS, "anchor_rating": CENTRE},
    }


def position_of(
    fitted: PairedFit, covariance: Floats, *, n_clusters: float | None, level: float
) -> Position:
    """Say what going first is worth, from a fit with position and the covariance of all parameters.

    `n_clusters` are those of a clustered covariance; None for a plain one.
    """
    tail = (1.0 + level) / 2.0
    quantile = ndtri(tail) if n_clusters is None else stdtrit(max(n_clusters - 1.0, 1.0), tail)
    advantage = float(POINTS * fitted.coefficients[0])
    variance = float(covariance[-1, -1])
    se = POINTS * variance**0.5 if variance > 0 else float("nan")
    return Position(
        advantage=advantage,
        se=se,
        low=advantage - float(quantile) * se,
        high=advantage + float(quantile) * se,
        win_probability=float(decisive(fitted.ties, eta=fitted.coefficients, tie=fitted.tie)[0]),
    )


def counts_table(votes: CountedVotes) -> "pa.Table":
    """Return the votes added up, as a votes table."""
    import pyarrow as pa

    cells, names = votes.cells, pa.array(votes.models, pa.string())
    columns = {
        "model_a": pa.DictionaryArray.from_arrays(cells.a.astype(np.int32), names),
        "model_b": pa.DictionaryArray.from_arrays(cells.b.astype(np.int32), names),
        "outcome": pa.DictionaryArray.from_arrays(
            cells.outcome.astype(np.int32), pa.array(OUTCOMES, pa.string())
        ),
        "count": pa.array(np.rint(cells.count).astype(np.int64)),
    }
    return pa.table(columns, metadata={ORDER_KNOWN: str(votes.order_known).lower().encode()})
