"""Comparisons: what the items are like, and what the models are worth together."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.results.comparison.crowd import Crowd
    from caveat.results.comparison.items import Items
    from caveat.workflows.agree_parts import Desk


def items(desk: "Desk") -> "Items":
    """Estimate difficulty and discrimination of the items, and judge their keys."""
    from caveat.stats.comparison.items import items as of_items

    found = of_items(desk.matrix, level=desk.options.level)
    desk.kept["items"] = found
    return found


def crowd(desk: "Desk") -> "Crowd | None":
    """Set votes against single models; None for a single model."""
    from caveat.stats.comparison.crowd import crowd as of_crowd

    if len(desk.matrix.models) < 2:
        return None
    return of_crowd(desk.matrix, level=desk.options.level, seed=desk.options.seed)
