"""Stress tests about who was shown, who was picked, what ties models together, and fit."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.results.stress.connections import Connections
    from caveat.results.stress.fit import Fit
    from caveat.results.stress.removal import Removal
    from caveat.results.stress.sampling import Sampling
    from caveat.results.stress.variants import Variants
    from caveat.stats.robustness.appearances import Appearances
    from caveat.workflows.stress_parts import Bench


def _shown(bench: "Bench") -> "Appearances":
    """Count once who was shown on which day."""
    from caveat.stats.robustness.appearances import appearances

    if "shown" not in bench.kept:
        bench.kept["shown"] = appearances(bench.votes)
    found: Appearances = bench.kept["shown"]
    return found


def sampling(bench: "Bench") -> "Sampling":
    """Count votes by model, provider and month."""
    from caveat.stats.robustness.sampling import sampling as run

    return run(bench.votes, models=bench.models, shown=_shown(bench))


def removal(bench: "Bench") -> "Removal":
    """Find models that stopped appearing, and refit without them."""
    from caveat.stats.robustness.removal import removal as run

    return run(bench.board, bench.fitted, models=bench.models, shown=_shown(bench))


def variants(bench: "Bench") -> "Variants":
    """Set the lead and registered variants against luck."""
    from caveat.stats.robustness.variants import variants as run

    registry = bench.options.variants
    return run(bench.board, bench.fitted, models=bench.models, registry=registry)


def connections(bench: "Bench") -> "Connections":
    """Follow what ties models together."""
    from caveat.stats.robustness.connections import connections as run

    return run(bench.fitted, shown=_shown(bench))


def fit(bench: "Bench") -> "Fit":
    """Judge the fit of the ratings, and count cycles."""
    from caveat.stats.robustness.fit import fit as run

    return run(bench.board, bench.fitted, seed=bench.options.seed)
