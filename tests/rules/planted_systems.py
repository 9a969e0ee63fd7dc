"""RNK210 and RNK211: orders of models that the rating system makes, or the order of votes."""

from dataclasses import replace

from caveat.results.stress.stress import Stress
from caveat.results.stress.systems import (
    EloOrders,
    FirstPlace,
    RankSpan,
    SystemOrder,
    SystemsDisagree,
)

TITLES = {
    "bradley-terry": "Bradley-Terry",
    "davidson": "Davidson",
    "trueskill": "TrueSkill",
    "eigenvector": "Eigenvector",
    "win-rate": "Average win rate",
}


def system(method, order="ABCD", **changes):
    base = SystemOrder(
        method=method,
        title=TITLES[method],
        order=tuple(order),
        first=order[0],
        tau=1.0,
        n_models=4,
        complete=True,
        order_dependent=method == "trueskill",
        adjusted=method != "win-rate",
    )
    return replace(base, **changes)


def elo(*orders, shuffles=30):
    """A, B, ... first in so many orders."""
    return EloOrders(
        k=32.0, shuffles=shuffles, first=tuple(zip("ABCD", orders, strict=False)), spread=35.0
    )


def systems(orders=None, *, orders_of_elo=None):
    """Four systems on four models; `orders` replaces the order of some."""
    ranked = {method: "ABCD" for method in TITLES} | (orders or {})
    each = tuple(system(method, order) for method, order in ranked.items())
    firsts = {}
    for one in each:
        firsts.setdefault(one.first, []).append(one.method)
    spans = []
    for model in "ABCD":
        ranks = tuple((one.method, one.order.index(model) + 1) for one in each)
        places = [place for _, place in ranks]
        spans.append(
            RankSpan(model=model, board=places[0], low=min(places), high=max(places), ranks=ranks)
        )
    return SystemsDisagree(
        board="bradley-terry",
        systems=each,
        skipped=(),
        first_places=tuple(
            FirstPlace(model=model, methods=tuple(methods)) for model, methods in firsts.items()
        ),
        spans=tuple(spans),
        elo=orders_of_elo or elo(30),
    )


def under(make, part, **changes):
    """Findings with the part, on a board of four models that are all apart."""
    board = make.board(**changes)
    return make.findings(ranking=board, stress=Stress(board=board, parts=(part,)))


def planted(make):
    def pair(fires, silent):
        return make.Planted(under(make, fires), under(make, silent))

    return {
        # places 2 and 3 swapped are no other first place, and too near to be told
        "RNK210": pair(systems({"win-rate": "BACD"}), systems({"trueskill": "ACBD"})),
        "RNK211": pair(systems(orders_of_elo=elo(27, 3)), systems(orders_of_elo=elo(28, 2))),
    }
