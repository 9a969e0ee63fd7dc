"""A Bradley-Terry board with honest intervals."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtri

from caveat import _validate
from caveat._blas import single_threaded
from caveat._rng import as_generator
from caveat.errors import InputError
from caveat.kernels import bradley_terry as kernel
from caveat.kernels.cell_bootstrap import bootstrap as cell_bootstrap
from caveat.kernels.connectivity import Component, components
from caveat.kernels.counts import VoteCells, win_matrix
from caveat.kernels.rank_sets import RankSets, difference_errors, rank_sets
from caveat.results.ranking import Group, Lead, Ranking, RatedModel
from caveat.stats.ranking.counting import CountedVotes

Floats = npt.NDArray[np.float64]
Interval = Literal["sandwich", "bootstrap"]

POINTS = 400.0 / np.log(10.0)
"""Elo-like points per unit of log-odds: 400 points are ten to one."""
CENTRE = 1000.0
"""Mean rating of the rated models."""
MIN_REPLICATES = 100
MAX_FAILED = 0.01
"""Share of replicates that may fall apart: they are the extreme ones, and the percentiles of the
rest would leave them out."""

_OUTSIDE = {
    "unbeaten": "no rated model ever beat or tied it, so its rating has no upper bound",
    "winless": "it never beat or tied a rated model, so its rating has no lower bound",
    "isolated": "it never met the rated models",
    "between": "its results against the others go one way only, so no finite rating fits",
}


@dataclass(frozen=True, slots=True, eq=False)
class _Board:
    """The rated group: ratings and errors in log-odds."""

    members: npt.NDArray[np.intp]
    theta: Floats
    covariance: Floats
    se: Floats
    low: Floats
    high: Floats
    failed: int
    fit: kernel.Fit

    @property
    def why_no_error(self) -> str:
        """Why a rated model may lack a standard error."""
        if self.failed:
            return f"{self.failed} resampled boards fell apart: use the sandwich interval"
        return "no variation among its votes: no standard error"

    @property
    def columns(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Rating, error and limits in log-odds."""
        return self.theta, self.se, self.low, self.high


_UNFITTED = kernel.Fit(np.zeros(0), 0, converged=True)


def rate(
    votes: CountedVotes,
    *,
    level: float = 0.95,
    bootstrap: int = 0,
    seed: "int | np.random.Generator" = 0,
) -> Ranking:
    """Rate models by Bradley-Terry, ties as half a win of each.

    Use it for votes that do not depend on when they were cast. Models that the votes do not tie
    into one board are reported as groups and left unrated, never regularised into place.

    Parameters
    ----------
    votes : CountedVotes
        Counts of m models.
    level : float
        Coverage of each rating's interval, and joint coverage of all rank intervals.
    bootstrap : int
        0 for sandwich intervals, or the number of multinomial replicates (at least 100) for
        percentile intervals and standard errors.
    seed : int or Generator
        For the bootstrap and the simulated critical value.

    Returns
    -------
    Ranking
        Ratings in Elo-like points around a mean of 1000.

    Raises
    ------
    InputError
        If an option is out of range, or weighted votes are to be bootstrapped.

    References
    ----------
    Bradley and Terry (1952), https://doi.org/10.2307/2334029; White (1982),
    https://doi.org/10.2307/1912526; Mogstad et al. (2024), https://doi.org/10.1093/restud/rdad006.

    Examples
    --------
    >>> import caveat
    >>> rows = {"model_a": ["x"] * 60, "model_b": ["y"] * 60,
    ...         "outcome": (["a"] * 4 + ["b", "tie"]) * 10}
    >>> caveat.rank(caveat.read_votes(rows)).models[0].model
    'x'
    """
    _validate.probability("level", level)
    if bootstrap:
        _validate.at_least("bootstrap", bootstrap, MIN_REPLICATES)
        if votes.weighted:
            raise InputError("bootstrap must be 0 for weighted votes: their cells mix weights")
    # Two streams: asking for a bootstrap must not move the critical value, and with it ranks.
    for_ranks, for_bootstrap = as_generator(seed).spawn(2)
    wins = win_matrix(votes.cells, votes.cells.weight)
    groups = components(wins)
    with single_threaded():
        board = _fit_board(
            votes.cells, groups[0], level=level, bootstrap=bootstrap, rng=for_bootstrap
        )
        sets = rank_sets(board.theta, board.covariance, level=level, rng=for_ranks)
    order = _order(board, votes, groups)
    return Ranking(
        method="bradley-terry",
        models=tuple(_row(i, votes, board, sets, groups, wins) for i in order),
        n_votes=round(votes.cells.n_votes),
        lead=_lead(board, sets, votes.models),
        groups=tuple(
            Group(
                models=tuple(votes.models[i] for i in group.members),
                relation=group.relation,
                n_votes=round(group.votes),
            )
            for group in groups
        ),
        wins=wins[np.ix_(order, order)],
        votes=(wins + wins.T)[np.ix_(order, order)],
        level=level,
        critical=sets.critical,
        interval="bootstrap" if bootstrap else "sandwich",
        n_bootstrap=bootstrap,
        n_bootstrap_failed=board.failed,
        converged=board.fit.converged,
        iterations=board.fit.iterations,
        order_known=votes.order_known,
        seed=seed if isinstance(seed, int) else None,
        settings={"ties": "half-win", "points_per_logit": float(POINTS), "centre": CENTRE},
    )


def _fit_board(
    cells: VoteCells,
    main: Component,
    *,
    level: float,
    bootstrap: int,
    rng: np.random.Generator,
) -> _Board:
    inner = _within(cells, main.members)
    m = main.members.size
    if m < 2:
        nothing = np.full(m, np.nan)
        empty = np.full((m, m), np.nan)
        return _Board(main.members, nothing, empty, nothing, nothing, nothing, 0, _UNFITTED)
    fitted = kernel.fit(win_matrix(inner, inner.weight))
    covariance = kernel.sandwich(inner, fitted.theta)
    variance = np.diag(covariance)
    se = np.sqrt(np.where(variance > 0, variance, np.nan))
    se = np.where(np.isfinite(difference_errors(covariance)).any(axis=1), se, np.nan)
    half = float(ndtri((1.0 + level) / 2.0)) * se
    low, high, failed = fitted.theta - half, fitted.theta + half, 0
    if bootstrap:
        drawn = cell_bootstrap(inner, fitted.theta, replicates=bootstrap, rng=rng)
        failed = drawn.failed
        low = high = se = np.full(m, np.nan)
        if failed <= MAX_FAILED * bootstrap:
            se = drawn.theta.std(axis=0, ddof=1)
            low, high = np.quantile(drawn.theta, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return _Board(
        main.members,
        fitted.theta,
        covariance,
        se,
        low,
        high,
        failed,
        fitted,
    )


def _within(cells: VoteCells, members: npt.NDArray[np.intp]) -> VoteCells:
    """Cells between members, renumbered."""
    place = np.full(cells.n_models, -1, dtype=np.int64)
    place[members] = np.arange(members.size)
    keep = (place[cells.a] >= 0) & (place[cells.b] >= 0)
    return VoteCells(
        members.size,
        place[cells.a[keep]],
        place[cells.b[keep]],
        cells.outcome[keep],
        cells.count[keep],
        cells.weight[keep],
        cells.weight2[keep],
    )


def _order(board: _Board, votes: CountedVotes, groups: tuple[Component, ...]) -> list[int]:
    """Rated models best first (names break ties), then the others group by group."""
    rating = dict(zip(board.members.tolist(), board.theta.tolist(), strict=True))
    outside = {int(i): k for k, group in enumerate(groups[1:]) for i in group.members}
    return sorted(
        range(len(votes.models)),
        key=lambda i: (outside.get(i, -1), -np.nan_to_num(rating.get(i, 0.0)), votes.models[i]),
    )


def _row(
    model: int,
    votes: CountedVotes,
    board: _Board,
    sets: RankSets,
    groups: tuple[Component, ...],
    wins: Floats,
) -> RatedModel:
    met = wins[model] + wins[:, model]
    cells = votes.cells
    took_part = (cells.a == model) | (cells.b == model)
    n_models, outside = len(votes.models), len(votes.models) - board.members.size
    place = np.flatnonzero(board.members == model)
    rated = bool(place.size) and board.members.size > 1
    i = int(place[0]) if rated else 0
    points = [float(POINTS * x[i]) if rated else float("nan") for x in board.columns]
    relation = next(g.relation for g in groups if model in g.members)
    reason = "" if np.isfinite(points[1]) else board.why_no_error
    if not rated:
        reason = _OUTSIDE.get(relation, "no two models beat each other: nothing can be rated")
    return RatedModel(
        model=votes.models[model],
        rating=CENTRE + points[0],
        se=points[1],
        low=CENTRE + points[2],
        high=CENTRE + points[3],
        rank_low=int(sets.low[i]) if rated else 1,
        # Whoever is not rated may stand above.
        rank_high=int(sets.high[i]) + outside if rated else n_models,
        tier=int(sets.tier[i]) if rated else None,
        n_votes=round(float(cells.count[took_part].sum())),
        n_opponents=int((met > 0).sum()),
        reason=reason,
    )


def _lead(board: _Board, sets: RankSets, names: tuple[str, ...]) -> Lead | None:
    if board.members.size < 2:
        return None
    first, second = sorted(
        range(board.members.size), key=lambda i: (-board.theta[i], names[board.members[i]])
    )[:2]
    gap = float(board.theta[first] - board.theta[second])
    error = float(difference_errors(board.covariance)[first, second])
    z = gap / error if np.isfinite(error) else float("nan")
    return Lead(
        leader=names[board.members[first]],
        runner_up=names[board.members[second]],
        difference=float(POINTS * gap),
        se=float(POINTS * error),
        z=z,
        win_probability=float(expit(gap)),
        separable=bool(z > sets.critical),
    )
