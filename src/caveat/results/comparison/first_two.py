"""The first two models of a benchmark, side by side."""

from dataclasses import dataclass, fields
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.comparison.pair import PairComparison

_LISTS = ("items",)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTwo:
    """The two best models by paired comparison.

    Attributes
    ----------
    pair : PairComparison
        Without the list of items.
    """

    pair: PairComparison

    def to_dict(self) -> dict[str, Any]:
        """Return it under the names it has in `caveat agree --json`."""
        return {
            "first_two": {
                f.name: to_plain(getattr(self.pair, f.name))
                for f in fields(self.pair)
                if f.name not in _LISTS
            }
        }
