"""What it is worth to be shown first."""

from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.board_change import BoardChange
from caveat.results.ranking import Position
from caveat.results.stress.style import change_dict


@dataclass(frozen=True, slots=True, kw_only=True)
class BothOrders:
    """Verdicts of one judge on the same two answers, shown once in each order.

    Attributes
    ----------
    n_pairs : int
        Pairs of such verdicts.
    n_repeated : int
        Answers judged more than once in an order, which make no such pair.
    n_single : int
        Answers judged in one order only.
    consistent, consistent_low, consistent_high : float
        Share of pairs with the same verdict in both orders.
    same_model, same_tie : int
        Pairs in which the same model won both times, and in which neither did.
    first_both, second_both : int
        Pairs in which whatever was shown first, or second, won both times.
    first_half, second_half : int
        Pairs with one win of the first, or second, and one tie.
    p : float
        Exact two-sided sign test over the pairs whose verdict turns with the order.
    advantage, low, high : float
        Of the answer shown first, in points, from `first_both` and `second_both` alone: strengths
        cancel. nan where none or all of these go one way; limits may then be infinite.
    cluster : str or None
        What pairs share in the intervals; None where each counts by itself.
    n_clusters : int
    change : BoardChange or None
        From the board as voted to one in which each judge's verdicts on the same two answers count
        once, the two orders averaged; None where fewer than two models are rated so.
    """

    n_pairs: int
    n_repeated: int
    n_single: int
    consistent: float
    consistent_low: float
    consistent_high: float
    same_model: int
    same_tie: int
    first_both: int
    second_both: int
    first_half: int
    second_half: int
    p: float
    advantage: float
    low: float
    high: float
    cluster: str | None
    n_clusters: int
    change: BoardChange | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstShown:
    """The advantage of the answer shown first, and the board without it.

    Attributes
    ----------
    method : str
    advantage : Position
        From the fit, beside the ratings.
    cluster : str or None
        Column whose votes count together in its error: the one that makes it largest.
    n_clusters : int or None
    turned_share : float
        Share of the votes that stand in the rarer order of their two models: what the advantage is
        told apart by, at most 0.5.
    n_decisive : int
        Votes for either model.
    first_share : float
        Share of them that the model shown first won.
    change : BoardChange
        From the board without the advantage in the model to the board with it.
    both_orders : BothOrders or None
        None where no answers were judged in both orders.
    why_not : str
        Why `both_orders` is None; empty where it is not.
    level : float
    """

    method: str
    advantage: Position
    cluster: str | None
    n_clusters: int | None
    turned_share: float
    n_decisive: int
    first_share: float
    change: BoardChange
    both_orders: BothOrders | None
    why_not: str = ""
    level: float

    @property
    def clear(self) -> bool:
        """Whether the advantage is told apart from none."""
        return not self.advantage.low <= 0.0 <= self.advantage.high

    def to_dict(self) -> dict[str, Any]:
        """Return it under the names it has in `caveat stress --json`."""
        made = to_plain(self)
        made["change"] = change_dict(self.change)
        if self.both_orders is not None and self.both_orders.change is not None:
            made["both_orders"]["change"] = change_dict(self.both_orders.change)
        return {"position": made}
