"""The stress test that drops a few votes."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.results.stress.drop import DropAFew
    from caveat.workflows.stress_parts import Bench


def drop(bench: "Bench") -> "DropAFew":
    """Find how few votes, voters, prompts or made-up votes change the order."""
    from caveat.stats.robustness.drop_a_few import drop_a_few

    options = bench.options
    return drop_a_few(bench.fitted, boundaries=options.boundaries, pairs=options.pairs)
