"""How few votes, voters, prompts or made-up votes carry an order."""

from collections.abc import Sequence

from caveat import _validate
from caveat._blas import single_threaded
from caveat.errors import InputError, TooFewError
from caveat.kernels.contests import Contest
from caveat.results.stress.drop import DropAFew
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.robustness.drop_search import DropSearch

BOUNDARIES = 10


def drop_a_few(
    board: FittedBoard,
    *,
    boundaries: int = BOUNDARIES,
    pairs: Sequence[tuple[str, str]] = (),
) -> DropAFew:
    """Find how few votes, voters, prompts or made-up votes change the first k or turn a pair.

    Use it on any board before its order is believed: a lead that counts by its standard error may
    rest on fewer votes than one person casts in an afternoon.

    Parameters
    ----------
    board : FittedBoard
        With its source, where voters and prompts are to be removed.
    boundaries : int
        Boundaries of the first k to look at, from k = 1 down; 0 for none.
    pairs : sequence of pairs of str
        Rated models whose order is to be turned round, in any order.

    Returns
    -------
    DropAFew
        Every number is at most: it is confirmed by a refit, and fewer may do.

    Raises
    ------
    TooFewError
        If fewer than two models are rated.
    InputError
        If a pair does not name two rated models.

    References
    ----------
    Huang, Shen, Wei and Broderick (2025), https://arxiv.org/abs/2508.11847; Broderick, Giordano and
    Meager (2020), https://arxiv.org/abs/2011.14999.

    Examples
    --------
    >>> import caveat
    >>> from caveat.stats.ranking.counting import count_votes
    >>> from caveat.stats.ranking.fitted import fit_board
    >>> rows = {"model_a": ["x"] * 50, "model_b": ["y"] * 50, "outcome": ["a"] * 30 + ["b"] * 20}
    >>> found = drop_a_few(fit_board(count_votes(caveat.read_votes(rows))))
    >>> first = found.first_place
    >>> first.by("votes").number, first.by("fabricated").number
    (11, 11)
    """
    if len(board.names) < 2:
        raise TooFewError("rated models", got=len(board.names), need=2)
    _validate.at_least("boundaries", boundaries, 0)
    asked = contests_of(board, pairs)
    with single_threaded():
        search = DropSearch(board, boundaries, asked)
        rows = search.rows()
    return DropAFew(
        method=board.method,
        n_models=len(board.names),
        n_votes=round(board.cells.n_votes),
        n_voters=search.number("voters"),
        n_prompts=search.number("prompts"),
        unnamed_voters=search.unnamed("voters"),
        unnamed_prompts=search.unnamed("prompts"),
        prompt_column=search.columns.get("prompts"),
        weighted=board.votes.weighted,
        rows=rows,
        reasons=search.reasons,
    )


def contests_of(board: FittedBoard, pairs: Sequence[tuple[str, str]]) -> list[Contest]:
    """Turn pairs of names into contests, the model rated above first.

    Raises
    ------
    InputError
        If a pair does not name two rated models.
    """
    found = []
    for pair in pairs:
        for name in pair:
            if name not in board.names:
                why = "it has no rating" if name in board.votes.models else "no vote names it"
                raise InputError(f"pair must name two rated models, got {name!r}: {why}")
        if pair[0] == pair[1]:
            raise InputError(f"pair must name two models, got {pair[0]!r} twice")
        above, below = sorted(pair, key=lambda name: (-board.fit.theta[board.code(name)], name))
        found.append(Contest(board.code(above), board.code(below)))
    return found
