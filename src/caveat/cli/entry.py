"""Entry point of the `caveat` command: interruptions, from its first moment on."""

import os
import signal
import sys
from collections.abc import Sequence
from typing import NoReturn

from caveat.cli.exits import INTERRUPTED, PIPE_CLOSED, TERMINATED
from caveat.cli.tokens import completed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; `sys.argv` by default."""
    tokens = completed(sys.argv[1:] if arguments is None else arguments)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        from caveat.cli.app import run

        code = run(tokens)
        sys.stdout.flush()
    except BrokenPipeError:
        return _closed()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; no file was written half\n")
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, before)
    return code


def _terminate(*_: object) -> NoReturn:
    """Leave through every `finally`, so that unfinished files go."""
    sys.exit(TERMINATED)


def _closed() -> int:
    """Leave quietly when the reader of our output went away, as `head` does."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return PIPE_CLOSED
