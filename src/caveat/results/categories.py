"""A board for each category of votes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.ranking import Lead


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryModel:
    """One model in one category.

    Attributes
    ----------
    model : str
    rating, low, high : float
        In points, by the votes of this category alone.
    rank, tier : int
    rank_overall : int or None
        By all votes, among the models rated here; None where it has no rating there.
    shift, shift_se : float
        Points that it gains here over the other categories, both against the mean of the models
        rated in both; nan where it is not rated elsewhere.
    p_adjusted : float
        Of no shift, over all models and categories by Holm's method.
    n_votes : int
        In this category.
    """

    model: str
    rating: float
    low: float
    high: float
    rank: int
    tier: int
    rank_overall: int | None
    shift: float
    shift_se: float
    p_adjusted: float
    n_votes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """One category.

    Attributes
    ----------
    name : str
    n_votes : int
    share : float
        Of all votes.
    models : tuple of CategoryModel
        Rated ones, best first; empty where there is no board.
    lead : Lead or None
    anchor : str or None
        Model whose rating is fixed at 1000 points.
    tau : float
        Kendall's tau-b with the board of all votes, over the models rated on both.
    unrated : tuple of str
        Models with votes here whose ratings the votes do not fix.
    reason : str
        Why there is no board; empty where there is one.
    """

    name: str
    n_votes: int
    share: float
    models: tuple[CategoryModel, ...] = ()
    lead: Lead | None = None
    anchor: str | None = None
    tau: float = float("nan")
    unrated: tuple[str, ...] = ()
    reason: str = ""

    @property
    def first_tier(self) -> tuple[str, ...]:
        """Models not separable from the first."""
        return tuple(model.model for model in self.models if model.tier == 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Categories:
    """Boards by category.

    Attributes
    ----------
    column : str
    categories : tuple of Category
        Most votes first.
    n_unnamed : int
        Votes without a category.
    n_left_out, n_votes_left_out : int
        Categories beyond the largest 50, and their votes.
    least : int
        Votes that a category needs for a board.
    level : float
    cluster : str or None
    """

    column: str
    categories: tuple[Category, ...]
    n_unnamed: int
    n_left_out: int
    n_votes_left_out: int
    least: int
    level: float
    cluster: str | None = None

    def to_dict(self) -> Mapping[str, Any]:
        """Return it under the names it has in `caveat rank --json`."""
        made: dict[str, Any] = to_plain(self)
        for row, category in zip(made["categories"], self.categories, strict=True):
            row["first_tier"] = list(category.first_tier)
        return made
