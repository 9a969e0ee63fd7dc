"""Ranks that item-level scores allow."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from caveat.results._plain import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedModel:
    """One model and the ranks it may have; 1 is the highest score.

    Attributes
    ----------
    model : str
    score, se : float
        Mean over the items that count, with its error; `se` nan where undefined.
    rank : int
        Of the score; models level with each other share the better one.
    low, high : int
        With those of all other models at once at the level.
    alone_low, alone_high : int
        By itself at the level.
    plain_low, plain_high : int
        Percentiles of a plain bootstrap: too narrow near ties.
    may_be_best : bool
        Whether `low` is 1.
    best_alone : bool
        Whether no other model surely beats it, tested alone.
    first : float
        Share of bootstrap draws in which it is first.
    """

    model: str
    score: float
    se: float
    rank: int
    low: int
    high: int
    alone_low: int
    alone_high: int
    plain_low: int
    plain_high: int
    may_be_best: bool
    best_alone: bool
    first: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankIntervals:
    """Simultaneous rank intervals of models scored on the same items.

    Attributes
    ----------
    benchmark : str
    models : tuple of RankedModel
        Best first.
    best : tuple of str
        Models that may be the best, jointly over all ranks.
    n_items, n_units : int
        Items that all these models have a score on, and independent units they make up: items, or
        clusters of them.
    items_left_out : int
        Items that some of these models lack.
    left_out : mapping of str to str
        Models that do not take part, and why.
    level, critical : float
        Joint coverage; first critical value of |difference| / error, nan where no difference has
        an error.
    steps, draws, seed : int
    clustered : bool
    """

    benchmark: str
    models: tuple[RankedModel, ...]
    best: tuple[str, ...]
    n_items: int
    n_units: int
    items_left_out: int
    level: float
    critical: float
    steps: int
    draws: int
    seed: int | None
    clustered: bool
    left_out: Mapping[str, str] = field(default_factory=dict)

    def may_be_among(self, tau: int) -> tuple[str, ...]:
        """Models that may be among the best `tau`, jointly over all ranks."""
        return tuple(model.model for model in self.models if model.low <= tau)

    def to_dict(self) -> dict[str, Any]:
        """Return what it adds to the entry of its benchmark in JSON."""
        plain = to_plain(self)
        del plain["benchmark"]
        return {"rank_intervals": plain}
