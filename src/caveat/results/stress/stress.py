"""All stress tests of one board."""

from dataclasses import dataclass, field
from typing import Any, TypeVar

from caveat.results.parts import Part, Untested, part_of
from caveat.results.provenance import Provenance
from caveat.results.ranking import Ranking

P = TypeVar("P")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stress:
    """A board and what stress tests make of it.

    Attributes
    ----------
    board : Ranking
        The board under test.
    parts : tuple of Part
        At most one of each type.
    untested : tuple of Untested
    """

    board: Ranking
    parts: tuple[Part, ...] = ()
    untested: tuple[Untested, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def part(self, kind: type[P]) -> P | None:
        """Return the result of one test; None where it could not run."""
        return part_of(self.parts, kind)

    def to_dict(self) -> dict[str, Any]:
        """Return the shape of `caveat stress --json`."""
        board = self.board
        made: dict[str, Any] = {
            "method": board.method,
            "n_votes": board.n_votes,
            "lead": board.to_dict()["lead"],
        }
        for part in self.parts:
            made |= part.to_dict()
        made["untested"] = [{"part": one.part, "why": one.why} for one in self.untested]
        return made
