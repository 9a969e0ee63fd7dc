"""Consoles: text as it is, whole when piped, and quiet when its reader goes away."""

import os
import sys
from contextlib import suppress
from typing import Any, Literal, NoReturn, TextIO

from rich.console import Console

from caveat.errors import OutputError

PIPED_WIDTH = 400
"""Columns where no terminal sets them: wide enough that nothing of a table is cut."""


def cannot_write(error: OSError) -> OutputError:
    """Say why the standard output takes no more."""
    return OutputError(f"cannot write to the standard output: {error.strerror or error}")


def flush_answer() -> None:
    """Hand the answer over, or say why it cannot be."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write(error) from error


class PipedConsole(Console):
    """A console for answers; it leaves a closed pipe to `main`, where rich would exit with 1."""

    def on_broken_pipe(self) -> NoReturn:
        """Pass the failure on."""
        raise BrokenPipeError

    def print(self, *objects: Any, **settings: Any) -> None:  # noqa: ANN401 - forwarded to rich
        """Print, or say why the answer cannot be written."""
        try:
            super().print(*objects, **settings)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot_write(error) from error


class TalkConsole(Console):
    """A console for talk; what nobody can hear is no reason to stop."""

    def on_broken_pipe(self) -> None:
        """Go on."""

    def print(self, *objects: Any, **settings: Any) -> None:  # noqa: ANN401 - forwarded to rich
        """Print if possible."""
        with suppress(OSError):
            super().print(*objects, **settings)


def plain_console(
    file: TextIO, *, no_color: bool, holds: Literal["answer", "talk"] = "answer"
) -> Console:
    """Make a console for answers or talk: no markup, no emoji codes, no guessed colours."""
    kind = PipedConsole if holds == "answer" else TalkConsole
    return kind(
        file=file,
        no_color=no_color or None,  # None: NO_COLOR decides
        markup=False,
        emoji=False,
        highlight=False,
        width=None if file.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH,
    )
