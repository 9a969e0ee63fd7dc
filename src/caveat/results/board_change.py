"""Two boards side by side: what changes when something is held equal or left out."""

from dataclasses import dataclass

from caveat.results.ranking import Lead


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedModel:
    """One model on both boards, its ranks among the models rated on both.

    Attributes
    ----------
    model : str
    rating, low, high : float
        Before, in points.
    rating_after, low_after, high_after : float
        After, in points; both boards have the same anchor.
    rank, rank_after : int
    tier, tier_after : int
    """

    model: str
    rating: float
    low: float
    high: float
    rating_after: float
    low_after: float
    high_after: float
    rank: int
    rank_after: int
    tier: int
    tier_after: int

    @property
    def moved(self) -> int:
        """Places up (above 0) or down."""
        return self.rank - self.rank_after


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChange:
    """A board and another of the same models.

    Attributes
    ----------
    models : tuple of ChangedModel
        Rated on both, best first before.
    lead, lead_after : Lead
    critical, critical_after : float
        What the z of each lead is compared with.
    first_tier, first_tier_after : tuple of str
    tau : float
        Kendall's tau-b of the ratings; nan for fewer than two models.
    n_votes, n_votes_after : int
    """

    models: tuple[ChangedModel, ...]
    lead: Lead
    lead_after: Lead
    critical: float
    critical_after: float
    first_tier: tuple[str, ...]
    first_tier_after: tuple[str, ...]
    tau: float
    n_votes: int
    n_votes_after: int

    @property
    def first_changes(self) -> bool:
        """Whether another model comes first."""
        return self.lead.leader != self.lead_after.leader

    @property
    def separation_lost(self) -> bool:
        """Whether a lead that counted no longer does."""
        return self.lead.separable and not self.lead_after.separable

    @property
    def entered(self) -> tuple[str, ...]:
        """Models that join the first tier."""
        return tuple(m for m in self.first_tier_after if m not in self.first_tier)

    @property
    def left(self) -> tuple[str, ...]:
        """Models that leave the first tier."""
        return tuple(m for m in self.first_tier if m not in self.first_tier_after)

    @property
    def moves(self) -> tuple[ChangedModel, ...]:
        """Models in another place, the largest move first."""
        moved = [model for model in self.models if model.moved]
        return tuple(sorted(moved, key=lambda m: (-abs(m.moved), m.rank)))
