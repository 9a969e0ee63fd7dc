"""Tests as one block of the page: a line for each, then a section for each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from caveat.reports.html.figure import Figure
from caveat.reports.html.placed import PlacedCaveat, placed_caveats
from caveat.reports.labels import label
from caveat.reports.numbers import whole
from caveat.reports.section import Section
from caveat.reports.tables.table import Table
from caveat.results.caveat import Caveat
from caveat.results.parts import Untested


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedSection:
    """One test."""

    id: str
    label: str
    title: str
    found: str
    raised: tuple[PlacedCaveat, ...]
    sentences: tuple[str, ...]
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedBlock:
    """All tests of one thing: how many ran, each of them, and those that could not run.

    Attributes
    ----------
    id : str
        That of its last section, of the tests that could not run.
    lead, aria : str
        What is said of all of them, and what the list of them is called.
    sections : tuple of TestedSection
    untested : tuple of (str, str)
    """

    id: str
    lead: str
    aria: str
    sections: tuple[TestedSection, ...]
    untested: tuple[tuple[str, str], ...]


def tested_block(
    sections: Sequence[Section],
    caveats: Sequence[Caveat],
    untested: Sequence[Untested],
    *,
    prefix: str,
    evidence: str,
) -> TestedBlock:
    """Lay tests out, each with the caveats that it raised.

    `prefix` begins the ids of the sections; `evidence` is what the tests ran on.
    """
    placed = placed_caveats(caveats)
    made = tuple(_section(section, placed, prefix) for section in sections)
    return TestedBlock(
        id="untested" if prefix == "stress" else f"{prefix}-untested",
        lead=_lead(made, len(untested), evidence),
        aria="Stress tests and what they found" if prefix == "stress" else "What was found",
        sections=made,
        untested=tuple((label(one.part), one.why) for one in untested),
    )


def _section(section: Section, placed: Sequence[PlacedCaveat], prefix: str) -> TestedSection:
    raised = [one for one in placed if one.caveat.code in section.codes]
    return TestedSection(
        id=f"{prefix}-{section.name}",
        label=label(section.name),
        title=section.title,
        found=section.found,
        raised=tuple(sorted(raised, key=lambda one: -one.caveat.severity.rank)),
        sentences=section.sentences,
        # A page may hold the same section for several benchmarks, each with plots of its own.
        figures=tuple(
            Figure(plot=replace(p, name=f"{prefix}-{section.name}-{p.name}"), table_open=False)
            for p in section.plots
        ),
        # A plot has its table folded under it.
        tables=tuple(t for t in section.tables if all(t != p.table for p in section.plots)),
    )


def _lead(sections: Sequence[TestedSection], untested: int, evidence: str) -> str:
    if not sections:
        return f"No test could run on these {evidence}."
    raised = sum(bool(section.raised) for section in sections)
    total = whole(len(sections) + untested)
    return (
        f"{whole(len(sections))} of {total} tests could run on these {evidence}; "
        f"{whole(raised) if raised else 'none'} of them raised a caveat."
    )
