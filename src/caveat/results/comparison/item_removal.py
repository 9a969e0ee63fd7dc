"""How few items carry the order of models."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from caveat.results._plain import to_plain

Unit = Literal["items", "tasks", "clusters"]
Mean = Literal["items", "tasks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFlip:
    """The fewest units without which one model no longer stands above another.

    Attributes
    ----------
    unit : str
        What goes: single `items`, whole `tasks` or whole `clusters` of items.
    mean : str
        What a score is: the mean over `items`, or over `tasks` the mean of each.
    above, below : str
    n_items, of : int
        Items both have a score on, and units these make up.
    difference : float
        Of the two means, on these items.
    number : int or None
        Units without which `below` stands above; 0 where it does already; None where no removal
        does it.
    level : int or None
        Units without which the two are level, or turned; None as above, and for means over tasks
        of single items.
    exact : bool
        Whether no fewer do; otherwise `at_least` bounds it.
    at_least : int or None
    share : float
        `number` of `of`; nan without one.
    equal : int or None
        What it would take, 19 times of 20 at most, between two equal models with differences as
        large: a lead that takes fewer is one that chance makes.
    at_random : int or None
        Units that would have to be removed at random for one try in 20 to turn the order.
    pool : int
        Units that could stand in for the last of them.
    removed : tuple of str
        The first of them by name.
    tasks : tuple of (str, int)
        Tasks of the items that go, most first.
    """

    unit: Unit
    mean: Mean
    above: str
    below: str
    n_items: int
    of: int
    difference: float
    number: int | None
    level: int | None
    exact: bool
    at_least: int | None
    share: float
    equal: int | None = None
    at_random: int | None = None
    pool: int = 0
    removed: tuple[str, ...] = ()
    tasks: tuple[tuple[str, int], ...] = ()

    def bounded(self) -> "OrderFlip":
        """Return the same as an upper bound: a rival that was not searched may need fewer."""
        return replace(self, exact=False, at_least=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictFlip:
    """The fewest items without which a paired test says something else.

    Attributes
    ----------
    above, below : str
    test : str
        `mcnemar` where all scores are right or wrong, else `t`; items count as independent.
    alpha, p : float
        Level, and two-sided p value with all items; nan where undefined.
    significant : bool
        Whether `p` is below `alpha`; then items go until it is not, else until it is.
    number : int or None
        None where no removal does it.
    at_least : int or None
        No fewer do; as `number` where that is exact.
    share : float
    removed : tuple of str
        The first of them.
    reason : str
        Why there is no number.
    """

    above: str
    below: str
    test: str
    alpha: float
    p: float
    significant: bool
    number: int | None
    at_least: int | None
    share: float
    removed: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rivalry:
    """What it takes between two models.

    Attributes
    ----------
    a, b : str
        `a` stands above, or first by name where the two are level.
    flips : tuple of OrderFlip
        By mean and unit.
    verdict : VerdictFlip or None
        None where it was not looked at.
    reason : str
        Why there are no flips.
    """

    a: str
    b: str
    flips: tuple[OrderFlip, ...]
    verdict: VerdictFlip | None = None
    reason: str = ""

    def flip(self, unit: Unit, mean: Mean = "items") -> OrderFlip | None:
        """Return one of them; None where the source has no such unit."""
        return next((f for f in self.flips if (f.unit, f.mean) == (unit, mean)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRemoval:
    """How few items, tasks or clusters carry the first place and the order of pairs.

    Attributes
    ----------
    benchmark : str
    n_models, n_items : int
    leaders : mapping of str to str
        Who stands first by each mean, on its own items.
    first : tuple of OrderFlip
        By mean and unit, the fewest over all rivals of the leader, each on the items it shares
        with the leader.
    rivals : tuple of Rivalry
        The leader against the models that come closest to it, closest first.
    n_rivals : int
        How many there are.
    pairs : tuple of Rivalry
        Those asked for.
    alpha : float
    unlike : tuple of str
        Rivals that share no item with the leader.
    reasons : mapping of str to str
        Why a unit or mean is not there.
    """

    benchmark: str
    n_models: int
    n_items: int
    leaders: Mapping[str, str]
    first: tuple[OrderFlip, ...]
    rivals: tuple[Rivalry, ...]
    n_rivals: int
    pairs: tuple[Rivalry, ...]
    alpha: float
    unlike: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)

    def first_place(self, unit: Unit = "items", mean: Mean = "items") -> OrderFlip | None:
        """Return what the first place takes; None where the source has no such unit."""
        return next((f for f in self.first if (f.unit, f.mean) == (unit, mean)), None)

    def to_dict(self) -> dict[str, Any]:
        """Return what it adds to the entry of its benchmark in JSON."""
        names = ("leaders", "first", "rivals", "n_rivals", "pairs", "alpha", "unlike", "reasons")
        return {"item_removal": {name: to_plain(getattr(self, name)) for name in names}}
