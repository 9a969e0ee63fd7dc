"""From votes to a board."""

from dataclasses import replace
from typing import TYPE_CHECKING

from caveat.workflows.options import DEFAULTS, Options
from caveat.workflows.read import Sources, read

if TYPE_CHECKING:
    from caveat.data.evidence import Evidence
    from caveat.results.ranking import Ranking
    from caveat.stats.ranking.fitted import FittedBoard

COLUMNS = frozenset({"count", "weight", "battle", "turn", "item", "voter", "judge"})
"""What a board needs besides models and outcome: counts, the key that finds duplicates, and what
votes may share."""


def rank(votes: Sources, *, options: Options = DEFAULTS) -> "Ranking":
    """Rate models from votes, with rank intervals and tiers.

    Parameters
    ----------
    votes
        Anything `caveat.read_votes` takes, or what it returned.
    options : Options
        `method` and its settings, `anchor`, `cluster`, `level`, `bootstrap`, `seed` and how to
        read.

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
    columns = COLUMNS | {options.cluster} if options.cluster else COLUMNS
    evidence = read(votes, kind="votes", options=options, columns=columns)["votes"]
    return rank_fitted(evidence, options=options)[0]


def rank_fitted(votes: "Evidence", *, options: Options) -> "tuple[Ranking, FittedBoard]":
    """Rate models, and return the fit beside the board."""
    from caveat.stats.ranking.counting import count_votes
    from caveat.stats.ranking.dependence import dependence
    from caveat.stats.ranking.fitted import fit_board
    from caveat.stats.ranking.judges import judges
    from caveat.stats.ranking.rate import rate_fitted

    options.tell("rating models")
    fitted = fit_board(count_votes(votes), method=options.method, position=options.position)
    board = rate_fitted(fitted, anchor=options.anchor, errors=options.errors)
    full = replace(
        board,
        dependence=dependence(board, fitted),
        judges=judges(votes, board),
        provenance=votes.provenance,
    )
    return full, fitted
