"""Stress tests about whose votes look rigged."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.results.stress.rigging import Rigging
    from caveat.workflows.stress_parts import Bench


def rigging(bench: "Bench") -> "Rigging":
    """Test every voter against the others."""
    from caveat.stats.robustness.rigging import rigging as run

    return run(bench.votes, bench.fitted, level=bench.options.level, seed=bench.options.seed)
