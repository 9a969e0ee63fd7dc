"""Where a caveat stands on the page, so that others can link to it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from caveat.results.caveat import Caveat


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedCaveat:
    """A caveat and its id on the page: its code, with a number from the second one on."""

    id: str
    caveat: Caveat


def placed_caveats(caveats: Sequence[Caveat]) -> tuple[PlacedCaveat, ...]:
    """Give each caveat its id, in their order."""
    seen: Counter[str] = Counter()
    placed = []
    for caveat in caveats:
        seen[caveat.code] += 1
        number = f"-{seen[caveat.code]}" if seen[caveat.code] > 1 else ""
        placed.append(PlacedCaveat(id=f"{caveat.code}{number}", caveat=caveat))
    return tuple(placed)
