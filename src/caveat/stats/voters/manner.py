"""How voters are counted, weighted and rated."""

from dataclasses import dataclass

import numpy as np

from caveat import _validate
from caveat.errors import InputError
from caveat.stats.ranking.fitted import Method

THRESHOLD = 10
"""Fewest voters that a figure tells of."""
TRIM = 5.0
"""Largest weight of a voter, in multiples of the mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """Settings of everything about voters.

    Attributes
    ----------
    threshold : int
        Fewest voters that a figure tells of; at least 1, which hides nothing.
    trim : float or None
        Largest weight of a voter in multiples of the mean, above 1; None for no limit.
    method : str
        Rating system of the boards: `auto`, `bradley-terry`, `davidson` or `rao-kupper`.
    anchor : str or None
        Model of 1000 points on every board; None for the one with the most votes.
    level : float
        Of intervals, in (0, 1).
    replicates : int
        Random signs behind each test of groups, at least 99: the smallest p value is one by them.
    seed : int or Generator

    Raises
    ------
    InputError
        If one is out of range.
    """

    threshold: int = THRESHOLD
    trim: float | None = TRIM
    method: Method = "auto"
    anchor: str | None = None
    level: float = 0.95
    replicates: int = 1_999
    seed: int | np.random.Generator = 0

    def __post_init__(self) -> None:
        _validate.at_least("disclosure", self.threshold, 1)
        _validate.at_least("replicates", self.replicates, 99)
        _validate.probability("level", self.level)
        if self.trim is not None and not 1.0 < self.trim < float("inf"):
            raise InputError(f"trim must be above 1, the mean weight, got {self.trim!r}")


PLAIN = Manner()
