"""Properties of the answers that a board holds equal: length, headers, lists."""

from dataclasses import dataclass

FEW_CLUSTERS = 20
"""Clusters below which an error from them is too uncertain to lean on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """What a property of an answer is worth.

    Attributes
    ----------
    name : str
        The names of both columns without their sides.
    columns : tuple of (str, str)
        Column of the first and of the second answer.
    spread : float
        Typical difference of two answers: root mean square over the votes.
    points, se, low, high : float
        Worth of a typical difference in Elo-like points.
    z : float
        `points / se`.
    per_unit : float
        Points for a difference of 1.
    twice : float
        Points for twice as much as the other answer has; nan where the contrast is no ratio.
    win_probability : float
        Chance that, of two equal models, the one a typical difference ahead wins a decisive vote.
    """

    name: str
    columns: tuple[str, str]
    spread: float
    points: float
    se: float
    low: float
    high: float
    z: float
    per_unit: float
    twice: float
    win_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A property that is not held equal, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """What is held equal.

    Attributes
    ----------
    contrast : str
        `relative`: (a - b) / (a + b), 0 where both are 0. `difference`: a - b.
    coefficients : tuple of Coefficient
    left_out : tuple of LeftOut
    n_votes, n_incomplete : int
        Votes of the fit between rated models, and votes left out for a missing value.
    cluster : str or None
        Column whose votes count together in the errors of the coefficients.
    n_clusters : int or None
    level : float
    """

    contrast: str
    coefficients: tuple[Coefficient, ...]
    left_out: tuple[LeftOut, ...] = ()
    n_votes: int
    n_incomplete: int
    cluster: str | None = None
    n_clusters: int | None = None
    level: float

    @property
    def few_clusters(self) -> bool:
        """Whether the errors come from too few clusters to lean on."""
        return self.n_clusters is not None and self.n_clusters < FEW_CLUSTERS
