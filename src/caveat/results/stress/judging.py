"""Judges side by side: how far they agree, what each of them favours, and the board under each."""

from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.control import Coefficient
from caveat.results.ranking import Lead, Position


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedModel:
    """One model on the board of one judge."""

    model: str
    rating: float
    low: float
    high: float
    rank: int
    tier: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPreference:
    """How a judge treats models of its own family, against others on the same comparisons.

    Attributes
    ----------
    models : tuple of str
        Models taken for its own.
    how : str
        What they were recognised by: `declared family`, `declared provider` or `name`.
    reference : str
        Whose verdicts it is held against.
    n : int
        Comparisons of one of these models with another one that both judged.
    share, reference_share : float
        What the judge, and the reference, gave to its own models; ties as half.
    difference, low, high : float
        The first less the second; clustered by item.
    """

    models: tuple[str, ...]
    how: str
    reference: str
    n: int
    share: float
    reference_share: float
    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeView:
    """One judge.

    Attributes
    ----------
    judge : str
    people : bool
        Whether the name says that these are people.
    model : str or None
        The model on the board that the judge is.
    n_votes : int
    share, tie_share : float
        Of all votes between rated models, and ties among its own.
    lead : Lead or None
        By its votes alone.
    models : tuple of JudgedModel
        Its board, best first; empty where it rates no two models.
    position : Position or None
        What going first is worth to it.
    length_column : str
    length : Coefficient or None
        What length is worth to it.
    own : OwnPreference or None
    reasons : mapping as tuple of (str, str)
        Why `models`, `position`, `length` or `own` is missing.
    """

    judge: str
    people: bool
    model: str | None
    n_votes: int
    share: float
    tie_share: float
    lead: Lead | None
    models: tuple[JudgedModel, ...]
    position: Position | None
    length_column: str
    length: Coefficient | None
    own: OwnPreference | None
    reasons: tuple[tuple[str, str], ...] = ()

    @property
    def prefers_position(self) -> bool:
        """Whether the advantage of one position is told apart from none."""
        return self.position is not None and not self.position.low <= 0.0 <= self.position.high

    @property
    def prefers_longer(self) -> bool:
        """Whether longer answers surely gain."""
        return self.length is not None and self.length.low > 0.0

    @property
    def prefers_own(self) -> bool:
        """Whether its own models surely get more from it than from the reference."""
        return self.own is not None and self.own.low > 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePair:
    """Two judges on the same comparisons.

    Attributes
    ----------
    a, b : str
    n : int
        Comparisons that both judged.
    agree, agree_low, agree_high : float
        Share of the same verdict.
    kappa, kappa_low, kappa_high : float
        Cohen's kappa over the verdicts one model, the other, neither.
    n_items : int
        Items of these comparisons: the clusters of the intervals.
    tau : float
        Kendall's tau-b of the two boards over the models rated on both; nan for fewer than two.
    n_models : int
    a_first_tier, b_first_tier : int or None
        Tier that the first model of `a` has on the board of `b`, and that of `b` on the board of
        `a`; None where it has none.
    reason : str
        Why the agreement is undefined.
    """

    a: str
    b: str
    n: int
    agree: float
    agree_low: float
    agree_high: float
    kappa: float
    kappa_low: float
    kappa_high: float
    n_items: int
    tau: float
    n_models: int
    a_first_tier: int | None
    b_first_tier: int | None
    reason: str = ""

    @property
    def boards_differ(self) -> bool:
        """Whether the first model of one is surely not the best for the other."""
        return any(tier is not None and tier > 1 for tier in (self.a_first_tier, self.b_first_tier))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Judges side by side.

    Attributes
    ----------
    judges : tuple of JudgeView
        Most votes first.
    pairs : tuple of JudgePair
    matched_on : tuple of str
        What makes two votes one comparison: `item`, `models`, and `order` where that is known and
        the judges saw the same; empty where votes name no item.
    n_left_out : int
        Judges with few votes, not shown.
    level : float
    """

    judges: tuple[JudgeView, ...]
    pairs: tuple[JudgePair, ...]
    matched_on: tuple[str, ...]
    n_left_out: int
    level: float

    def to_dict(self) -> dict[str, Any]:
        """Return it under the names it has in `caveat stress --json`."""
        made = to_plain(self)
        for row in made["judges"]:
            row["reasons"] = dict(row["reasons"])
        return {"judging": made}
