"""Text of `--help`, for docs/cli.md: what a terminal of 88 columns shows, without colours."""

import io
import os
from contextlib import redirect_stdout

from caveat.cli import main
from caveat.cli.app import app

WIDTH = "88"


def commands() -> tuple[str, ...]:
    """Return every command as it is typed, without `caveat`."""
    found = []
    for name in app:
        if not name.startswith("-"):
            inner = [part for part in app[name] if not part.startswith("-")]
            found += [f"{name} {part}" for part in inner] or [name]
    return tuple(found)


def help_of(command: str) -> str:
    """Return what `caveat COMMAND --help` prints."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = WIDTH
    written = io.StringIO()
    try:
        with redirect_stdout(written):
            main([*command.split(), "--help"])
    finally:
        os.environ.pop("COLUMNS")
        if before is not None:
            os.environ["COLUMNS"] = before
    lines = (line.rstrip() for line in written.getvalue().splitlines())
    return "\n".join(lines).strip()


def sections() -> str:
    """Return one section with the help of each command."""
    return "\n\n".join(
        f"### caveat {command}\n\n```text\n{help_of(command)}\n```" for command in commands()
    )
