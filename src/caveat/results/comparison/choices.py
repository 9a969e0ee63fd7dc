"""What the analyst's choices do to the order of models."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from caveat.results._plain import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One thing to decide.

    Attributes
    ----------
    name : str
        `mean`, `missing`, `unparsed`, `reading`, `items`, `weights` or `metric`.
    levels : tuple of str
        What can be chosen, the default first.
    alone, involved : float
        Shares of the variance of all pairs' orders over all combinations: explained by this choice
        whatever the others are, and left when all others are fixed; nan where no order varies.
    firsts : tuple of str
        Who is first under each level with the other choices at their defaults; level models are
        joined by `=`, the first three by name; empty where that cannot be computed.
    """

    name: str
    levels: tuple[str, ...]
    alone: float
    involved: float
    firsts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceSet:
    """Choices that differ from the default, and what they make.

    Attributes
    ----------
    changes : tuple of (str, str)
        Choice and level.
    first : str
        Who stands first then, or stands above in the pair.
    """

    changes: tuple[tuple[str, str], ...]
    first: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceFlip:
    """The fewest choices to change for an order to turn.

    Attributes
    ----------
    above, below : str
        Above by default; `below` is empty where it is about the first place.
    distance : int or None
        Choices to change; None where no combination turns it.
    sets : tuple of ChoiceSet
        The smallest, at most 20.
    n_sets : int
        How many there are.
    share : float
        Combinations, of all, in which it is turned.
    """

    above: str
    below: str
    distance: int | None
    sets: tuple[ChoiceSet, ...]
    n_sets: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRange:
    """Ranks of one model over all combinations.

    Attributes
    ----------
    model : str
    rank : int
        By default.
    low, high : int
        Best and worst.
    median : float
    first : float
        Share of the combinations in which no model stands above it: no probability, for the
        combinations are neither equally sensible nor independent.
    single : tuple of int
        By each single change, in the order of `Choices.singles`.
    """

    model: str
    rank: int
    low: int
    high: int
    median: float
    first: float
    single: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The order of models under every combination of sensible choices.

    Attributes
    ----------
    benchmark : str
    choices : tuple of Choice
        Those with more than one level here.
    models : tuple of RankRange
        In the default order.
    combinations, invalid : int
        That were computed; and that could not be, for some model had no item left.
    first_place : ChoiceFlip
    pairs : tuple of ChoiceFlip
        Those asked for.
    singles : tuple of (str, str)
        Choice and level of each single change that can be computed.
    varying, judged_pairs : int
        Pairs of models whose order varies, of those that were looked at for the effects.
    models_left_out : int
        Models beyond the best, or without a score.
    absent : mapping of str to str
        Choices that do not arise here, and why.
    """

    benchmark: str
    choices: tuple[Choice, ...]
    models: tuple[RankRange, ...]
    combinations: int
    invalid: int
    first_place: ChoiceFlip
    pairs: tuple[ChoiceFlip, ...]
    singles: tuple[tuple[str, str], ...]
    varying: int
    judged_pairs: int
    models_left_out: int
    absent: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return what it adds to the entry of its benchmark in JSON."""
        plain = to_plain(self)
        del plain["benchmark"]
        plain["absent"] = [{"level": name, "why": why} for name, why in self.absent.items()]
        return {"choices": plain}
