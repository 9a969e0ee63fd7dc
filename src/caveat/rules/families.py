"""What the three letters of a code stand for."""

from collections.abc import Mapping
from types import MappingProxyType

FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "DAT": "the data itself: gaps, repeats, fills, items that cannot be answered",
        "RNK": "rankings from votes: which ranks are real, what holds the board together",
        "AGR": "agreement: what equal scores hide",
        "CST": "cost: what is known of prices",
    }
)
