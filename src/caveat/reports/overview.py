"""One line per test: what it found, and what was raised over it."""

from collections.abc import Sequence
from dataclasses import dataclass

from caveat.reports.labels import label
from caveat.reports.section import Section
from caveat.results.caveat import Caveat, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class TestLine:
    """One test in the list that opens a report.

    Attributes
    ----------
    name, label : str
        Of the test.
    found : str
        What it found, in a few words.
    raised : tuple of Caveat
        Gravest first.
    """

    name: str
    label: str
    found: str
    raised: tuple[Caveat, ...]

    @property
    def severity(self) -> Severity | None:
        """The gravest that was raised; None where nothing was."""
        return self.raised[0].severity if self.raised else None


def overview(sections: Sequence[Section], caveats: Sequence[Caveat]) -> tuple[TestLine, ...]:
    """Return a line for each section, in their order."""
    return tuple(_line(section, caveats) for section in sections)


def gravest(caveats: Sequence[Caveat]) -> Caveat | None:
    """Return the caveat to be told first; of equals the first."""
    return max(caveats, key=lambda caveat: caveat.severity.rank, default=None)


def _line(section: Section, caveats: Sequence[Caveat]) -> TestLine:
    raised = [caveat for caveat in caveats if caveat.code in section.codes]
    raised.sort(key=lambda caveat: -caveat.severity.rank)
    return TestLine(
        name=section.name, label=label(section.name), found=section.found, raised=tuple(raised)
    )
