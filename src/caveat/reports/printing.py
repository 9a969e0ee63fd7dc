"""Text and tables on a console: plain and one line each when piped, fitted to a terminal."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from caveat.reports.numbers import whole
from caveat.reports.shortening import shortened
from caveat.reports.tables.table import Column, Table
from caveat.reports.visible import visible
from caveat.results.caveat import Severity

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

STYLES: Mapping[Severity, str] = {
    Severity.INFO: "dim",
    Severity.NOTICE: "blue",
    Severity.WARNING: "yellow",
    Severity.SERIOUS: "bold red",
}

GAP = "  "
WIDEST = 100
"""Columns of a terminal that running text fills at most."""


def styled(*parts: tuple[str, str]) -> "Text":
    """Return styled text; names cannot carry markup or terminal codes into it."""
    from rich.text import Text

    return Text.assemble(*((visible(text), style) for text, style in parts))


def say(console: "Console", *parts: tuple[str, str]) -> None:
    """Print one line, never wrapped."""
    console.print(styled(*parts), soft_wrap=True, highlight=False)


def print_paragraph(
    sentences: Sequence[str], console: "Console", *, indent: int = 0, style: str = ""
) -> None:
    """Print sentences: as a paragraph on a terminal, one a line elsewhere."""
    from rich.padding import Padding

    if console.is_terminal:
        if sentences:
            width = min(console.width, WIDEST)
            text = Padding(styled((" ".join(sentences), style)), (0, 0, 0, indent), expand=False)
            console.print(text, highlight=False, width=width)
        return
    for sentence in sentences:
        say(console, (" " * indent + sentence, style))


def print_table(
    table: Table, console: "Console", *, rows: int | None = None, indent: int = 0
) -> None:
    """Print the first `rows` rows, all by default; on a terminal as many columns as it holds."""
    from rich.cells import cell_len

    margin = " " * indent
    shown = table.rows[:rows]
    short = shortened(cell.text for row in shown for cell in row)
    lines = [[column.name for column in table.columns]]
    lines += [[short[cell.text] for cell in row] for row in shown]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(table.columns))]
    fit = _columns_that_fit(widths, console, indent)
    say(console, (margin + table.caption, "dim"))
    for number, line in enumerate(lines):
        cells = zip(line[:fit], widths, table.columns, strict=False)
        padded = [_padded(text, width - cell_len(text), column) for text, width, column in cells]
        say(console, (margin + GAP.join(padded).rstrip(), "bold" if number == 0 else ""))
    _say_what_is_left_out(table, console, rows=len(shown), columns=fit, margin=margin)


def _padded(text: str, by: int, column: Column) -> str:
    return text + " " * by if column.text else " " * by + text


def _columns_that_fit(widths: Sequence[int], console: "Console", indent: int) -> int:
    """Return how many columns, from the left, a terminal holds; two at least."""
    if not console.is_terminal:
        return len(widths)
    used, room = 0, console.width - indent
    for number, width in enumerate(widths):
        used += width + (len(GAP) if number else 0)
        if used > room:
            return max(number, 2)
    return len(widths)


def _say_what_is_left_out(
    table: Table, console: "Console", *, rows: int, columns: int, margin: str
) -> None:
    if rows < len(table.rows):
        say(console, (f"{margin}... and {whole(len(table.rows) - rows)} more", "dim"))
    if columns < len(table.columns):
        names = ", ".join(column.name for column in table.columns[columns:])
        say(console, (f"{margin}Too narrow here for: {names}.", "dim"))
    if table.footnote:
        print_paragraph((table.footnote,), console, indent=len(margin), style="dim")
