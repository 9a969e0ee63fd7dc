"""The score of the leader, corrected for its having been chosen."""

from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnersCurse:
    """How far the highest score is likely too high.

    Attributes
    ----------
    benchmark, model : str
    n_models, n_items, n_units : int
        Models that could have won, items that all of them have, and independent units these
        make up.
    score, se, low, high : float
        Of the leader as it stands, with the usual interval.
    curse : float
        By how much the leader of another such set of items would stand above its true score, on
        average: a bootstrap from shrunk scores; nan where undefined.
    corrected : float
        `score` less `curse`.
    shrunk : float
        Posterior mean of its true score.
    median, hybrid_low, hybrid_high : float
        As likely too high as too low, and an interval at the level, whichever model wins (hybrid).
    conditional, conditional_low, conditional_high : float
        The same, given that this model won; far out, or infinite, where two are nearly level.
    projection_low, projection_high : float
        Interval that allows for all models at once.
    level : float
    seed : int or None
    clustered : bool
    reason : str
        Why figures are undefined.
    """

    benchmark: str
    model: str
    n_models: int
    n_items: int
    n_units: int
    score: float
    se: float
    low: float
    high: float
    curse: float
    corrected: float
    shrunk: float
    median: float
    hybrid_low: float
    hybrid_high: float
    conditional: float
    conditional_low: float
    conditional_high: float
    projection_low: float
    projection_high: float
    level: float
    seed: int | None
    clustered: bool
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what it adds to the entry of its benchmark in JSON."""
        plain = to_plain(self)
        del plain["benchmark"]
        return {"winner": plain}
