"""What picking the best of several private variants adds to a rating by luck."""

import math
from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantModel:
    """A model that was picked from several variants.

    Attributes
    ----------
    model : str
    provider : str or None
    n_variants : int
        Variants tested, itself included.
    source : str
        Where that number is from: `models table`, `settings`, or `settings, by provider`.
    n_votes : int
        Votes of the model on the board.
    votes : float
        Votes a variant was tested with; those of the model itself where nothing else is declared.
    votes_declared : bool
    sigma : float
        Standard error of a rating from that many votes, in points: that of the model against the
        mean of all others, times the root of the ratio of votes.
    spread : float
        Standard deviation of the variants' true ratings, in points; 0 where it is not declared.
    expected_maximum : float
        Of as many standard normals as there are variants.
    inflation : float
        Points by which the best variant's measured rating is expected to exceed its true one:
        sigma times `expected_maximum`, less where variants truly differ.
    carried : float
        What of it is in the rating shown, diluted by the votes cast since.
    """

    model: str
    provider: str | None
    n_variants: int
    source: str
    n_votes: int
    votes: float
    votes_declared: bool
    sigma: float
    spread: float
    expected_maximum: float
    inflation: float
    carried: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckyLead:
    """The lead against what luck alone could make.

    Attributes
    ----------
    leader, runner_up : str
    difference : float
        In points.
    sigma : float
        Standard error of the leader's rating against the mean of all others, in points.
    enough : float
        Smallest number of variants, equal to the runner-up, of which the best would be expected to
        lead by as much through luck alone; inf where more than 10^9 would be needed, nan without an
        error.
    inflation : float
        What is expected in the lead by the registry: carried by the leader, less what the runner-up
        carries; nan where the registry has neither.
    """

    leader: str
    runner_up: str
    difference: float
    sigma: float
    enough: float
    inflation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants:
    """Models picked from variants, and the lead.

    Attributes
    ----------
    models : tuple of VariantModel
        Largest carried inflation first; empty without a registry.
    lead : LuckyLead
    unmatched : tuple of str
        Names in the registry that are neither a rated model nor a provider of one.
    """

    models: tuple[VariantModel, ...]
    lead: LuckyLead
    unmatched: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `caveat stress --json`."""
        reason = ""
        if math.isinf(self.lead.enough):
            reason = "more than 10^9 variants"
        elif math.isnan(self.lead.enough):
            reason = "no error is known for the leader's rating"
        return {
            "variants": {
                "models": to_plain(self.models),
                "lead": {**to_plain(self.lead), "enough_reason": reason},
                "unmatched": list(self.unmatched),
            }
        }
