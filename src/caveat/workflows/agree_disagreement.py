"""Comparison: how models of equal score disagree."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.results.comparison.disagreement import Disagreement
    from caveat.workflows.agree_parts import Desk

KINDS = ("family", "provider")


def disagreement(desk: "Desk") -> "Disagreement | None":
    """Compare policies, tasks and groups; None where no answers can be compared."""
    from caveat.stats.comparison.disagreement import disagreement as measure

    if desk.agreement is None:
        return None
    return measure(desk.matrix, desk.agreement, groups=_groups(desk))


def _groups(desk: "Desk") -> dict[str, dict[str, list[str]]]:
    """Tiers of the scores, and what the table of models declares."""
    found: dict[str, dict[str, list[str]]] = {}
    paired = desk.kept.get("paired")
    if paired is not None:
        for model, tier in zip(paired.models, paired.tier, strict=True):
            if tier is not None:
                found.setdefault("tier", {}).setdefault(f"tier {tier}", []).append(model)
    for kind in KINDS:
        for model in desk.matrix.models:
            name = desk.models.get(model, {}).get(kind)
            if name:
                found.setdefault(kind, {}).setdefault(str(name), []).append(model)
    return found
