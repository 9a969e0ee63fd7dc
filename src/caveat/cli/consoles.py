"""Consoles: text as it is, whole when piped, and quiet when its reader goes away."""

import os
from typing import NoReturn, TextIO

from rich.console import Console

PIPED_WIDTH = 400
"""Columns where no terminal sets them: wide enough that nothing of a table is cut."""


class PipedConsole(Console):
    """A console that leaves a closed pipe to `main`; rich itself would exit with 1."""

    def on_broken_pipe(self) -> NoReturn:
        """Pass the failure on."""
        raise BrokenPipeError


def plain_console(file: TextIO, *, no_color: bool) -> Console:
    """Make a console for answers and talk: no markup, no emoji codes, no guessed colours."""
    return PipedConsole(
        file=file,
        no_color=no_color or None,  # None: NO_COLOR decides
        markup=False,
        emoji=False,
        highlight=False,
        width=None if file.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH,
    )
