"""How far a whole group of models agrees."""

from dataclasses import dataclass, field
from typing import Any

from caveat.results._plain import to_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounded:
    """A figure with the limits of its interval; nan where undefined."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAgreement:
    """Agreement of the answers of several models.

    Attributes
    ----------
    kind : str
        What makes them a group: `all`, `tier`, `family`, `provider`, `named`.
    group : str
        Its name among its kind.
    models : tuple of str
    policy : str
        What an unparsed answer counts as.
    weights : str
        `nominal` (answers are the same or not), `linear` or `quadratic` (near numbers agree in
        part).
    observed : Bounded
        Mean share of pairs of answers to an item that are the same.
    fleiss, gwet, alpha : Bounded
        The same beyond chance: Fleiss' kappa, Gwet's AC1 (AC2 with weights), Krippendorff's alpha.
    n_items : int
        Items with two answers or more.
    n_dropped : int
        Items with one answer or none.
    n_answers : int
        Answers to items with two or more.
    n_labels : int
        Distinct answers.
    n_clusters : int
        Independent units the intervals rest on: items, or clusters of them.
    level : float
    reason : str
        Why a figure is undefined; empty otherwise.
    """

    kind: str
    group: str
    models: tuple[str, ...]
    policy: str
    weights: str
    observed: Bounded
    fleiss: Bounded
    gwet: Bounded
    alpha: Bounded
    n_items: int
    n_dropped: int
    n_answers: int
    n_labels: int
    n_clusters: int
    level: float
    reason: str = field(default="")

    def to_dict(self) -> dict[str, Any]:
        """Return the group as plain data."""
        plain: dict[str, Any] = to_plain(self)
        return plain
