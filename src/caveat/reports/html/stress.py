"""The stress tests as one block of the page: a line for each, then a section for each."""

from collections.abc import Sequence
from dataclasses import dataclass

from caveat.reports.html.figure import Figure
from caveat.reports.html.placed import PlacedCaveat, placed_caveats
from caveat.reports.numbers import whole
from caveat.reports.section import Section
from caveat.reports.stress.labels import label
from caveat.reports.stress.sections import stress_sections
from caveat.reports.tables.table import Table
from caveat.results.caveat import Caveat
from caveat.results.stress.stress import Stress


@dataclass(frozen=True, slots=True, kw_only=True)
class StressSection:
    """One stress test of the board."""

    id: str
    label: str
    title: str
    found: str
    raised: tuple[PlacedCaveat, ...]
    sentences: tuple[str, ...]
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StressBlock:
    """All stress tests: how many ran, each of them, and those that could not run."""

    lead: str
    sections: tuple[StressSection, ...]
    untested: tuple[tuple[str, str], ...]


def stress_block(stress: Stress, caveats: Sequence[Caveat]) -> StressBlock:
    """Lay the stress tests out, each with the caveats that it raised."""
    sections = tuple(_section(section, caveats) for section in stress_sections(stress))
    return StressBlock(
        lead=_lead(sections, len(stress.untested)),
        sections=sections,
        untested=tuple((label(one.part), one.why) for one in stress.untested),
    )


def _section(section: Section, caveats: Sequence[Caveat]) -> StressSection:
    raised = [one for one in placed_caveats(caveats) if one.caveat.code in section.codes]
    return StressSection(
        id=f"stress-{section.name}",
        label=label(section.name),
        title=section.title,
        found=section.found,
        raised=tuple(sorted(raised, key=lambda one: -one.caveat.severity.rank)),
        sentences=section.sentences,
        figures=tuple(Figure(plot=plot, table_open=False) for plot in section.plots),
        # A plot has its table folded under it.
        tables=tuple(t for t in section.tables if all(t != p.table for p in section.plots)),
    )


def _lead(sections: Sequence[StressSection], untested: int) -> str:
    if not sections:
        return "No test could run on these votes."
    raised = sum(bool(section.raised) for section in sections)
    total = whole(len(sections) + untested)
    return (
        f"{whole(len(sections))} of {total} tests could run on these votes; "
        f"{whole(raised) if raised else 'none'} of them raised a caveat."
    )
