"""Counting dropped rows by reason while a source is read."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from caveat.results.provenance import Drop

EXAMPLES = 5


@dataclass(slots=True)
class DropCounter:
    """Dropped rows by reason, with the places of the first few."""

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, reason: str, count: int, example: str) -> None:
        """Count rows dropped for one reason."""
        self.counts[reason] = self.counts.get(reason, 0) + count
        places = self.examples.setdefault(reason, [])
        if example and len(places) < EXAMPLES:
            places.append(example)

    def drops(self) -> tuple[Drop, ...]:
        """Return all drops, in the order their reasons came up."""
        return tuple(
            Drop(reason=reason, count=count, examples=tuple(self.examples[reason]))
            for reason, count in self.counts.items()
        )

    @property
    def total(self) -> int:
        """Rows dropped."""
        return sum(self.counts.values())


@dataclass(slots=True)
class RowFilter:
    """Which rows of one chunk stay; a row is dropped once, for the first reason found."""

    counter: DropCounter
    file: str
    first_row: int
    keep: NDArray[np.bool_]

    def drop(self, where: NDArray[np.bool_], reason: str) -> None:
        """Drop the rows where `where` is true and that are still there."""
        rows = np.flatnonzero(where & self.keep)
        if not rows.size:
            return
        self.keep[rows] = False
        self.counter.add(reason, int(rows.size), self._place(rows[0]))
        for row in rows[1:EXAMPLES]:
            self.counter.add(reason, 0, self._place(row))

    def _place(self, row: np.int64) -> str:
        return f"{self.file}, row {self.first_row + int(row)}"
