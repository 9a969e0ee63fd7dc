"""Tests on a terminal: one line each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from caveat.reports.numbers import counted, whole
from caveat.reports.overview import TestLine
from caveat.reports.printing import STYLES, say, styled

if TYPE_CHECKING:
    from rich.console import Console

NUMBER = 2
"""Digits of the number of a test."""


def print_overview(
    lines: Sequence[TestLine], console: "Console", *, noun: str = "stress test"
) -> None:
    """Print number, test, severity and finding in columns."""
    from rich.table import Table as Grid

    raised = sum(line.severity is not None for line in lines)
    head = f"{counted(len(lines), noun)} ran, {whole(raised)} of them raised a caveat"
    say(console, (head, "bold"))
    if not console.is_terminal:
        names = max(len(line.label) for line in lines)
        for number, line in enumerate(lines, start=1):
            word = line.severity.value if line.severity else "-"
            start = f"{number:>{NUMBER}}. {line.label:<{names}}  {word:<7}"
            say(console, (f"{start}  {line.found}", ""))
        return
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for wrap in (False, False, False, True):
        grid.add_column(no_wrap=not wrap, overflow="fold")
    for number, line in enumerate(lines, start=1):
        severity = line.severity
        grid.add_row(
            styled((f"{number:>{NUMBER}}.", "dim")),
            styled((line.label, "bold")),
            styled((severity.value if severity else "", STYLES[severity] if severity else "")),
            styled((line.found, "")),
        )
    console.print(grid, highlight=False)
