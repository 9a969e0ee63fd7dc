"""What ties the rated models to each other."""

import numpy as np
import numpy.typing as npt

from caveat._blas import single_threaded
from caveat.errors import TooFewError
from caveat.kernels import paired
from caveat.kernels.connections import Network, cut_models, network, path, weakest_split
from caveat.results.stress.connections import Comparison, Connections, Holder, WeakSplit
from caveat.stats.ranking.fitted import FittedBoard
from caveat.stats.robustness.appearances import Appearances, appearances

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

TOP = 10
"""Best models whose comparisons are taken apart."""
EVEN = 0.25
"""Information that one vote between two equals holds, without ties."""


def connections(
    fitted: FittedBoard, *, top: int = TOP, shown: Appearances | None = None
) -> Connections:
    """Say what ties models together: how much is direct, and what it hangs on.

    Use it where models came and went, or were not drawn against each other at random. An order that
    hangs on a few models in between is as good as these models' ratings are stable.

    Parameters
    ----------
    fitted : FittedBoard
    top : int
        Best models whose comparisons are listed.
    shown : Appearances, optional
        Of these votes, where they are counted already.

    Returns
    -------
    Connections

    Raises
    ------
    TooFewError
        If fewer than three models are rated.
    InputError
        If `at` holds something else than times.

    References
    ----------
    Klein and Randic (1993), https://doi.org/10.1007/BF01164627; Koenig, Krahn and Binder (2013),
    https://doi.org/10.1002/sim.6001; Singh et al. (2025), https://arxiv.org/abs/2504.20879.
    """
    m = len(fitted.names)
    if m < 3:
        raise TooFewError("rated models", got=m, need=3)
    votes = _square(fitted, fitted.units.n_votes)
    at = paired.evaluate(fitted.units, fitted.fit.parameters, ties=fitted.fit.ties)
    together = _together(fitted, shown)
    order = sorted(range(m), key=lambda k: (-fitted.fit.theta[k], fitted.names[k]))
    with single_threaded():
        board = network(_square(fitted, at.eta_eta))
        compared = [
            _comparison(fitted, board, votes, together, order, i, j)
            for i in range(min(top, m))
            for j in range(i + 1, min(top, m))
        ]
        split = weakest_split(votes)
    above = np.triu_indices(m, 1)
    return Connections(
        n_models=m,
        n_pairs=m * (m - 1) // 2,
        n_met=int((votes[above] > 0).sum()),
        n_disjoint=None if together is None else int((together[above] == 0).sum()),
        split=None
        if split is None
        else WeakSplit(
            models=tuple(fitted.names[k] for k in order if k in set(split.members.tolist())),
            n_others=m - split.members.size,
            across=round(split.across),
            share=split.share,
        ),
        holders=_holders(fitted, votes),
        top=min(top, m),
        comparisons=tuple(sorted(compared, key=lambda c: (c.worth, c.rank_above, c.rank_below))),
    )


def _square(fitted: FittedBoard, values: Floats) -> Floats:
    """Values of units as a symmetric matrix of models."""
    units, m = fitted.units, len(fitted.names)
    one_way = np.bincount(units.a * m + units.b, values, m * m).reshape(m, m)
    return np.asarray(one_way + one_way.T, dtype=np.float64)


def _together(fitted: FittedBoard, shown: Appearances | None) -> Ints | None:
    """Days on which two rated models were both on the board; shape (m, m)."""
    source = fitted.votes.source
    if shown is None and source is not None:
        shown = appearances(source)
    daily = None if shown is None else shown.daily
    if shown is None or daily is None:
        return None
    place = {name: code for code, name in enumerate(shown.models)}
    rows = np.array([place[name] for name in fitted.names])
    first, last = (daily.days[column[rows]] for column in (daily.first, daily.last))
    days = np.minimum(last[:, None], last[None, :]) - np.maximum(first[:, None], first[None, :]) + 1
    never = daily.first[rows] < 0
    days[never] = days[:, never] = 0
    return np.asarray(np.maximum(days, 0), dtype=np.int64)


def _comparison(
    fitted: FittedBoard,
    board: Network,
    votes: Floats,
    together: Ints | None,
    order: list[int],
    above: int,
    below: int,
) -> Comparison:
    i, j = order[above], order[below]
    found = path(board, i, j)
    most = int(found.through.argmax())
    first, second = divmod(int(np.triu(found.share).argmax()), votes.shape[0])
    names = fitted.names
    return Comparison(
        above=names[i],
        below=names[j],
        rank_above=above + 1,
        rank_below=below + 1,
        n_votes=round(float(votes[i, j])),
        direct=found.direct,
        worth=1.0 / (EVEN * found.resistance),
        through=names[most] if found.through[most] > 0 else None,
        through_share=float(found.through[most]),
        pair=(names[first], names[second]),
        pair_share=float(found.share[first, second]),
        together=None if together is None else int(together[i, j]),
    )


def _holders(fitted: FittedBoard, votes: Floats) -> tuple[Holder, ...]:
    """Models that alone tie at least two others to the rest: one is RNK203's business."""
    found = [
        Holder(model=fitted.names[k], holds=tuple(sorted(fitted.names[i] for i in rest)))
        for k, rest in cut_models(votes > 0)
        if rest.size > 1
    ]
    return tuple(sorted(found, key=lambda h: (-len(h.holds), h.model)))
