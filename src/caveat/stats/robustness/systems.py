"""The order of the same votes by every rating system."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from caveat._rng import as_generator
from caveat.errors import InputError
from caveat.kernels.kendall import kendall_tau
from caveat.results.ranking import Ranking
from caveat.results.stress.systems import (
    EloOrders,
    FirstPlace,
    RankSpan,
    SkippedSystem,
    SystemOrder,
    SystemsDisagree,
)
from caveat.stats.ranking.counting import CountedVotes
from caveat.stats.ranking.elo import ELO_SHUFFLED, elo_orders
from caveat.stats.ranking.fitted import fit_board
from caveat.stats.ranking.rated_votes import has_values
from caveat.stats.ranking.sequence import random_sequence
from caveat.stats.ranking.system import USUAL, BoardVotes, System, SystemSettings, board_votes
from caveat.stats.ranking.systems import LIKELIHOODS, SYSTEMS, Likelihood, score_board
from caveat.stats.ranking.trueskill import TRUESKILL

Floats = npt.NDArray[np.float64]

_TITLES: dict[Likelihood, str] = {
    "bradley-terry": "Bradley-Terry",
    "davidson": "Davidson",
    "rao-kupper": "Rao-Kupper",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rated:
    """Ratings by one system, and what is said of the system."""

    method: str
    title: str
    ratings: dict[str, float]
    order_dependent: bool = False
    adjusted: bool = True


def systems_disagree(
    votes: CountedVotes,
    board: Ranking,
    *,
    settings: SystemSettings = USUAL,
    seed: "int | np.random.Generator" = 0,
) -> SystemsDisagree:
    """Rate the same votes by every system, and compare the orders.

    Only orders are compared here; for intervals see `caveat.stats.ranking.systems.rate_by`.

    Parameters
    ----------
    votes : CountedVotes
        With their source, for the systems that depend on order.
    board : Ranking
        What the others are compared with; at least two models are rated.
    settings : SystemSettings
    seed : int or Generator
        For the random orders of Elo.

    Returns
    -------
    SystemsDisagree

    References
    ----------
    Boubdir, Kim, Ermis, Hooker and Fadaee (2023), "Elo Uncovered: Robustness and Best Practices in
    Language Model Evaluation", https://arxiv.org/abs/2311.17295.

    Examples
    --------
    >>> import caveat
    >>> from caveat.stats.ranking.counting import count_votes
    >>> rows = {"model_a": ["x"] * 60, "model_b": ["y"] * 60,
    ...         "outcome": (["a"] * 4 + ["b", "tie"]) * 10}
    >>> votes = caveat.read_votes(rows)
    >>> found = systems_disagree(count_votes(votes), caveat.rank(votes))
    >>> [place.model for place in found.first_places]
    ['x']
    """
    rng = as_generator(seed)
    base = {m.model: m.rating for m in board.models if m.tier is not None}
    rated = [_Rated(method=board.method, title=_title(board.method), ratings=base)]
    skipped, elo = [], None
    for found in (*_likelihoods(votes, board.method), *_others(votes, settings, rng)):
        if isinstance(found, SkippedSystem):
            skipped.append(found)
        elif isinstance(found, EloOrders):
            elo = found
        else:
            rated.append(found)
    orders = [_order(one, base) for one in rated]
    orders[1:] = sorted(orders[1:], key=lambda one: -np.nan_to_num(one.tau, nan=-2.0))
    return SystemsDisagree(
        board=board.method,
        systems=tuple(orders),
        skipped=tuple(skipped),
        first_places=_first_places(orders),
        spans=tuple(_spans(orders)),
        elo=elo,
    )


def _title(method: str) -> str:
    return next((t for name, t in _TITLES.items() if name == method), method)


def _likelihoods(votes: CountedVotes, board: str) -> Iterator[_Rated | SkippedSystem]:
    for method in LIKELIHOODS:
        if method == board:
            continue
        title = _TITLES[method]
        try:
            fitted = fit_board(votes, method=method)
        except InputError as error:
            yield SkippedSystem(method=method, title=title, why=str(error))
            continue
        if fitted.fit.converged:
            ratings = dict(zip(fitted.names, fitted.fit.theta.tolist(), strict=True))
            yield _Rated(method=method, title=title, ratings=ratings)
        else:
            why = f"not converged after {fitted.fit.iterations} steps"
            yield SkippedSystem(method=method, title=title, why=why)


def _others(
    votes: CountedVotes, settings: SystemSettings, rng: np.random.Generator
) -> Iterator[_Rated | SkippedSystem | EloOrders]:
    for system, stream in zip(SYSTEMS, rng.spawn(len(SYSTEMS)), strict=True):
        try:
            if system.name == ELO_SHUFFLED.name:
                yield from _shuffled(votes, settings, stream)
                continue
            title, board = _in_order(system, board_votes(votes, tied=system.tied), stream)
            scored = score_board(system, board, settings, stream)
        except InputError as error:
            yield SkippedSystem(method=system.name, title=system.title, why=str(error))
            continue
        if scored.converged:
            yield _rated(system, board.names, scored.rating, title=title)
        else:
            why = f"not converged after {scored.iterations:,} steps"
            yield SkippedSystem(method=system.name, title=system.title, why=why)


def _in_order(
    system: System, board: BoardVotes, rng: np.random.Generator
) -> tuple[str, BoardVotes]:
    """Take the votes in the order of their times; rows without times are in nobody's order."""
    source = board.votes.source
    timed = source is not None and has_values(source.table, "at")
    if not system.order_dependent or timed or board.votes.weighted:
        return system.title, board
    if system.name == TRUESKILL.name:
        votes = random_sequence(board.cells, rng)
        return f"{system.title}, random order", replace(board, reordered=votes)
    raise InputError("no vote has a time, and the order of rows need not be that of the votes")


def _shuffled(
    votes: CountedVotes, settings: SystemSettings, rng: np.random.Generator
) -> Iterator[_Rated | EloOrders]:
    board = board_votes(votes)
    ratings = elo_orders(board, settings, rng)
    number = np.bincount(ratings.argmax(axis=1), minlength=len(board.names))
    first = sorted(np.flatnonzero(number), key=lambda i: (-number[i], board.names[i]))
    yield EloOrders(
        k=settings.k,
        shuffles=settings.shuffles,
        first=tuple((board.names[i], int(number[i])) for i in first),
        spread=float(ratings.std(axis=0, ddof=1).mean()),
    )
    yield _rated(ELO_SHUFFLED, board.names, ratings.mean(axis=0))


def _rated(system: System, names: tuple[str, ...], rating: Floats, *, title: str = "") -> _Rated:
    return _Rated(
        method=system.name,
        title=title or system.title,
        ratings={n: r for n, r in zip(names, rating.tolist(), strict=True) if np.isfinite(r)},
        order_dependent=system.order_dependent,
        adjusted=system.adjusted,
    )


def _order(one: _Rated, base: dict[str, float]) -> SystemOrder:
    common = [model for model in base if model in one.ratings]
    tau = kendall_tau(_rounded(base, common), _rounded(one.ratings, common))
    order = _best_first(one.ratings)
    return SystemOrder(
        method=one.method,
        title=one.title,
        order=order,
        first=next((model for model in order if model in base), ""),
        tau=tau,
        n_models=len(common),
        complete=len(common) == len(base),
        order_dependent=one.order_dependent,
        adjusted=one.adjusted,
    )


def _rounded(ratings: dict[str, float], models: list[str]) -> Floats:
    """Scale to a range of one and round, so that equals stay equal whatever rounding did."""
    values = np.array([ratings[model] for model in models])
    spread = float(np.ptp(values)) if values.size else 0.0
    return np.round(values / (spread or 1.0), 10)


def _best_first(ratings: dict[str, float]) -> tuple[str, ...]:
    return tuple(sorted(ratings, key=lambda model: (-ratings[model], model)))


def _first_places(orders: list[SystemOrder]) -> tuple[FirstPlace, ...]:
    methods: dict[str, list[str]] = {}
    for one in orders:
        if one.first:
            methods.setdefault(one.first, []).append(one.method)
    leader, *others = methods
    ranked = [leader, *sorted(others, key=lambda model: -len(methods[model]))]
    return tuple(FirstPlace(model=model, methods=tuple(methods[model])) for model in ranked)


def _spans(orders: list[SystemOrder]) -> Iterator[RankSpan]:
    """Places among the models of the board, by the systems that rate all of them."""
    models = orders[0].order
    places = {}
    for one in orders:
        if one.complete:
            kept = [model for model in one.order if model in set(models)]
            places[one.method] = {model: place for place, model in enumerate(kept, start=1)}
    for model in models:
        ranks = tuple((method, place[model]) for method, place in places.items())
        yield RankSpan(
            model=model,
            board=ranks[0][1],
            low=min(rank for _, rank in ranks),
            high=max(rank for _, rank in ranks),
            ranks=ranks,
        )
