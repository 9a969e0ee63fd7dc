"""One run of the command line: its consoles, what is said on them, and its command line."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, TextIO

from cyclopts import Parameter

from caveat.cli.options import ABOUT_OUTPUT, Usual
from caveat.reports.visible import visible

if TYPE_CHECKING:
    from rich.console import Console

    from caveat.results.caveat import Caveat
    from caveat.workflows.options import Progress


@Parameter(name="*", group=ABOUT_OUTPUT)
@dataclass(frozen=True, kw_only=True)
class Session(Usual):
    """The usual options at work.

    Attributes
    ----------
    command : str
        Command line that repeats the run; set by `main`.
    """

    command: Annotated[str, Parameter(parse=False)] = ""

    @cached_property
    def out(self) -> "Console":
        """Standard output: the answer."""
        return self._console(sys.stdout)

    @cached_property
    def err(self) -> "Console":
        """Standard error: talk."""
        return self._console(sys.stderr)

    def _console(self, file: TextIO) -> "Console":
        from caveat.cli.consoles import plain_console

        return plain_console(file, no_color=self.no_color)

    @property
    def json_on_stdout(self) -> bool:
        """Whether the answer is JSON and nothing else may be printed."""
        return self.json == "-"

    def say(self, text: str) -> None:
        """Tell something on the standard error, unless asked to be quiet."""
        if not self.quiet:
            self.err.print(visible(text), soft_wrap=True)

    def say_caveats(self, caveats: "Sequence[Caveat]") -> None:
        """Tell how many caveats stand against an answer, and where to read them."""
        if caveats:
            from caveat.reports.terminal import summary

            self.say(f"{summary(caveats)} Read them with `caveat check`.")

    @contextmanager
    def progress(self) -> "Iterator[Progress | None]":
        """Show the progress of long work on a terminal."""
        if self.quiet or not self.err.is_terminal:
            yield None
            return
        from caveat.cli.progress import Stages

        with Stages(self.err) as stages:
            # A plain function: options are copied deeply, and a console cannot be.
            yield lambda stage, done, total: stages(stage, done, total)


SESSION = Session()
