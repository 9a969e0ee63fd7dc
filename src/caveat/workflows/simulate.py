"""Attacks on a board, simulated."""

from typing import TYPE_CHECKING

from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.rank import COLUMNS, rank_fitted
from caveat.workflows.read import Sources, read

if TYPE_CHECKING:
    from caveat.results.provenance import Provenance
    from caveat.results.stress.rigging_simulation import RiggingSimulation
    from caveat.stats.robustness.rigging_simulator import Attack, Scene


def simulate_rigging(
    votes: Sources,
    *,
    target: str | None = None,
    attack: "Attack | None" = None,
    scene: "Scene | None" = None,
    options: Options = DEFAULTS,
) -> "tuple[RiggingSimulation, Provenance]":
    """Simulate voters who rig a board for one model, among honest ones.

    Parameters
    ----------
    votes
        Anything `caveat.read_votes` takes, or what it returned.
    target : str, optional
        Model to lift; the runner-up where absent.
    attack : Attack, optional
    scene : Scene, optional
    options : Options
    """
    evidence = read(votes, kind="votes", options=options, columns=COLUMNS)["votes"]
    from caveat.errors import TooFewError
    from caveat.stats.robustness.rigging_simulator import simulate_rigging as run

    board, fitted = rank_fitted(evidence, options=options)
    if board.lead is None:
        raise TooFewError("rated models", got=0, need=2)
    options.tell("simulating rigged votes")
    found = run(
        fitted,
        target=target or board.lead.runner_up,
        attack=attack,
        scene=scene,
        seed=options.seed,
    )
    return found, evidence.provenance
