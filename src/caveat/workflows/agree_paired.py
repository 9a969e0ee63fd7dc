"""Comparison: which differences between scores are real."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.results.comparison.paired import PairedTests
    from caveat.workflows.agree_parts import Desk


def paired(desk: "Desk") -> "PairedTests | None":
    """Test all pairs of models on common items; None for a single model."""
    from caveat.stats.comparison.paired import paired_tests

    if len(desk.matrix.models) < 2:
        return None
    found = paired_tests(desk.matrix, level=desk.options.level, margin=desk.options.margin)
    desk.kept["paired"] = found
    return found
