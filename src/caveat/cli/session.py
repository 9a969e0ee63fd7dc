"""One run of the command line: its consoles, what is said on them, and its command line."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal, TextIO

from cyclopts import Parameter

from caveat.cli.options import ABOUT_OUTPUT, Usual
from caveat.reports.visible import visible

if TYPE_CHECKING:
    from rich.console import Console

    from caveat.results.caveat import Caveat
    from caveat.results.provenance import Provenance
    from caveat.workflows.options import Progress


MAX_NOTICES = 10


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
        return self._console(sys.stdout, "answer")

    @cached_property
    def err(self) -> "Console":
        """Standard error: talk."""
        return self._console(sys.stderr, "talk")

    def _console(self, file: TextIO, holds: Literal["answer", "talk"]) -> "Console":
        from caveat.cli.consoles import plain_console

        return plain_console(file, no_color=self.no_color, holds=holds)

    @property
    def json_on_stdout(self) -> bool:
        """Whether the answer is JSON and nothing else may be printed."""
        return self.json == "-"

    def say(self, text: str) -> None:
        """Tell something on the standard error, unless asked to be quiet."""
        if not self.quiet:
            self.err.print(visible(text), soft_wrap=True)

    def say_provenance(self, provenance: "Provenance") -> None:
        """Tell what the reader noticed, and which rows it left out."""
        self.say_notices(provenance.notices)
        account = provenance.account
        for drop in account.drops:
            where = ", ".join((*drop.examples[:1], *(("...",) if drop.count > 1 else ())))
            self.say(
                f"{drop.count:,} of {account.rows_read:,} rows left out: {drop.reason}"
                + (f" ({where})" if drop.examples else "")
            )

    def say_notices(self, notices: Iterable[str]) -> None:
        """Tell each notice once, and at most `MAX_NOTICES`."""
        told = tuple(dict.fromkeys(notices))
        for notice in told[:MAX_NOTICES]:
            self.say(f"notice: {notice}")
        if len(told) > MAX_NOTICES:
            self.say(f"and {len(told) - MAX_NOTICES:,} more notices; --json holds them all")

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
        from caveat._files import undone_when_stopped
        from caveat.cli.progress import Stages

        with Stages(self.err) as stages, undone_when_stopped(stages.stop):
            # A plain function: options are copied deeply, and a console cannot be.
            yield lambda stage, done, total: stages(stage, done, total)


SESSION = Session()
