"""What a rating system other than a likelihood model is made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from caveat import _validate
from caveat.errors import InputError
from caveat.kernels.connectivity import Component, components
from caveat.kernels.counts import VoteCells, win_matrix
from caveat.stats.ranking.counting import CountedVotes
from caveat.stats.ranking.fitted import within
from caveat.stats.ranking.sequence import VoteSequence, sequence_of

Floats = npt.NDArray[np.float64]
Form = Literal["normal", "share"]
REPLICATES, LEAST = 200, 20
"""Resamples where no number is asked for: these systems have no errors without them. Where votes
are so many that all of them would take long, fewer; Student's t allows for it."""
FEW_VOTES = 30
"""Votes of a model below which its error is not taken to be smaller than the deviation that the
system itself keeps: five wins resampled are always five wins."""
UPDATES = 400_000_000
"""Votes played in their order to make resamples: about 10 s."""
CALENDAR = ("day", "week", "month")


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSettings:
    """Settings of rating systems; each reads its own.

    Attributes
    ----------
    k : float
        Elo: points that a sure win of the other side would cost.
    shuffles : int
        Elo over shuffles: orders averaged.
    period : str
        Glicko-2: `day`, `week` or `month` of the votes' times, or a number of votes.
    baseline : str or None
        Baseline: the model all are compared with; None takes the one with most opponents, of these
        the one with most votes.
    draw_probability : float or None
        TrueSkill: chance that two equals tie; None takes the share of ties among the votes.
    damping : float
        PageRank: chance to follow a loss.
    """

    k: float = 32.0
    shuffles: int = 30
    period: str = "month"
    baseline: str | None = None
    draw_probability: float | None = None
    damping: float = 0.85

    def __post_init__(self) -> None:
        if not 0.0 < self.k < float("inf"):
            raise InputError(f"k must be a number above 0, got {self.k!r}")
        _validate.at_least("shuffles", self.shuffles, 2)
        _validate.probability("damping", self.damping)
        if self.draw_probability is not None and not 0.0 <= self.draw_probability < 1.0:
            raise InputError(
                f"draw_probability must be at least 0 and below 1, got {self.draw_probability!r}"
            )
        if self.period not in CALENDAR and not (self.period.isdecimal() and int(self.period)):
            raise InputError(
                f"period must be day, week, month or a number of votes, got {self.period!r}"
            )


USUAL = SystemSettings()


def resamples(asked: int, *, plays: int, limit: int = UPDATES) -> int:
    """Return how many resamples to draw, of so many votes each.

    Parameters
    ----------
    asked : int
        A stated number; 0 for the usual one.
    plays, limit : int
        Votes played for one resample, and for all of them.
    """
    return asked or min(REPLICATES, max(LEAST, limit // max(plays, 1)))


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardVotes:
    """Votes between models that met each other, directly or through others.

    Attributes
    ----------
    votes : CountedVotes
        All votes.
    groups : tuple of Component
        Models that met, the group with most votes first.
    names : tuple of str
        The m models of the first group.
    cells : VoteCells
        Votes between them, under their codes.
    reordered : VoteSequence or None
        The votes in another order than their own.
    """

    votes: CountedVotes
    groups: tuple[Component, ...]
    names: tuple[str, ...]
    cells: VoteCells
    reordered: VoteSequence | None = None

    @property
    def members(self) -> npt.NDArray[np.intp]:
        """Codes of the models among all models of the votes."""
        return self.groups[0].members

    @property
    def n_votes(self) -> Floats:
        """Votes of each model; shape (m,)."""
        cells, m = self.cells, len(self.names)
        number: Floats = np.zeros(m)
        np.add.at(number, cells.a, cells.count)
        np.add.at(number, cells.b, cells.count)
        return number

    @cached_property
    def wins(self) -> Floats:
        """(Weighted) wins of row over column, ties as half; shape (m, m)."""
        return win_matrix(self.cells, self.cells.weight)

    @cached_property
    def sequence(self) -> VoteSequence:
        """The votes one by one, in order."""
        return self.reordered or sequence_of(self.votes, self.names)


def board_votes(votes: CountedVotes, *, tied: Literal["met", "won"] = "met") -> BoardVotes:
    """Take the largest group of models that met.

    Parameters
    ----------
    votes : CountedVotes
    tied : str
        `met`: any vote between two models ties them into one group; `won`: they must reach each
        other along wins, as for Bradley-Terry.
    """
    wins = win_matrix(votes.cells, votes.cells.weight)
    groups = components(wins + wins.T if tied == "met" else wins)
    if tied == "met":  # votes were counted in both directions
        groups = tuple(Component(g.members, g.relation, g.votes / 2.0) for g in groups)
    members = groups[0].members
    return BoardVotes(
        votes=votes,
        groups=groups,
        names=tuple(votes.models[i] for i in members),
        cells=within(votes.cells, members),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """Ratings by one system.

    Attributes
    ----------
    rating : float array, shape (m,)
        Higher is better; nan where undefined.
    outside : mapping of str to str
        Why a model has none.
    own : float array, shape (m,), or None
        The deviation that the system itself keeps for each model, or must be taken to have.
    chance : float array, shape (m, m), or None
        Chance that row wins a decisive vote against column.
    iterations : int
    converged : bool
    settings : mapping
    """

    rating: Floats
    outside: Mapping[str, str] = field(default_factory=dict)
    own: Floats | None = None
    chance: Floats | None = None
    iterations: int = 0
    converged: bool = True
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A rating system.

    Attributes
    ----------
    name, title : str
        As in `--method`, and in words.
    unit : str
        What a rating is counted in.
    form : str
        Of intervals: `normal`, or `share` (within 0 and 1).
    order_dependent : bool
        Whether the same votes in another order would give other ratings.
    tied : str
        What puts two models into one group; see `board_votes`.
    adjusted : bool
        Whether it allows for whom a model met and how often; shares of wins do not, and PageRank
        grows with being shown.
    score : callable
        Ratings of the models of a board.
    resample : callable
        Ratings of resampled votes, shape (replicates, m); about `REPLICATES` of them where the
        number asked for is 0.
    """

    name: str
    title: str
    unit: str
    form: Form = "normal"
    order_dependent: bool = False
    tied: Literal["met", "won"] = "met"
    adjusted: bool = True
    score: Callable[[BoardVotes, SystemSettings, np.random.Generator], Scored]
    resample: Callable[[BoardVotes, SystemSettings, int, np.random.Generator], Floats]
