"""What ties models to each other."""

from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class WeakSplit:
    """Two groups of models with few votes between them.

    Attributes
    ----------
    models : tuple of str
        The group with fewer votes, best first.
    n_others : int
    across : int
        Votes between the groups.
    share : float
        Of the votes of the smaller group's models, those against the other group.
    """

    models: tuple[str, ...]
    n_others: int
    across: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A model without which others have no votes with the rest."""

    model: str
    holds: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How two of the best models are compared.

    Attributes
    ----------
    above, below : str
    rank_above, rank_below : int
        Places on the board.
    n_votes : int
        Votes between the two.
    direct : float
        Share of the information about their difference that these votes hold; the rest comes
        through other models.
    worth : float
        Votes between two equals that would hold as much information as all votes together.
    through : str or None
        The model that most of the rest passes through; None where all of it is direct.
    through_share : float
        Of all information, what passes through it.
    pair : tuple of str
        The pair of models whose votes the variance of the difference depends on most.
    pair_share : float
        Of that variance.
    together : int or None
        Days on which both were on the board; None without times.
    """

    above: str
    below: str
    rank_above: int
    rank_below: int
    n_votes: int
    direct: float
    worth: float
    through: str | None
    through_share: float
    pair: tuple[str, str]
    pair_share: float
    together: int | None

    @property
    def disjoint(self) -> bool:
        """Whether the two were never on the board on the same day."""
        return self.together == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Connections:
    """What ties the rated models to each other.

    Attributes
    ----------
    n_models, n_pairs, n_met : int
        Rated models, pairs of them, and pairs with a vote.
    n_disjoint : int or None
        Pairs that were never on the board on the same day; None without times.
    split : WeakSplit or None
        None with fewer than four models.
    holders : tuple of Holder
        Those that hold at least two others, most first.
    top : int
        Best models whose comparisons are listed.
    comparisons : tuple of Comparison
        All pairs of these, least information first.
    """

    n_models: int
    n_pairs: int
    n_met: int
    n_disjoint: int | None
    split: WeakSplit | None
    holders: tuple[Holder, ...]
    top: int
    comparisons: tuple[Comparison, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `caveat stress --json`."""
        made: dict[str, Any] = to_plain(self)
        for row, one in zip(made["comparisons"], self.comparisons, strict=True):
            row["disjoint"] = None if one.together is None else one.disjoint
        return {"connections": made}
