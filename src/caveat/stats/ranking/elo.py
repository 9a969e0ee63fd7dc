"""Elo: vote by vote, and averaged over random orders."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from caveat.errors import InputError
from caveat.stats.ranking.scale import POINTS
from caveat.stats.ranking.sequence import check_playable
from caveat.stats.ranking.system import (
    FEW_VOTES,
    BoardVotes,
    Scored,
    System,
    SystemSettings,
    resamples,
)

Floats = npt.NDArray[np.float64]

UPDATES = 1_000_000_000
"""Votes played to resample an average over orders: about 10 s."""


def _online(board: BoardVotes, settings: SystemSettings, _: np.random.Generator) -> Scored:
    from caveat.kernels.elo import START, elo

    votes = board.sequence.one_by_one("elo")
    rating = elo(votes.a, votes.b, votes.outcome, n_models=len(board.names), k=settings.k)
    return Scored(
        rating=rating,
        own=_start_left(board, rating, settings.k),
        chance=_chance(rating),
        iterations=votes.a.size,
        settings={
            "k": settings.k,
            "start": START,
            "order": votes.order,
            "votes_without_time": votes.untimed,
        },
    )


def _online_resampled(
    board: BoardVotes, settings: SystemSettings, replicates: int, rng: np.random.Generator
) -> Floats:
    from caveat.kernels.elo import elo
    from caveat.kernels.vote_copies import vote_copies

    votes, m = board.sequence.one_by_one("elo"), len(board.names)
    return np.stack(
        [
            elo(
                votes.a,
                votes.b,
                votes.outcome,
                n_models=m,
                k=settings.k,
                copies=vote_copies(votes.a.size, rng),
            )
            for _ in range(resamples(replicates, plays=votes.a.size))
        ]
    )


def elo_orders(board: BoardVotes, settings: SystemSettings, rng: np.random.Generator) -> Floats:
    """Rate the same votes in random orders; shape (shuffles, m).

    Raises
    ------
    InputError
        If the votes carry weights.
    """
    from caveat.kernels.elo import elo_shuffled

    if board.votes.weighted:
        raise InputError("votes must not be weighted for elo-shuffled")
    check_playable(board.cells, "elo-shuffled")
    return elo_shuffled(board.cells, k=settings.k, shuffles=settings.shuffles, rng=rng)


def _shuffled(board: BoardVotes, settings: SystemSettings, rng: np.random.Generator) -> Scored:
    from caveat.kernels.elo import START

    ratings = elo_orders(board, settings, rng)
    rating = ratings.mean(axis=0)
    return Scored(
        rating=rating,
        own=_start_left(board, rating, settings.k),
        chance=_chance(rating),
        iterations=settings.shuffles,
        settings={
            "k": settings.k,
            "start": START,
            "shuffles": settings.shuffles,
            "spread_of_one_order": float(ratings.std(axis=0, ddof=1).mean()),
        },
    )


def _shuffled_resampled(
    board: BoardVotes, settings: SystemSettings, replicates: int, rng: np.random.Generator
) -> Floats:
    """Average over as many fresh orders of a fresh resample, so that both kinds of spread are in.

    Where votes are many, fewer resamples are drawn, and only then fewer orders of each, which makes
    errors larger than they are, never smaller.
    """
    from caveat.kernels.elo import elo_shuffled

    n = round(board.cells.n_votes)
    number = resamples(replicates, plays=n * settings.shuffles, limit=UPDATES)
    orders = min(settings.shuffles, max(1, UPDATES // (n * number)))
    share = board.cells.count / board.cells.count.sum()
    drawn = []
    for _ in range(number):
        cells = replace(board.cells, count=rng.multinomial(n, share).astype(np.float64))
        drawn.append(elo_shuffled(cells, k=settings.k, shuffles=orders, rng=rng).mean(axis=0))
    return np.stack(drawn)


def _start_left(board: BoardVotes, rating: Floats, k: float) -> Floats:
    """Error of a model that still stands near the start, where all models begin.

    The share of the start that its votes have left, times the spread of the models that have votes
    enough: a newcomer may belong anywhere among them.
    """
    left = np.maximum(1.0 - k / 4.0 / POINTS, 0.0) ** board.n_votes
    settled = board.n_votes >= FEW_VOTES
    spread = float(rating[settled].std() if settled.sum() > 1 else rating.std())
    return np.asarray(left * spread, dtype=np.float64)


def _chance(rating: Floats) -> Floats:
    chance: Floats = expit((rating[:, None] - rating[None, :]) / POINTS)
    return chance


ELO = System(
    name="elo",
    title="Elo in vote order",
    unit="points",
    order_dependent=True,
    score=_online,
    resample=_online_resampled,
)
ELO_SHUFFLED = System(
    name="elo-shuffled",
    title="Elo over random orders",
    unit="points",
    score=_shuffled,
    resample=_shuffled_resampled,
)
