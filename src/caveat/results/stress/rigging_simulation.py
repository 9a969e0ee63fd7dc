"""What a simulated attack on a board gains, and when it is found."""

from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerPoint:
    """Voters who cast so many votes each.

    Attributes
    ----------
    votes : int
        Votes cast by each rigging voter.
    power : float
        Share of the rigging voters that are flagged.
    false_alarms : float
        Share of the honest voters that are flagged.
    false_discoveries : float
        Mean share of honest voters among the flagged, 0 where nobody is.
    n_rigging, n_honest : int
        Voters of each kind, over all repetitions.
    """

    votes: int
    power: float
    false_alarms: float
    false_discoveries: float
    n_rigging: int
    n_honest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GainPoint:
    """The board after so many battles of the attackers.

    Attributes
    ----------
    battles, votes : int
        Battles they saw, and votes they cast in them.
    rank : int
        Of the target among the rated models, by Bradley-Terry with ties as half a win.
    points : float
        Gain of its rating against the mean of the rated models.
    """

    battles: int
    votes: int
    rank: int
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RiggingSimulation:
    """One attack on one board.

    Attributes
    ----------
    target, strategy, elsewhere, sampling : str
    accuracy : float
    power : tuple of PowerPoint
    gain : tuple of GainPoint
        The first without a rigged vote.
    fdr : float
    n_models : int
    seed : int or None
    """

    target: str
    strategy: str
    elsewhere: str
    sampling: str
    accuracy: float
    power: tuple[PowerPoint, ...]
    gain: tuple[GainPoint, ...]
    fdr: float
    n_models: int
    seed: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        plain: dict[str, Any] = to_plain(self)
        return plain
