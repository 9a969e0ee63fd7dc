"""Results made of parts: one for each test that ran, and the reason for each that could not."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

P = TypeVar("P")


class Part(Protocol):
    """What one test found."""

    def to_dict(self) -> dict[str, Any]:
        """Return it under the names it has in JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Untested:
    """A test that could not run, and why."""

    part: str
    why: str


def part_of(parts: Iterable[Part], kind: type[P]) -> P | None:
    """Return the result of one test; None where it did not run."""
    return next((part for part in parts if isinstance(part, kind)), None)
