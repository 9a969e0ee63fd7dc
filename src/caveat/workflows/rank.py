"""From votes to a board."""

from dataclasses import replace
from typing import TYPE_CHECKING, cast, get_args

from caveat import _validate
from caveat.errors import InputError
from caveat.workflows.options import DEFAULTS, Likelihood, Options
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
    if options.method not in get_args(Likelihood):
        return _by_system(votes, options)
    named = {name for name in (options.cluster, options.by) if name}
    columns = None if options.control else COLUMNS | named
    evidence = read(votes, kind="votes", options=options, columns=columns)["votes"]
    board, fitted = rank_fitted(evidence, options=options)
    if options.control:
        board = _controlled(board, fitted, options)
    if options.by:
        from caveat.stats.ranking.by_category import by_category

        options.tell(f"rating models by {options.by}")
        found = by_category(fitted, options.by, anchor=options.anchor, errors=options.errors)
        board = replace(board, categories=found)
    return board


def _controlled(board: "Ranking", fitted: "FittedBoard", options: Options) -> "Ranking":
    """Rate again with paired columns held equal."""
    from caveat.stats.ranking.controlled import fit_controlled, rate_controlled
    from caveat.stats.ranking.controlled_dependence import controlled_dependence

    options.tell("holding style equal")
    held = fit_controlled(fitted, columns=options.controlled, contrast=options.contrast)
    made = rate_controlled(held, anchor=options.anchor, errors=options.errors)
    return replace(
        made,
        dependence=controlled_dependence(made, held),
        judges=board.judges,
        provenance=board.provenance,
    )


def _by_system(votes: Sources, options: Options) -> "Ranking":
    evidence = read(votes, kind="votes", options=options, columns=COLUMNS | {"at"})["votes"]
    from caveat.data.evidence import told
    from caveat.stats.ranking.counting import count_votes
    from caveat.stats.ranking.judges import judges
    from caveat.stats.ranking.sequence import order_notices
    from caveat.stats.ranking.systems import rate_by

    options.tell("rating models")
    if options.position:
        raise InputError(f"position must be off for {options.method}")
    for name in ("control", "by"):
        if getattr(options, name):
            raise InputError(f"{name} must be off for {options.method}")
    board = rate_by(
        options.method,
        count_votes(evidence),
        settings=options.systems,
        anchor=options.anchor,
        errors=options.errors,
    )
    for notice in order_notices(board):
        evidence = told(evidence, notice)
    return replace(board, judges=judges(evidence, board), provenance=evidence.provenance)


def rank_fitted(votes: "Evidence", *, options: Options) -> "tuple[Ranking, FittedBoard]":
    """Rate models by a likelihood model, and return the fit beside the board.

    Raises
    ------
    InputError
        If the method is another rating system, or does not fit the votes.
    """
    from caveat.stats.ranking.counting import count_votes
    from caveat.stats.ranking.dependence import dependence
    from caveat.stats.ranking.fitted import fit_board
    from caveat.stats.ranking.judges import judges
    from caveat.stats.ranking.rate import rate_fitted

    options.tell("rating models")
    _validate.choice("method", options.method, get_args(Likelihood))
    method = cast("Likelihood", options.method)
    fitted = fit_board(count_votes(votes), method=method, position=options.position)
    board = rate_fitted(fitted, anchor=options.anchor, errors=options.errors)
    full = replace(
        board,
        dependence=dependence(board, fitted),
        judges=judges(votes, board),
        provenance=votes.provenance,
    )
    return full, fitted
