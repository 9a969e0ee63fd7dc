"""Counts what an importer meets while it reads, to be told at the end."""

from collections import Counter

from caveat.data.evidence import Evidence, told


class Tally:
    """Notices with a number in them; each is told once, if it was met at all."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def clear(self) -> None:
        """Forget all: reading begins anew."""
        self._counts.clear()

    def add(self, notice: str, count: int = 1) -> None:
        """Count one more; `{n}` in the notice stands for the number."""
        if count:
            self._counts[notice] += count

    def told(self, evidence: Evidence) -> Evidence:
        """Return the evidence with the notices."""
        for notice, count in self._counts.items():
            evidence = told(evidence, notice.replace("{n}", f"{count:,}"))
        return evidence
