"""Every rating system by name, behind one signature."""

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat._registry import Registry
from caveat._rng import as_generator
from caveat.errors import InputError
from caveat.results.ranking import Ranking
from caveat.stats.ranking.assembling import Told, assemble
from caveat.stats.ranking.baseline import BASELINE
from caveat.stats.ranking.counting import CountedVotes
from caveat.stats.ranking.eigenvector import EIGENVECTOR
from caveat.stats.ranking.elo import ELO, ELO_SHUFFLED
from caveat.stats.ranking.estimates import check_replicates
from caveat.stats.ranking.glicko2 import GLICKO2
from caveat.stats.ranking.pagerank import PAGERANK
from caveat.stats.ranking.rate import PLAIN, Errors, rate
from caveat.stats.ranking.resampled import resampled_estimates
from caveat.stats.ranking.system import (
    USUAL,
    BoardVotes,
    Scored,
    System,
    SystemSettings,
    board_votes,
)
from caveat.stats.ranking.trueskill import TRUESKILL
from caveat.stats.ranking.win_rate import WIN_RATE

Floats = npt.NDArray[np.float64]
Likelihood = Literal["bradley-terry", "davidson", "rao-kupper"]
LIKELIHOODS: tuple[Likelihood, ...] = get_args(Likelihood)


def _name(system: System) -> str:
    return system.name


SYSTEMS: Registry[System] = Registry(
    "rating system",
    _name,
    (ELO, ELO_SHUFFLED, GLICKO2, TRUESKILL, WIN_RATE, PAGERANK, EIGENVECTOR, BASELINE),
)


def rate_by(
    name: str,
    votes: CountedVotes,
    *,
    settings: SystemSettings = USUAL,
    anchor: str | None = None,
    errors: Errors = PLAIN,
) -> Ranking:
    """Rate models by any rating system.

    The likelihood models go to `rate`. The others have no errors of their own, so the votes are
    resampled: in their order where the system depends on it, within pairs where it does not.

    Parameters
    ----------
    name : str
        `bradley-terry`, `davidson`, `rao-kupper`, or one of `SYSTEMS`.
    votes : CountedVotes
        With their source for the systems that depend on order.
    settings : SystemSettings
    anchor : str, optional
        Model whose rating is fixed at 1000, for systems in points.
    errors : Errors
        With `bootstrap` 0, 200 replicates; on millions of votes fewer of `elo-shuffled`. Votes that
        count together are for the likelihood models.

    Returns
    -------
    Ranking
        `unit` says what ratings are counted in.

    Raises
    ------
    InputError
        If the name is unknown, or the votes lack what the system needs.

    Examples
    --------
    >>> import caveat
    >>> from caveat.stats.ranking.counting import count_votes
    >>> rows = {"model_a": ["x"] * 60, "model_b": ["y"] * 60,
    ...         "outcome": (["a"] * 4 + ["b", "tie"]) * 10}
    >>> rate_by("win-rate", count_votes(caveat.read_votes(rows))).models[0].rating
    0.75
    """
    for method in LIKELIHOODS:
        if name == method:
            return rate(votes, method=method, anchor=anchor, errors=errors)
    _validate.choice("method", name, (*LIKELIHOODS, *SYSTEMS.names()))
    system = SYSTEMS.get(name)
    _check(system, anchor, errors)
    for_ranks, for_bootstrap, for_orders = as_generator(errors.seed).spawn(3)
    board = board_votes(votes, tied=system.tied)
    scored = score_board(system, board, settings, for_orders)
    estimates = resampled_estimates(
        system,
        board,
        scored,
        _drawn(system, board, settings, errors.bootstrap, for_bootstrap),
        anchor=anchor,
        level=errors.level,
    )
    at = np.flatnonzero(np.isin(board.members, estimates.members))
    told = Told(
        method=name,
        groups=board.groups,
        level=errors.level,
        rng=for_ranks,
        interval="bootstrap",
        chance=None if scored.chance is None else scored.chance[np.ix_(at, at)],
        outside={votes.models.index(model): why for model, why in scored.outside.items()},
        fields={
            "converged": scored.converged,
            "iterations": scored.iterations,
            "seed": errors.seed if isinstance(errors.seed, int) else None,
            "anchor": anchor,
            "unit": system.unit,
            "order_dependent": system.order_dependent,
            "settings": dict(scored.settings),
        },
    )
    return assemble(votes, estimates, told)


def score_board(
    system: System, board: BoardVotes, settings: SystemSettings, rng: np.random.Generator
) -> Scored:
    """Rate the models of a board, without errors; fewer than two have no rating."""
    if len(board.names) < 2:
        return Scored(rating=np.full(len(board.names), np.nan))
    return system.score(board, settings, rng)


def _check(system: System, anchor: str | None, errors: Errors) -> None:
    _validate.probability("level", errors.level)
    check_replicates(errors.bootstrap, weighted=False)
    if errors.cluster is not None:
        raise InputError(
            f"cluster must be left out for {system.name}, got {errors.cluster!r}: votes that count "
            f"together are for {', '.join(LIKELIHOODS)}"
        )
    if anchor is not None and system.unit != "points":
        raise InputError(
            f"anchor must be left out for {system.name}, got {anchor!r}: its ratings are no points"
        )


def _drawn(
    system: System,
    board: BoardVotes,
    settings: SystemSettings,
    replicates: int,
    rng: np.random.Generator,
) -> Floats:
    if len(board.names) < 2:
        return np.full((2, len(board.names)), np.nan)
    return system.resample(board, settings, replicates, rng)
