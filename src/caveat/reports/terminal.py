"""Results on a terminal, in the manner of a linter; plain and one line each when piped."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from caveat.reports.agree.sections import agree_sections, caveats_about
from caveat.reports.numbers import counted, whole
from caveat.reports.overview import overview
from caveat.reports.overview_lines import print_overview
from caveat.reports.printing import STYLES, print_table, say, styled
from caveat.reports.referee import print_sections, print_untested
from caveat.reports.stress.sections import stress_sections
from caveat.reports.tables.board import board_table
from caveat.reports.tables.board_extras import board_extras
from caveat.reports.tables.pairs import pair_table
from caveat.reports.tables.scores import scores_table
from caveat.reports.unrun import by_reason
from caveat.results.agreement import Agreement, Scores
from caveat.results.caveat import Caveat, Severity
from caveat.results.ranking import Ranking
from caveat.results.report import BenchmarkFindings, Report

if TYPE_CHECKING:
    from rich.console import Console

TOP = 10  # models of a board shown in the report; `rank` shows them all
TOP_PAIRS = 20


def print_report(report: Report, console: "Console") -> None:
    """Print the verdict, the caveats, the head of each table and what could not be checked."""
    say(console, (report.verdict, "bold"))
    say(console)
    print_caveats(report.caveats, console)
    if report.findings.ranking:
        say(console)
        print_table(board_table(report.findings.ranking), console, rows=TOP)
    if report.findings.stress and (sections := stress_sections(report.findings.stress)):
        say(console)
        print_overview(overview(sections, report.caveats), console)
    for found in report.findings.benchmarks:
        say(console)
        say(console, (found.benchmark, "bold"))
        print_table(scores_table(found.scores), console, rows=TOP)
        if sections := agree_sections(found):
            say(console)
            lines = overview(sections, caveats_about(found, report.caveats))
            print_overview(lines, console, noun="check")
    if report.not_run:
        say(console)
        say(console, (f"{counted(len(report.not_run), 'check')} could not run:", "dim"))
        for item in by_reason(report.not_run):
            say(console, (f"  {item.check}: {item.why}", "dim"))


def print_caveats(caveats: Sequence[Caveat], console: "Console") -> None:
    """Print caveats and a summary line.

    On a terminal they are grouped by source; elsewhere each is one line,
    `source: CODE severity subject: claim`, with its remedy indented below.
    """
    if console.is_terminal:
        for source, group in _by_source(caveats):
            say(console, (source or "all sources", "bold underline"))
            _print_group(group, console)
            say(console)
    else:
        for caveat in caveats:
            source = f"{caveat.place}: " if caveat.sources else ""
            head = f"{caveat.code} {caveat.severity.value}"
            say(console, (f"{source}{head} {caveat.subject}: {caveat.claim}", ""))
            say(console, (f"  help: {caveat.remedy}", ""))
    say(console, (summary(caveats), "bold"))


def summary(caveats: Sequence[Caveat]) -> str:
    """Count caveats by severity, gravest first."""
    if not caveats:
        return "No caveats."
    counts = {s: sum(caveat.severity is s for caveat in caveats) for s in reversed(Severity)}
    parts = ", ".join(f"{whole(n)} {severity.value}" for severity, n in counts.items() if n)
    return f"{counted(len(caveats), 'caveat')}: {parts}."


def print_ranking(ranking: Ranking, console: "Console") -> None:
    """Print the whole board, what is held equal on it, and boards by category."""
    print_table(board_table(ranking), console)
    for table in board_extras(ranking):
        say(console)
        print_table(table, console)


def print_agreement(scores: Scores, agreement: Agreement | None, console: "Console") -> None:
    """Print scores and the pairs that disagree most; scores alone without an agreement."""
    print_table(scores_table(scores), console)
    if agreement is not None and len(agreement.models) > 1:
        say(console)
        print_table(pair_table(agreement), console, rows=TOP_PAIRS)


def print_compared(found: BenchmarkFindings, caveats: Sequence[Caveat], console: "Console") -> None:
    """Print scores, the pairs that disagree most, and every comparison that was made."""
    print_agreement(found.scores, found.agreement, console)
    about = caveats_about(found, caveats)
    print_sections(agree_sections(found), about, console, noun="check")
    print_untested(found.untested, console, evidence="responses")


def _by_source(caveats: Sequence[Caveat]) -> Iterator[tuple[str, list[Caveat]]]:
    for source in dict.fromkeys(caveat.place for caveat in caveats):
        yield (
            source,
            sorted(
                (caveat for caveat in caveats if caveat.place == source),
                key=lambda c: (-c.severity.rank, c.code),
            ),
        )


def _print_group(caveats: Sequence[Caveat], console: "Console") -> None:
    """Print codes and severities in columns, so that claims align however they wrap."""
    from rich.table import Table as Grid

    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for caveat in caveats:
        grid.add_row(
            styled((f"  {caveat.code}", "bold")),
            styled((caveat.severity.value, STYLES[caveat.severity])),
            styled((f"{caveat.subject}: ", "bold"), (caveat.claim, "")),
        )
        grid.add_row("", "", styled(("help: ", "dim bold"), (caveat.remedy, "dim")))
    console.print(grid, highlight=False)
