"""A caveat: one coded, graded statement about how far evidence can be trusted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from caveat.results._plain import to_plain


class Severity(StrEnum):
    """How much a caveat matters to a reader of the result, mildest first."""

    INFO = "info"
    NOTICE = "notice"
    WARNING = "warning"
    SERIOUS = "serious"

    @property
    def rank(self) -> int:
        """Position on the scale, 0 for the mildest."""
        return list(Severity).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caveat:
    """One statement about the evidence.

    Attributes
    ----------
    code : str
        Stable code, e.g. `"RNK201"`; `caveat rules CODE` explains it.
    severity : Severity
    subject : str
        What it is about: a model, a pair, a benchmark, the board.
    claim : str
        One sentence with the figures in it.
    evidence : mapping
        The numbers as data.
    remedy : str
        What the reader can do.
    sources : tuple of str
        Names of the files it is about; empty when it concerns them all.
    """

    code: str
    severity: Severity
    subject: str
    claim: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    remedy: str
    sources: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The sources in a few words, for a line of text."""
        if len(self.sources) < 3:
            return ", ".join(self.sources)
        return f"{self.sources[0]} and {len(self.sources) - 1} more"

    def to_dict(self) -> dict[str, Any]:
        """Return the caveat as plain data."""
        plain: dict[str, Any] = to_plain(self)
        return plain
