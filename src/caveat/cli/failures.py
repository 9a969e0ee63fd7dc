"""What a failure looks like: one line on the standard error, JSON where JSON was asked for."""

import json
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass

from cyclopts.exceptions import CycloptsError

from caveat.cli.documents import error_document
from caveat.cli.exits import MISUSE
from caveat.errors import CaveatError, OutputError
from caveat.reports.visible import visible


@dataclass(frozen=True, kw_only=True)
class Failures:
    """Reports failures of one run.

    Attributes
    ----------
    as_json : bool
        Whether the standard output is to hold JSON.
    debug : bool
        Whether to show tracebacks.
    """

    as_json: bool
    debug: bool

    def report(self, error: Exception) -> int:
        """Say what went wrong and return the exit code."""
        if self.debug and not isinstance(error, CycloptsError):
            traceback.print_exception(error, file=sys.stderr)
        message = _message(error)
        with suppress(OSError):
            sys.stderr.write(message + "\n")
        if self.as_json and not isinstance(error, OutputError):
            kind = "UsageError" if isinstance(error, CycloptsError) else type(error).__name__
            text = message.removeprefix("error: ")
            with suppress(OSError):
                sys.stdout.write(json.dumps(error_document(kind, text), indent=2) + "\n")
        return MISUSE


def _message(error: Exception) -> str:
    text = _shown(error)
    if isinstance(error, CycloptsError):
        return f"error: {text}\n  {_help_for(error)}"
    if isinstance(error, CaveatError):
        return f"error: {text}"
    if isinstance(error, MemoryError):
        return "error: there is not enough memory for this; read fewer sources at once"
    return (
        f"error: caveat failed in a way it should not: {type(error).__name__}: {text}\n"
        "  This is a bug. Run the command again with --debug and report what it shows."
    )


def _shown(error: Exception) -> str:
    """Spell out what cannot be seen; later lines are indented, so that none can pose as ours."""
    lines = (visible(line.strip()) for line in str(error).split("\n"))
    return "\n  ".join(line for line in lines if line)


def _help_for(error: CycloptsError) -> str:
    command = " ".join(("caveat", *(error.command_chain or ())))
    return f"`{command} --help` shows what is allowed."
