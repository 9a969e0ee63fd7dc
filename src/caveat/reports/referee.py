"""A board under stress on a terminal, as a referee would report it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from caveat.reports.labels import label
from caveat.reports.numbers import counted
from caveat.reports.overview import overview
from caveat.reports.overview_lines import print_overview
from caveat.reports.printing import STYLES, print_paragraph, print_table, say, styled
from caveat.reports.section import Section
from caveat.reports.shortening import cut
from caveat.reports.stress.opening import opening
from caveat.reports.stress.sections import stress_sections
from caveat.reports.tables.board import board_table
from caveat.results.caveat import Caveat, Severity
from caveat.results.parts import Untested
from caveat.results.stress.stress import Stress

if TYPE_CHECKING:
    from rich.console import Console

TOP = 10
"""Models of the board."""

ROWS = 5
"""Rows of a table of a section."""

INDENT = 3


def print_stress(stress: Stress, caveats: Sequence[Caveat], console: "Console") -> None:
    """Print who is first and how surely, what each test found, the caveats, what is untested."""
    sections = stress_sections(stress)
    print_paragraph(opening(stress, caveats), console)
    say(console)
    print_table(board_table(stress.board), console, rows=TOP)
    print_sections(sections, caveats, console)
    say(console)
    _print_caveats(caveats, console)
    print_untested(stress.untested, console)


def print_sections(
    sections: Sequence[Section],
    caveats: Sequence[Caveat],
    console: "Console",
    *,
    noun: str = "stress test",
) -> None:
    """Print a line for each section, then each with the first rows of its tables."""
    if sections:
        say(console)
        print_overview(overview(sections, caveats), console, noun=noun)
    for number, section in enumerate(sections, start=1):
        say(console)
        print_section(f"{number}. {section.title}", section, console, rows=ROWS)


def print_section(title: str, section: Section, console: "Console", *, rows: int) -> None:
    """Print one section with the first rows of its tables."""
    say(console, (title, "bold"))
    print_paragraph(section.sentences, console, indent=INDENT)
    for table in section.tables:
        say(console)
        print_table(table, console, rows=rows, indent=INDENT)


def print_untested(
    untested: Sequence[Untested], console: "Console", *, evidence: str = "votes"
) -> None:
    """Print the tests that could not run, and why."""
    if not untested:
        return
    say(console)
    count = counted(len(untested), "test")
    say(console, (f"{count} could not run on these {evidence}", "bold"))
    for one in untested:
        _print_item(console, ((f"{label(one.part)}: ", "bold"), (one.why, "")))


def _print_caveats(caveats: Sequence[Caveat], console: "Console") -> None:
    """Print caveats by severity, gravest first; the files only where there are several."""
    if not caveats:
        say(console, ("No caveats", "bold"))
        return
    say(console, (counted(len(caveats), "caveat").capitalize(), "bold"))
    several = len({caveat.place for caveat in caveats}) > 1
    for severity in reversed(Severity):
        for caveat in (one for one in caveats if one.severity is severity):
            head = (f"{severity.value} ", STYLES[severity]), (f"{caveat.code} ", "bold")
            place = f" [{caveat.place}]" if several and caveat.place else ""
            claim = f"{cut(caveat.subject)}{place}: {caveat.claim}", ""
            help_ = ("help: ", "bold"), (caveat.remedy, "dim")
            _print_item(console, (*head, claim), help_)


def _print_item(
    console: "Console", head: Sequence[tuple[str, str]], below: Sequence[tuple[str, str]] = ()
) -> None:
    """Print a line and one that hangs below it; wrapped on a terminal."""
    from rich.padding import Padding

    for parts, indent in ((head, INDENT), (below, INDENT + 2)):
        if parts and console.is_terminal:
            console.print(Padding(styled(*parts), (0, 0, 0, indent)), highlight=False)
        elif parts:
            say(console, (" " * indent, ""), *parts)
