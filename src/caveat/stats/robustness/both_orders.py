"""Verdicts on the same answers in both orders: what turns with the order, and the board without."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from caveat.data.evidence import Evidence
from caveat.data.keys import codes_of, combine
from caveat.errors import CaveatError, InputError
from caveat.kernels.both_orders import both_orders as kernel
from caveat.results.board_change import BoardChange
from caveat.results.ranking import Ranking
from caveat.results.stress.position import BothOrders
from caveat.stats.ranking.board_change import board_change
from caveat.stats.ranking.counting import count_votes
from caveat.stats.ranking.fitted import FittedBoard, fit_board
from caveat.stats.ranking.rate import PLAIN, Errors, rate_fitted
from caveat.stats.ranking.rated_votes import RatedVotes, has_values, votes_between
from caveat.stats.ranking.scale import POINTS

Ints = npt.NDArray[np.int64]
WHO = ("judge", "voter")
"""Columns of who judged."""
UNIT = "caveat_unit"
"""Name of the column of units in the table of averaged verdicts; no source has it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """The same two answers before the same judge.

    Attributes
    ----------
    rows : int array, shape (n,)
        Rows of the table that are votes between rated models on a known item.
    unit : int array, shape (n,)
        Unit of each of these rows, from 0.
    order : int array, shape (n,)
        0 where the model of the lower code is shown first, else 1.
    votes : float array, shape (u, 2)
        Votes of each unit in each order.
    """

    rows: Ints
    unit: Ints
    order: Ints
    votes: npt.NDArray[np.float64]


def both_orders(
    board: FittedBoard, before: Ranking, *, anchor: str | None = None, errors: Errors = PLAIN
) -> BothOrders:
    """Compare verdicts on the same answers in both orders.

    Use it for judges that saw the two answers twice, once in each order: whatever turns with the
    order is no judgement of the answers.

    Parameters
    ----------
    board : FittedBoard
        With its source, whose order of display is known.
    before : Ranking
        The board as voted.
    anchor : str, optional
    errors : Errors
        Its level and seed are used.

    Returns
    -------
    BothOrders

    Raises
    ------
    InputError
        If votes name no item, or no two answers were judged once in each order by the same judge.

    References
    ----------
    McNemar (1947), https://doi.org/10.1007/BF02295996; Zheng et al. (2023),
    https://arxiv.org/abs/2306.05685.
    """
    source = board.votes.source
    if source is None or not has_values(source.table, "item"):
        raise InputError("votes name no item")
    votes = votes_between(source.table, board.names, theta=board.fit.theta)
    units = _units(source.table, votes)
    paired = (units.votes == 1.0).all(axis=1)
    if not paired.any():
        raise InputError("no judge judged the same two answers once in each order")
    first, second, item = _verdicts(source.table, votes, units, paired)
    found = kernel(first, second, cluster=item, level=errors.level)
    both = np.asarray((units.votes > 0).all(axis=1))
    return BothOrders(
        n_pairs=int(paired.sum()),
        n_repeated=int((both & ~paired).sum()),
        n_single=int((~both).sum()),
        consistent=found.consistent,
        consistent_low=found.low,
        consistent_high=found.high,
        same_model=int(found.table[0, 1] + found.table[1, 0]),
        same_tie=int(found.table[2, 2]),
        first_both=found.first_both,
        second_both=found.second_both,
        first_half=found.first_half,
        second_half=found.second_half,
        p=found.p,
        advantage=POINTS * found.advantage,
        low=POINTS * found.advantage_low,
        high=POINTS * found.advantage_high,
        cluster="item" if item is not None else None,
        n_clusters=found.n_clusters,
        change=_averaged(board, source, units, both, before, anchor=anchor, errors=errors),
    )


def _units(table: "pa.Table", votes: RatedVotes) -> _Units:
    """Votes on one item, on the same two models, by the same judge at the same turn."""
    rows = np.flatnonzero(votes.rows)
    names = [name for name in (*WHO, "item", "turn") if has_values(table, name)]
    known = codes_of(table["item"])[rows] > 0
    key, _ = combine([table[name] for name in names])
    low, high = np.minimum(votes.a, votes.b), np.maximum(votes.a, votes.b)
    m = int(max(high.max(initial=0) + 1, 1))
    pair = low.astype(np.int64) * m + high
    _, who = np.unique(key[rows[known]], return_inverse=True)
    _, unit = np.unique(who.astype(np.int64) * m * m + pair[known], return_inverse=True)
    order = (votes.a > votes.b)[known].astype(np.int64)
    count = None if votes.count is None else votes.count[known]
    number = int(unit.max(initial=-1)) + 1
    cast = np.bincount(unit * 2 + order, weights=count, minlength=2 * number)
    return _Units(rows[known], unit, order, cast.astype(np.float64).reshape(number, 2))


def _verdicts(
    table: "pa.Table", votes: RatedVotes, units: _Units, paired: npt.NDArray[np.bool_]
) -> tuple[Ints, Ints, Ints | None]:
    """Outcomes of each pair of verdicts in both orders, and its item where items are shared."""
    place = np.zeros(votes.rows.size, dtype=np.int64)
    place[np.flatnonzero(votes.rows)] = np.arange(votes.a.size)
    outcome = np.full((2, paired.size), -1, dtype=np.int64)
    outcome[units.order, units.unit] = votes.outcome[place[units.rows]]
    item = np.zeros(paired.size, dtype=np.int64)
    item[units.unit] = codes_of(table["item"])[units.rows]
    _, code = np.unique(item[paired], return_inverse=True)
    shared = int(code.max(initial=0)) + 1 < code.size
    return outcome[0, paired], outcome[1, paired], code if shared else None


def _averaged(
    board: FittedBoard,
    source: Evidence,
    units: _Units,
    both: npt.NDArray[np.bool_],
    before: Ranking,
    *,
    anchor: str | None,
    errors: Errors,
) -> BoardChange | None:
    """Board in which a unit is one vote: half of it each order, however often it was judged."""
    kept = both[units.unit]
    rows, unit, order = units.rows[kept], units.unit[kept], units.order[kept]
    table = source.table.take(pa.array(rows))
    share = 0.5 / units.votes[unit, order]
    if "weight" in table.column_names:
        place = table.column_names.index("weight")
        own = np.nan_to_num(table["weight"].to_numpy().astype(np.float64), nan=1.0)
        table, share = table.remove_column(place), share * own
    table = table.append_column("weight", pa.array(share)).append_column(UNIT, pa.array(unit))
    try:
        once = fit_board(
            count_votes(replace(source, table=table, places=None)), method=board.method
        )
        after = rate_fitted(
            once,
            anchor=anchor if anchor in once.names else None,
            errors=replace(errors, cluster=UNIT, bootstrap=0),
        )
        return board_change(before, after)
    except CaveatError:
        return None
