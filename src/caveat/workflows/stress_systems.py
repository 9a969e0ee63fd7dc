"""Stress test: the same votes by every rating system."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.results.stress.systems import SystemsDisagree
    from caveat.workflows.stress_parts import Bench


def systems(bench: "Bench") -> "SystemsDisagree":
    """Compare the orders of all rating systems."""
    from caveat.stats.robustness.systems import systems_disagree

    return systems_disagree(
        bench.fitted.votes, bench.board, settings=bench.options.systems, seed=bench.options.seed
    )
