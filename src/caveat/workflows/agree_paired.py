"""Comparison: which differences between scores are real."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.results.comparison.first_two import FirstTwo
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


def first_two(desk: "Desk") -> "FirstTwo | None":
    """Compare the two best models, task by task; None where none are told."""
    from caveat.results.comparison.first_two import FirstTwo
    from caveat.stats.comparison.compare import compare

    tests: PairedTests | None = desk.kept.get("paired")
    if tests is None:
        return None
    first, second = tests.models[:2]
    options = desk.options
    if not tests.at(0, 1).n:
        return None
    return FirstTwo(
        pair=compare(
            desk.matrix, first, second, margin=options.margin, level=options.level, listed=0
        )
    )
