"""Results on a terminal, in the manner of a linter; plain and one line each when piped."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from caveat.reports.numbers import counted, whole
from caveat.reports.stress.sections import stress_sections
from caveat.reports.tables.board import board_table
from caveat.reports.tables.board_extras import board_extras
from caveat.reports.tables.pairs import pair_table
from caveat.reports.tables.scores import scores_table
from caveat.reports.tables.table import Table
from caveat.reports.visible import visible
from caveat.results.agreement import Agreement, Scores
from caveat.results.caveat import Caveat, Severity
from caveat.results.ranking import Ranking
from caveat.results.report import Report
from caveat.results.stress.stress import Stress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

TOP = 10  # models of a board shown in the report; `rank` shows them all
TOP_PAIRS = 20
LONGEST = 60  # characters of a name in a table; JSON and HTML have all of it

_STYLES: Mapping[Severity, str] = {
    Severity.INFO: "dim",
    Severity.NOTICE: "blue",
    Severity.WARNING: "yellow",
    Severity.SERIOUS: "bold red",
}


def print_report(report: Report, console: "Console") -> None:
    """Print the verdict, the caveats, the head of each table and what could not be checked."""
    _say(console, (report.verdict, "bold"))
    _say(console)
    print_caveats(report.caveats, console)
    if report.findings.ranking:
        _say(console)
        print_table(board_table(report.findings.ranking), console, rows=TOP)
    for found in report.findings.benchmarks:
        _say(console)
        _say(console, (found.benchmark, "bold"))
        print_table(scores_table(found.scores), console, rows=TOP)
    if report.not_run:
        _say(console)
        _say(console, (f"{counted(len(report.not_run), 'check')} could not run:", "dim"))
        for item in report.not_run:
            _say(console, (f"  {item.check}: {item.why}", "dim"))


def print_caveats(caveats: Sequence[Caveat], console: "Console") -> None:
    """Print caveats and a summary line.

    On a terminal they are grouped by source; elsewhere each is one line,
    `source: CODE severity subject: claim`, with its remedy indented below.
    """
    if console.is_terminal:
        for source, group in _by_source(caveats):
            _say(console, (source or "all sources", "bold underline"))
            _print_group(group, console)
            _say(console)
    else:
        for caveat in caveats:
            source = f"{caveat.place}: " if caveat.sources else ""
            head = f"{caveat.code} {caveat.severity.value}"
            _say(console, (f"{source}{head} {caveat.subject}: {caveat.claim}", ""))
            _say(console, (f"  help: {caveat.remedy}", ""))
    _say(console, (summary(caveats), "bold"))


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
        _say(console)
        print_table(table, console)


def print_stress(stress: Stress, console: "Console") -> None:
    """Print the board's head and what each stress test found, as a referee would report it."""
    print_table(board_table(stress.board), console, rows=TOP)
    for section in stress_sections(stress):
        _say(console)
        _say(console, (section.title, "bold"))
        for sentence in section.sentences:
            _say(console, (sentence, ""))
        for table in section.tables:
            print_table(table, console, rows=TOP)
    if stress.untested:
        _say(console)
        _say(console, (f"{counted(len(stress.untested), 'test')} could not run:", "dim"))
        for item in stress.untested:
            _say(console, (f"  {item.part}: {item.why}", "dim"))


def print_agreement(scores: Scores, agreement: Agreement | None, console: "Console") -> None:
    """Print scores and the pairs that disagree most; scores alone without an agreement."""
    print_table(scores_table(scores), console)
    if agreement is not None and len(agreement.models) > 1:
        _say(console)
        print_table(pair_table(agreement), console, rows=TOP_PAIRS)


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
            _text((f"  {caveat.code}", "bold")),
            _text((caveat.severity.value, _STYLES[caveat.severity])),
            _text((f"{caveat.subject}: ", "bold"), (caveat.claim, "")),
        )
        grid.add_row("", "", _text(("help: ", "dim bold"), (caveat.remedy, "dim")))
    console.print(grid, highlight=False)


def print_table(table: Table, console: "Console", *, rows: int | None = None) -> None:
    """Print the first `rows` rows, all by default."""
    from rich.cells import cell_len

    shown = table.rows[:rows]
    lines = [[column.name for column in table.columns]]
    short = _shortened(cell.text for row in shown for cell in row)
    lines += [[short[cell.text] for cell in row] for row in shown]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(table.columns))]
    _say(console, (table.caption, "dim"))
    for number, line in enumerate(lines):
        padded = []
        for text, width, column in zip(line, widths, table.columns, strict=True):
            space = " " * (width - cell_len(text))
            padded.append(text + space if column.text else space + text)
        _say(console, ("  ".join(padded).rstrip(), "bold" if number == 0 else ""))
    if len(shown) < len(table.rows):
        _say(console, (f"... and {whole(len(table.rows) - len(shown))} more", "dim"))
    if table.note:
        _say(console, (table.note, "dim"))


def _shortened(texts: Iterable[str]) -> dict[str, str]:
    """Cut the middle out of long texts, except where two would then look the same."""
    whole_ones = {text: visible(text) for text in texts}
    short = {text: _cut(shown) for text, shown in whole_ones.items()}
    looks = Counter(short.values())
    return {text: short[text] if looks[short[text]] == 1 else whole_ones[text] for text in short}


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    tail = (LONGEST - 1) // 2
    return f"{text[: LONGEST - 1 - tail]}…{text[-tail:]}"


def _text(*parts: tuple[str, str]) -> "Text":
    """Return styled text; names cannot carry markup or terminal codes into it."""
    from rich.text import Text

    return Text.assemble(*((visible(text), style) for text, style in parts))


def _say(console: "Console", *parts: tuple[str, str]) -> None:
    """Print one line, never wrapped."""
    console.print(_text(*parts), soft_wrap=True, highlight=False)
