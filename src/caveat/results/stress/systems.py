"""Do rating systems agree on the order of the same votes?"""

from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemOrder:
    """The order that one rating system gives.

    Attributes
    ----------
    method, title : str
        As in `--method`, and in words.
    order : tuple of str
        Models it rates, best first; names break exact ties.
    first : str
        The best of those that the board rates, too.
    tau : float
        Kendall's tau-b with the board over the models both rate; 1 is the same order, nan for fewer
        than two models.
    n_models : int
        Models that both rate.
    complete : bool
        Whether it rates every model that the board rates, so that places can be compared.
    order_dependent : bool
        Whether the same votes in another order would give another result.
    adjusted : bool
        Whether it allows for whom a model met and how often; shares of wins do not, and PageRank
        grows with being shown.
    """

    method: str
    title: str
    order: tuple[str, ...]
    first: str
    tau: float
    n_models: int
    complete: bool
    order_dependent: bool
    adjusted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedSystem:
    """A rating system that cannot rate these votes, and why."""

    method: str
    title: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstPlace:
    """A model that some rating systems put first."""

    model: str
    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSpan:
    """Places of one model among the rated models, by system.

    Attributes
    ----------
    model : str
    board : int
        Place on the board.
    low, high : int
        Best and worst place by any complete system.
    ranks : tuple of (str, int)
        Method and place, for each complete system.
    """

    model: str
    board: int
    low: int
    high: int
    ranks: tuple[tuple[str, int], ...]

    @property
    def width(self) -> int:
        """Places between best and worst."""
        return self.high - self.low


@dataclass(frozen=True, slots=True, kw_only=True)
class EloOrders:
    """First places of Elo over random orders of the same votes.

    Attributes
    ----------
    k : float
    shuffles : int
    first : tuple of (str, int)
        Models that came first and in how many orders, most often first.
    spread : float
        Typical standard deviation of one model's rating over orders, in points.
    """

    k: float
    shuffles: int
    first: tuple[tuple[str, int], ...]
    spread: float

    @property
    def share(self) -> float:
        """Share of orders in which the most frequent first model came first."""
        return self.first[0][1] / self.shuffles


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemsDisagree:
    """Every rating system on the same votes.

    Attributes
    ----------
    board : str
        Method of the board that the others are compared with.
    systems : tuple of SystemOrder
        The board's own method first, then by tau, closest first.
    skipped : tuple of SkippedSystem
    first_places : tuple of FirstPlace
        The board's first model first, then by number of systems.
    spans : tuple of RankSpan
        In the order of the board; places count only models that the board rates.
    elo : EloOrders or None
        None where votes carry weights.
    """

    board: str
    systems: tuple[SystemOrder, ...]
    skipped: tuple[SkippedSystem, ...]
    first_places: tuple[FirstPlace, ...]
    spans: tuple[RankSpan, ...]
    elo: EloOrders | None

    def title(self, method: str) -> str:
        """Return a method in words."""
        return next(one.title for one in self.systems if one.method == method)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `caveat stress --json`."""
        elo = self.elo
        return {
            "systems": [
                {
                    "method": one.method,
                    "title": one.title,
                    "first": one.first,
                    "order": list(one.order),
                    "tau": to_plain(one.tau),
                    "n_models": one.n_models,
                    "order_dependent": one.order_dependent,
                    "adjusted": one.adjusted,
                }
                for one in self.systems
            ],
            "systems_skipped": to_plain(self.skipped),
            "first_places": to_plain(self.first_places),
            "rank_spans": [
                {
                    "model": one.model,
                    "board": one.board,
                    "low": one.low,
                    "high": one.high,
                    "ranks": [{"method": method, "rank": rank} for method, rank in one.ranks],
                }
                for one in self.spans
            ],
            "elo_orders": {
                "k": elo.k,
                "shuffles": elo.shuffles,
                "spread": to_plain(elo.spread),
                "first": [{"model": model, "orders": n} for model, n in elo.first],
            }
            if elo
            else None,
        }
