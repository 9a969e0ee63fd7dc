"""From votes to a board."""

from dataclasses import replace
from typing import TYPE_CHECKING

from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources, read

if TYPE_CHECKING:
    from caveat.results.ranking import Ranking

COLUMNS = frozenset({"count", "weight", "battle", "turn", "item", "voter", "judge"})
"""What a board needs besides models and outcome: counts, the key that finds duplicates, and what
votes may share."""


def rank(votes: Sources, *, options: Options = DEFAULTS) -> "Ranking":
    """Rate models by Bradley-Terry from votes, with rank intervals and tiers.

    Parameters
    ----------
    votes
        Anything `caveat.read_votes` takes, or what it returned.
    options : Options
        `level`, `bootstrap`, `seed` and how to read.

    Returns
    -------
    Ranking

    Examples
    --------
    >>> import caveat
    >>> votes = {"model_a": ["x", "y", "x"], "model_b": ["y", "x", "y"], "winner": ["a", "a", "a"]}
    >>> caveat.rank(votes).models[0].model
    'x'
    """
    evidence = read(votes, kind="votes", options=options, columns=COLUMNS)["votes"]
    from caveat.stats.ranking.bradley_terry import rate
    from caveat.stats.ranking.counting import count_votes
    from caveat.stats.ranking.dependence import dependence
    from caveat.stats.ranking.judges import judges

    options.tell("rating models")
    board = rate(
        count_votes(evidence),
        level=options.level,
        bootstrap=options.bootstrap,
        seed=options.seed,
    )
    return replace(
        board,
        dependence=dependence(evidence, board),
        judges=judges(evidence, board),
        provenance=evidence.provenance,
    )
