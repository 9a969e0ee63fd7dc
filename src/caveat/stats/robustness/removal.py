"""Models that stopped appearing, and the board without them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from caveat.errors import InputError
from caveat.kernels import paired
from caveat.kernels.rank_sets import difference_errors
from caveat.results.ranking import Ranking
from caveat.results.stress.removal import GoneModel, Move, Refit, Removal
from caveat.stats.ranking.counting import CountedVotes
from caveat.stats.ranking.fitted import FittedBoard, fit_board, within, without
from caveat.stats.robustness.appearances import Appearances, Daily, appearances

Floats = npt.NDArray[np.float64]

MIN_DAYS = 30
MIN_SHARE = 0.05
MIN_EXPECTED = 10.0
MIN_VOTES = 10
"""What counts as gone; see `caveat.results.stress.removal.Removal`."""
LISTED = 20
RETIRED = frozenset(
    {
        *("retired", "removed", "deprecated", "withdrawn", "discontinued", "inactive", "hidden"),
        *("delisted", "legacy", "offline", "decommissioned", "sunset"),
    }
)
"""Words of a `status` that say a model was taken off."""
NOT_RETIRED = frozenset({"", "false", "no", "0", "none"})


def removal(
    board: Ranking,
    fitted: FittedBoard,
    *,
    models: Mapping[str, Mapping[str, Any]],
    shown: Appearances | None = None,
) -> Removal:
    """Find models that were taken off, and refit the board without them.

    A model is gone when it is declared retired, or when the votes go on without it: no vote for
    more than 30 days and more than 5% of the whole time, in which at its earlier share it would
    have had 10 votes or more. Ratings of the others stand on votes against models that are gone; on
    a board that fits perfectly that changes nothing, on a real one it does.

    Parameters
    ----------
    board : Ranking
    fitted : FittedBoard
        Its fit, with the source of its votes.
    models : mapping of str to mapping
        What a table of models declares; `status`, `retired` and `provider` are read.
    shown : Appearances, optional
        Of these votes, where they are counted already.

    Returns
    -------
    Removal

    Raises
    ------
    InputError
        If neither the votes hold times nor a model is declared retired.

    References
    ----------
    Singh et al. (2025), "The Leaderboard Illusion", section 5, https://arxiv.org/abs/2504.20879.
    """
    source = fitted.votes.source
    if shown is None:
        shown = _undated(fitted.votes) if source is None else appearances(source)
    daily = shown.daily
    if daily is None and not any(_declared(models.get(name, {}))[1] for name in shown.models):
        raise InputError(
            "votes must hold times (`at`), or a table of models the `status` of those that are "
            "gone, got neither"
        )
    gone = _gone(shown, daily, board, models)
    states = (_declared(models.get(name, {})) for name in shown.models)
    return Removal(
        start=None if daily is None else daily.date(0),
        end=None if daily is None else daily.date(-1),
        n_models=len(shown.models),
        n_undated=round(shown.undated),
        declared=any(status is not None for status, _ in states),
        gone=gone,
        refit=_refit(fitted, {m.model for m in gone}, board.critical) if gone else None,
        min_days=float(MIN_DAYS),
        min_share=MIN_SHARE,
        min_expected=MIN_EXPECTED,
        min_votes=float(MIN_VOTES),
    )


def _undated(votes: CountedVotes) -> Appearances:
    cells, m = votes.cells, len(votes.models)
    number = np.bincount(cells.a, cells.count, m) + np.bincount(cells.b, cells.count, m)
    shown = np.asarray(number, dtype=np.float64)
    return Appearances(votes.models, shown, cells.n_votes, cells.n_votes, None)


def _declared(row: Mapping[str, Any]) -> tuple[str | None, bool]:
    """Return what a table says of a model's being there, and whether that is that it is gone."""
    status, retired = row.get("status"), row.get("retired")
    if retired is not None and str(retired).strip().casefold() not in NOT_RETIRED:
        return str(status or f"retired: {retired}"), True
    if status is None:
        return (None if retired is None else "not retired"), False
    words = set(str(status).casefold().replace("-", " ").replace("_", " ").split())
    return str(status), bool(words & RETIRED) and "not" not in words


def _gone(
    shown: Appearances,
    daily: Daily | None,
    board: Ranking,
    models: Mapping[str, Mapping[str, Any]],
) -> tuple[GoneModel, ...]:
    number = shown.number
    silent, expected, gone = _silence(daily, number)
    ranks = {m.model: k for k, m in enumerate(board.models, start=1) if m.tier is not None}
    found = []
    for i, name in enumerate(shown.models):
        row = models.get(name, {})
        status, retired = _declared(row)
        if not (retired or gone[i]):
            continue
        dated = daily is not None and silent[i] >= 0
        found.append(
            GoneModel(
                model=name,
                provider=row.get("provider") or None,
                status=status,
                retired=retired,
                last=daily.date(int(daily.last[i])) if daily and dated else None,
                days_silent=int(silent[i]) if dated else None,
                expected=float(expected[i]),
                n_votes=round(float(number[i])),
                rank=ranks.get(name),
            )
        )
    return tuple(sorted(found, key=lambda m: (-m.n_votes, m.model)))


def _silence(
    daily: Daily | None, number: Floats
) -> tuple[npt.NDArray[np.int64], Floats, npt.NDArray[np.bool_]]:
    """Days since each model's last vote, votes it missed, and whether that makes it gone."""
    m = number.size
    if daily is None:
        return np.full(m, -1), np.full(m, np.nan), np.zeros(m, dtype=bool)
    first, last = daily.first, daily.last
    until = np.concatenate([[0.0], np.cumsum(daily.votes)])
    while_there, since = until[last + 1] - until[np.maximum(first, 0)], until[-1] - until[last + 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        # One vote less: the last vote is where the time on the board was cut.
        expected = np.maximum(daily.shown.sum(axis=1) - 1.0, 0.0) / while_there * since
    silent = np.where(last >= 0, daily.days[-1] - daily.days[last], -1)
    gone = (silent > max(MIN_DAYS, MIN_SHARE * daily.span)) & (number >= MIN_VOTES)
    return silent, expected, gone & (expected >= MIN_EXPECTED)


def _refit(fitted: FittedBoard, gone: set[str], critical: float) -> Refit | None:
    """Fit the votes between those that stay, and compare the order of those rated twice."""
    votes = fitted.votes
    stay = np.array([k for k, name in enumerate(votes.models) if name not in gone], dtype=np.intp)
    if stay.size < 2:
        return None
    cells = within(votes.cells, stay)
    if not cells.a.size:
        return None
    left = without(replace(votes, models=tuple(votes.models[k] for k in stay)), cells)
    try:
        again = fit_board(left, method=fitted.method, position=fitted.position)
    except InputError:  # without the gone there may be too few ties to model
        again = fit_board(left, position=fitted.position)
    both = [name for name in again.names if name in fitted.names]
    if len(both) < 2:
        return None
    n_lost = sum(name not in again.names for name in fitted.names if name not in gone)
    return _compared(fitted, again, both, n_lost=n_lost, critical=critical)


def _compared(
    fitted: FittedBoard, again: FittedBoard, both: list[str], *, n_lost: int, critical: float
) -> Refit:
    before, sure_before = _standing(fitted, both, critical)
    after, sure_after = _standing(again, both, critical)
    i, j = np.triu_indices(len(both), 1)
    swapped = (before[i] - before[j]) * (after[i] - after[j]) < 0
    certain = (sure_before | sure_after)[i, j]
    old, new = (_order(rating, both) for rating in (before, after))
    places = [(name, old.index(name) + 1, new.index(name) + 1) for name in both]
    moved = sorted(
        (Move(model=m, before=x, after=y) for m, x, y in places if x != y),
        key=lambda move: (-abs(move.after - move.before), move.before),
    )
    return Refit(
        n_models=len(both),
        n_votes=round(again.cells.n_votes),
        n_lost=n_lost,
        tau=1.0 - 2.0 * float(swapped.mean()),
        swapped=int(swapped.sum()),
        swapped_separable=int((swapped & certain).sum()),
        leader_before=old[0],
        leader_after=new[0],
        moves=tuple(moved[:LISTED]),
    )


def _standing(
    board: FittedBoard, names: list[str], critical: float
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Ratings of some models, and which pairs of them are certainly apart."""
    place = np.array([board.names.index(name) for name in names])
    theta, m = board.fit.theta[place], len(board.names)
    covariance = paired.sandwich(board.cells, board.fit)[:m, :m]
    errors = difference_errors(covariance)[np.ix_(place, place)]
    with np.errstate(invalid="ignore"):
        apart = np.abs(theta[:, None] - theta[None, :]) / errors > critical
    return theta, np.asarray(apart)


def _order(rating: Floats, names: list[str]) -> list[str]:
    return [names[k] for k in sorted(range(len(names)), key=lambda k: (-rating[k], names[k]))]
