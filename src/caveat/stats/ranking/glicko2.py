"""Glicko-2 over rating periods."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from caveat.errors import InputError
from caveat.kernels.counts import SCORE_OF_A
from caveat.stats.ranking.scale import POINTS
from caveat.stats.ranking.sequence import VoteSequence
from caveat.stats.ranking.system import (
    CALENDAR,
    BoardVotes,
    Scored,
    System,
    SystemSettings,
    resamples,
)

if TYPE_CHECKING:
    from caveat.kernels.glicko2 import Periods

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_DAY = 86_400.0
_MONDAY = 3 * _DAY
"""1970 began on a Thursday: weeks are counted from the Monday before."""


def period_of(votes: VoteSequence, period: str) -> Ints:
    """Period of each row, counted from the first.

    Parameters
    ----------
    votes : VoteSequence
    period : str
        `day`, `week` (from Monday) or `month`, in UTC, or a number of votes.

    Raises
    ------
    InputError
        If a calendar period is asked for and the votes have no times, or a number of votes and the
        votes come as counts without times.
    """
    if period in CALENDAR:
        if votes.at is None:
            raise InputError(
                f"glicko2 must have the time of each vote for periods of a {period}, got none: "
                "name the column (--map at=COLUMN), or take a number of votes as the period "
                "(--period 1000), in the order of the rows"
            )
        number = _calendar(votes.at, period)
        return np.asarray(number - number[0], dtype=np.int64)
    if votes.at is None:
        votes = votes.one_by_one("glicko2 without times")
    count = np.ones(votes.a.size) if votes.count is None else votes.count
    return ((np.cumsum(count) - 1) // int(period)).astype(np.int64)


def _calendar(at: Floats, period: str) -> Ints:
    if period == "month":
        seconds = np.floor(at).astype(np.int64).astype("datetime64[s]")
        return np.asarray(seconds.astype("datetime64[M]").astype(np.int64))
    days = at / _DAY if period == "day" else (at + _MONDAY) / (7 * _DAY)
    return np.floor(days).astype(np.int64)


def _periods(board: BoardVotes, number: Ints, count: Floats) -> "Periods":
    from caveat.kernels.glicko2 import Periods

    votes = board.sequence
    start = np.searchsorted(number, np.arange(number[-1] + 2))
    return Periods(
        len(board.names),
        start.astype(np.int64),
        votes.a,
        votes.b,
        SCORE_OF_A[votes.outcome],
        count,
    )


def _score(board: BoardVotes, settings: SystemSettings, _: np.random.Generator) -> Scored:
    from caveat.kernels.glicko2 import DEVIATION, START, TAU, TOLERANCE, VOLATILITY, glicko2

    votes = board.sequence
    number = period_of(votes, settings.period)
    count = np.ones(votes.a.size) if votes.count is None else votes.count
    found = glicko2(_periods(board, number, count))
    return Scored(
        rating=found.rating,
        own=found.deviation,
        chance=_chance(found.rating, found.deviation),
        iterations=found.iterations,
        converged=found.converged,
        settings={
            "period": settings.period,
            "periods": int(number[-1]) + 1,
            "order": votes.order,
            "votes_without_time": votes.untimed,
            "start": START,
            "start_deviation": DEVIATION,
            "start_volatility": VOLATILITY,
            "tau": TAU,
            "tolerance": TOLERANCE,
        },
    )


def _resample(
    board: BoardVotes, settings: SystemSettings, replicates: int, rng: np.random.Generator
) -> Floats:
    """Give every vote a Poisson number of copies within its period."""
    from caveat.kernels.glicko2 import glicko2

    votes = board.sequence
    number = period_of(votes, settings.period)
    count = np.ones(votes.a.size) if votes.count is None else votes.count
    return np.stack(
        [
            glicko2(_periods(board, number, rng.poisson(count).astype(np.float64))).rating
            for _ in range(resamples(replicates, plays=votes.a.size))
        ]
    )


def _chance(rating: Floats, deviation: Floats) -> Floats:
    """Glickman's expected score, which both deviations draw towards a half."""
    together = (deviation[:, None] ** 2 + deviation[None, :] ** 2) / POINTS**2
    g = 1.0 / np.sqrt(1.0 + 3.0 * together / np.pi**2)
    chance: Floats = expit(g * (rating[:, None] - rating[None, :]) / POINTS)
    return chance


GLICKO2 = System(
    name="glicko2",
    title="Glicko-2",
    unit="points",
    order_dependent=True,
    score=_score,
    resample=_resample,
)
