"""Comparisons that several judges made."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.data.column_arrays import codes
from caveat.data.keys import codes_of
from caveat.errors import TooFewError
from caveat.kernels.matched import Matched, match
from caveat.kernels.means import column_means
from caveat.results.stress.judging import OwnPreference
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.ranking.rated_votes import has_values, votes_between
from caveat.stats.robustness.kinship import Kin

Ints = npt.NDArray[np.int64]

ENOUGH = 20
"""Comparisons below which a judge's own preference is not told."""
SAME_ORDER = 0.5
"""Share of the matched comparisons that must remain when the order has to be the same as well."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Comparisons that at least two judges made; arrays of shape (c,).

    Attributes
    ----------
    found : Matched
        Verdict 0 is for the model of the lower code.
    item : int array
        Codes from 0.
    low, high : int array
        The two models, by their place on the board.
    on : tuple of str
        What makes two votes one comparison.
    """

    found: Matched
    item: Ints
    low: Ints
    high: Ints
    on: tuple[str, ...]


def judge_codes(board: FittedBoard, judges: tuple[str, ...]) -> Ints:
    """Place of each row's judge in `judges`, -1 for others; shape (rows of the source,)."""
    source = board.votes.source
    assert source is not None  # noqa: S101 - the caller checked, this is for mypy
    code, names = codes(source.table, "judge")
    place = {judge: k for k, judge in enumerate(judges)}
    lookup = np.array([*(place.get(name, -1) for name in names), -1], dtype=np.int64)
    return np.asarray(lookup[code])


def comparisons_of(board: FittedBoard, judges: tuple[str, ...]) -> Comparisons | None:
    """Match votes on one item and the same two models.

    In the same order as well, where that is known and at least half of the comparisons remain.

    Parameters
    ----------
    board : FittedBoard
        With its source.
    judges : tuple of str

    Returns
    -------
    Comparisons or None
        None where votes name no item.
    """
    source = board.votes.source
    if source is None or not has_values(source.table, "item"):
        return None
    votes = votes_between(source.table, board.names, theta=board.fit.theta)
    judge = judge_codes(board, judges)[votes.rows]
    item = codes_of(source.table["item"])[votes.rows]
    keep = (judge >= 0) & (item > 0)
    a, b, judge, item = votes.a[keep], votes.b[keep], judge[keep], item[keep]
    outcome = np.minimum(votes.outcome[keep], 2)
    turned, low, high = a > b, np.minimum(a, b), np.maximum(a, b)
    verdict = np.where((outcome < 2) & turned, 1 - outcome, outcome)
    key = (item * len(board.names) + low) * len(board.names) + high
    count = None if votes.count is None else votes.count[keep]
    found = match(key, judge, verdict, n_judges=len(judges), count=count)
    on: tuple[str, ...] = ("item", "models")
    if source.order_known:
        ordered = match(key * 2 + turned, judge, verdict, n_judges=len(judges), count=count)
        if ordered.first_row.size >= SAME_ORDER * found.first_row.size:
            found, on = ordered, ("item", "models", "order")
    rows = found.first_row
    return Comparisons(
        found=found,
        item=np.unique(item[rows], return_inverse=True)[1],
        low=low[rows].astype(np.int64),
        high=high[rows].astype(np.int64),
        on=on,
    )


def own_preference(
    comparisons: Comparisons,
    judge: int,
    others: list[int],
    own: npt.NDArray[np.bool_],
    *,
    kinship: Kin,
    reference: str,
    level: float,
) -> OwnPreference:
    """Compare what a judge and others give to the judge's own models, comparison by comparison.

    Parameters
    ----------
    comparisons : Comparisons
    judge : int
    others : list of int
        Judges it is held against, their votes taken together.
    own : bool array, shape (m,)
        Its own models.
    kinship : Kin
        How they were recognised.
    reference : str
        What the others are called.
    level : float

    Returns
    -------
    OwnPreference

    Raises
    ------
    TooFewError
        If fewer than 20 comparisons of these models with others were judged by both.
    """
    found = comparisons.found
    reference_votes = found.votes[others].sum(axis=0)
    one_own = own[comparisons.low] != own[comparisons.high]
    where = found.made(judge) & (reference_votes.sum(axis=1) > 0) & one_own
    n = int(where.sum())
    if n < ENOUGH:
        what = f"comparisons of its own models with others, judged by {reference} as well"
        raise TooFewError(what, got=n, need=ENOUGH)
    first = own[comparisons.low][where]
    mine = _score(found.votes[judge, where], first)
    theirs = _score(reference_votes[where], first)
    mean = column_means(
        (mine - theirs)[:, None],
        cluster=np.unique(comparisons.item[where], return_inverse=True)[1],
        level=level,
    )
    return OwnPreference(
        models=kinship.models,
        how=kinship.how,
        reference=reference,
        n=n,
        share=float(mine.mean()),
        reference_share=float(theirs.mean()),
        difference=float(mean.mean[0]),
        low=float(mean.low[0]),
        high=float(mean.high[0]),
    )


def _score(votes: npt.NDArray[np.float64], first: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Share of points that votes give to the first model, or to the second; ties as half."""
    won = np.where(first, votes[:, 0], votes[:, 1])
    return np.asarray((won + votes[:, 2] / 2.0) / votes.sum(axis=1), dtype=np.float64)
