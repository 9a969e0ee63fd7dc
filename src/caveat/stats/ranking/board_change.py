"""What changes from one board to another."""

import numpy as np

from caveat.errors import TooFewError
from caveat.kernels.kendall import kendall_tau
from caveat.results.board_change import BoardChange, ChangedModel
from caveat.results.ranking import Ranking, RatedModel


def board_change(before: Ranking, after: Ranking) -> BoardChange:
    """Put two boards side by side.

    Parameters
    ----------
    before, after : Ranking
        Of the same models or some of them; with the same anchor, if ratings are to be compared.

    Returns
    -------
    BoardChange
        Over the models rated on both.

    Raises
    ------
    TooFewError
        If fewer than two models are rated on both.

    Examples
    --------
    >>> import caveat
    >>> votes = {"model_a": ["x", "y", "x"], "model_b": ["y", "x", "y"], "winner": ["a", "a", "a"]}
    >>> board = caveat.rank(votes)
    >>> change = board_change(board, board)
    >>> change.tau, change.moves
    (1.0, ())
    """
    old, new = _rated(before), _rated(after)
    both = [name for name in old if name in new]
    if len(both) < 2 or before.lead is None or after.lead is None:
        raise TooFewError("models rated on both boards", got=len(both), need=2)
    place = {name: k for k, name in enumerate(both, start=1)}
    later = {name: k for k, name in enumerate((n for n in new if n in place), start=1)}
    ratings = np.array([[old[name].rating, new[name].rating] for name in both])
    return BoardChange(
        models=tuple(_row(old[name], new[name], place[name], later[name]) for name in both),
        lead=before.lead,
        lead_after=after.lead,
        critical=before.critical,
        critical_after=after.critical,
        first_tier=_first_tier(before),
        first_tier_after=_first_tier(after),
        tau=kendall_tau(ratings[:, 0], ratings[:, 1]),
        n_votes=before.n_votes,
        n_votes_after=after.n_votes,
    )


def _rated(board: Ranking) -> dict[str, RatedModel]:
    return {model.model: model for model in board.models if model.tier is not None}


def _first_tier(board: Ranking) -> tuple[str, ...]:
    return tuple(model.model for model in board.models if model.tier == 1)


def _row(old: RatedModel, new: RatedModel, rank: int, rank_after: int) -> ChangedModel:
    return ChangedModel(
        model=old.model,
        rating=old.rating,
        low=old.low,
        high=old.high,
        rating_after=new.rating,
        low_after=new.low,
        high_after=new.high,
        rank=rank,
        rank_after=rank_after,
        tier=old.tier or 0,
        tier_after=new.tier or 0,
    )
