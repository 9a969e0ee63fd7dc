"""What the board would be at equal style of the answers."""

from dataclasses import dataclass
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.board_change import BoardChange
from caveat.results.control import Controls


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The board with and without control, on the same votes.

    Attributes
    ----------
    method : str
    controls : Controls
        What a typical difference is worth; errors by the clusters that make them largest.
    change : BoardChange
        From the board without control to the board with it, both with each vote an independent
        unit.
    """

    method: str
    controls: Controls
    change: BoardChange

    def to_dict(self) -> dict[str, Any]:
        """Return it under the names it has in `caveat stress --json`."""
        return {
            "style": {"method": self.method, **to_plain(self.controls), **change_dict(self.change)}
        }


def change_dict(change: BoardChange) -> dict[str, Any]:
    """Return two boards side by side as plain data, with what follows from them."""
    return {
        **to_plain(change),
        "first_changes": change.first_changes,
        "separation_lost": change.separation_lost,
    }
