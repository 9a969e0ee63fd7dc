"""A board for each task, language, or whatever else votes are marked with."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtr

from caveat.errors import InputError, TooFewError
from caveat.kernels.kendall import kendall_tau
from caveat.kernels.multiplicity import holm
from caveat.results.categories import Categories, Category, CategoryModel
from caveat.results.ranking import Ranking, RatedModel
from caveat.stats.ranking.counting import CountedVotes
from caveat.stats.ranking.fitted import FittedBoard, Method, fit_board
from caveat.stats.ranking.rate import PLAIN, Errors, covariance_of, rate_fitted
from caveat.stats.ranking.scale import POINTS
from caveat.stats.ranking.sharing import clusters_of
from caveat.stats.ranking.splitting import SplitVotes, split_votes

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Shift:
    points: float
    se: float
    p: float


_UNKNOWN = _Shift(float("nan"), float("nan"), float("nan"))

MOST = 50
"""Categories rated at most, those with most votes."""
LEAST = 100
"""Votes below which a category is not rated."""


def by_category(
    board: FittedBoard, column: str, *, anchor: str | None = None, errors: Errors = PLAIN
) -> Categories:
    """Rate models by the votes of each category alone.

    Use it to see whether one order holds for every task or language. Ratings of two categories have
    the same anchor where it is rated in both, and are not otherwise on one scale: what a model
    gains in a category is told by `shift`, against the mean of the models.

    Parameters
    ----------
    board : FittedBoard
        Of all votes, with its source.
    column : str
        Column of the categories, e.g. `task` or `language`.
    anchor : str, optional
        As for `rate`.
    errors : Errors
        With a cluster, but no bootstrap.

    Returns
    -------
    Categories
        A category with fewer than 100 votes, or whose votes tie no two models together, is listed
        with that reason.

    Raises
    ------
    InputError
        If the votes have no such column.

    Examples
    --------
    >>> import caveat
    >>> from caveat.stats.ranking.counting import count_votes
    >>> from caveat.stats.ranking.fitted import fit_board
    >>> rows = {"model_a": ["x"] * 240, "model_b": ["y"] * 240, "task": ["code", "law"] * 120,
    ...         "winner": ["a", "b", "a", "b", "b", "a"] * 40}
    >>> found = by_category(fit_board(count_votes(caveat.read_votes(rows))), "task")
    >>> [(one.name, one.models[0].model) for one in found.categories]
    [('code', 'x'), ('law', 'y')]
    """
    errors = replace(errors, bootstrap=0)
    split = split_votes(board, column, by_rows=errors.cluster is not None)
    overall = rate_fitted(board, anchor=anchor, errors=replace(errors, cluster=None))
    order = sorted(range(len(split.names)), key=lambda k: (-split.votes[k], split.names[k]))
    parts = [_part(split, k, overall, errors) for k in order[:MOST]]
    return Categories(
        column=column,
        categories=_adjusted(parts),
        n_unnamed=round(split.unnamed),
        n_left_out=max(len(split.names) - MOST, 0),
        n_votes_left_out=round(float(sum(split.votes[k] for k in order[MOST:]))),
        least=LEAST,
        level=errors.level,
        cluster=errors.cluster,
    )


def _part(split: SplitVotes, k: int, overall: Ranking, errors: Errors) -> Category:
    """Rate one category."""
    votes = float(split.votes[k])
    made = Category(
        name=split.names[k], n_votes=round(votes), share=votes / split.board.votes.cells.n_votes
    )
    if votes < LEAST:
        return replace(made, reason=f"fewer than {LEAST} votes")
    try:
        own = _fitted(split.part(k), split.board.method)
    except TooFewError as error:
        return replace(made, reason=str(error))
    if len(own.names) < 2:
        return replace(made, reason="its votes tie no two models together")
    anchor = overall.anchor if overall.anchor in own.names else None
    ranking = rate_fitted(own, anchor=anchor, errors=errors)
    rated = [model for model in ranking.models if model.tier is not None]
    places = _places(overall, [model.model for model in rated])
    shifts = _shifts(own, split, k, errors)
    everywhere = {model.model: model.rating for model in overall.models if model.tier is not None}
    both = [(model.rating, everywhere[model.model]) for model in rated if model.model in everywhere]
    return replace(
        made,
        models=tuple(
            _row(model, rank, places.get(model.model), shifts.get(model.model, _UNKNOWN))
            for rank, model in enumerate(rated, start=1)
        ),
        lead=ranking.lead,
        anchor=ranking.anchor,
        tau=kendall_tau(*np.array(both).T) if len(both) > 1 else float("nan"),
        unrated=tuple(model.model for model in ranking.models if model.tier is None),
    )


def _fitted(votes: CountedVotes, method: Method) -> FittedBoard:
    """Fit by the method of all votes; half-win where this part has no ties to model."""
    try:
        return fit_board(votes, method=method)
    except InputError:
        return fit_board(votes, method="bradley-terry")


def _places(overall: Ranking, names: list[str]) -> dict[str, int]:
    """Ranks by all votes among some models."""
    kept = set(names)
    order = [m.model for m in overall.models if m.tier is not None and m.model in kept]
    return {name: rank for rank, name in enumerate(order, start=1)}


def _row(model: RatedModel, rank: int, place: int | None, shift: _Shift) -> CategoryModel:
    return CategoryModel(
        model=model.model,
        rating=model.rating,
        low=model.low,
        high=model.high,
        rank=rank,
        tier=model.tier or 0,
        rank_overall=place,
        shift=shift.points,
        shift_se=shift.se,
        p_adjusted=shift.p,
        n_votes=model.n_votes,
    )


def _shifts(own: FittedBoard, split: SplitVotes, k: int, errors: Errors) -> dict[str, _Shift]:
    """Tell what each model gains over the other categories, with its unadjusted p value."""
    if len(split.names) < 2:
        return {}
    try:
        rest = fit_board(split.rest(k), method=own.method)
    except InputError:
        return {}
    both = [name for name in own.names if name in rest.names]
    if len(both) < 2:
        return {}
    here, there = _centred(own, both, errors.cluster), _centred(rest, both, errors.cluster)
    points = POINTS * (here.theta - there.theta)
    se = POINTS * np.sqrt(here.variance + there.variance)
    size = np.abs(points) / np.where(se > 0, se, np.nan)
    degrees = min(here.degrees, there.degrees)
    p = 2.0 * (ndtr(-size) if np.isinf(degrees) else stdtr(degrees, -size))
    return {
        name: _Shift(float(points[i]), float(se[i]), float(p[i])) for i, name in enumerate(both)
    }


@dataclass(frozen=True, slots=True, eq=False)
class _Centred:
    """Ratings of some models against their mean, in logits."""

    theta: Floats
    variance: Floats
    degrees: float


def _centred(board: FittedBoard, names: list[str], cluster: str | None) -> _Centred:
    clusters = clusters_of(board, cluster) if cluster else None
    place = [board.names.index(name) for name in names]
    covariance = covariance_of(board, clusters)[np.ix_(place, place)]
    centre = np.eye(len(place)) - 1.0 / len(place)
    return _Centred(
        theta=centre @ board.fit.theta[place],
        variance=np.diag(centre @ covariance @ centre),
        degrees=np.inf if clusters is None else max(clusters.n_clusters - 1.0, 1.0),
    )


def _adjusted(parts: list[Category]) -> tuple[Category, ...]:
    """Correct p values of shifts for all models and categories together."""
    told = [model.p_adjusted for part in parts for model in part.models]
    adjusted = iter(holm(np.array(told)).tolist()) if told else iter(())
    return tuple(
        replace(
            part,
            models=tuple(replace(model, p_adjusted=next(adjusted)) for model in part.models),
        )
        for part in parts
    )
