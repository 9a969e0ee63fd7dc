"""RNK215: what going first is worth."""

import runpy
from pathlib import Path

from caveat.results.ranking import Position
from caveat.results.stress.position import BothOrders, FirstShown

STYLE = runpy.run_path(str(Path(__file__).parent / "planted_style.py"))


def pairs(make, *, consistent=0.9, half=0.02, change=None):
    return BothOrders(
        n_pairs=1000,
        n_repeated=0,
        n_single=0,
        consistent=consistent,
        consistent_low=consistent - half,
        consistent_high=consistent + half,
        same_model=round(900 * consistent),
        same_tie=round(100 * consistent),
        first_both=60,
        second_both=20,
        first_half=10,
        second_half=10,
        p=1e-5,
        advantage=95.0,
        low=60.0,
        high=130.0,
        cluster="item",
        n_clusters=200,
        change=change,
    )


def position(make, *, points=40.0, half=8.0, both=None, **changes):
    advantage = Position(
        advantage=points, se=half / 2, low=points - half, high=points + half, win_probability=0.56
    )
    return FirstShown(
        method="bradley-terry",
        advantage=advantage,
        cluster="item",
        n_clusters=200,
        turned_share=0.4,
        n_decisive=2000,
        first_share=0.56,
        change=STYLE["change"](make, **changes),
        both_orders=both,
        why_not="" if both else "votes name no item",
        level=0.95,
    )


def planted(make):
    """Pairs by code."""
    under = STYLE["under"]
    return {
        "RNK215": make.Planted(
            under(make, position(make)),
            under(make, position(make, points=9.0)),
        ),
    }
