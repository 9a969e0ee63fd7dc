"""What rules about stress tests share: the result of a test, or why there is none."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from caveat.results.report import Findings

P = TypeVar("P")


def part(findings: Findings, kind: type[P]) -> P | None:
    """Return the result of one stress test; None where it did not run."""
    return findings.stress.part(kind) if findings.stress else None


def blocked(name: str) -> Callable[[Findings], Iterator[str]]:
    """Return what says why a stress test did not run."""

    def why(findings: Findings) -> Iterator[str]:
        if findings.stress is not None:
            yield from (one.why for one in findings.stress.untested if one.part == name)

    return why
