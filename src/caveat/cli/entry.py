"""Entry point of the `caveat` command: interruptions, from its first moment on.

The command runs in a thread of its own and the main thread waits for signals. So a signal is
heard at once, whatever native code is at work; Arrow, which takes over the signals of the main
thread, leaves ours alone; and a stopped process ends without winding up an interpreter that
native threads still call into, which would crash it.
"""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from caveat.cli.exits import INTERRUPTED, MISUSE, PIPE_CLOSED, TERMINATED
from caveat.cli.tokens import completed

_STACK = 64 * 1024 * 1024
_PATIENCE = 0.2
"""Seconds after which the main thread looks for signals that came just before it slept."""


class _Terminated(BaseException):
    """SIGTERM came."""


class _Work(threading.Thread):
    """One run of the command."""

    def __init__(self, tokens: list[str]) -> None:
        super().__init__(name="caveat", daemon=True)
        self._tokens = tokens
        self.code = MISUSE
        self.error: BaseException | None = None
        self.done = threading.Event()  # `is_alive` is wrong once a signal cut a `join` short

    def run(self) -> None:
        """Run it, and keep what it raised for the main thread."""
        try:
            from caveat.cli.app import run

            self.code = run(self._tokens)
        except BaseException as error:
            self.error = error
        finally:
            self.done.set()

    def result(self) -> int:
        """Wait for the exit code."""
        while not self.done.wait(_PATIENCE):
            pass
        if self.error is not None:
            raise self.error
        return self.code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; `sys.argv` by default."""
    tokens = completed(sys.argv[1:] if arguments is None else arguments)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the whole run
    if sys.stdout is None:
        sys.stderr.write("error: cannot write to the standard output: it is closed\n")
        return MISUSE
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    before = signal.signal(signal.SIGTERM, _terminate)
    work = _Work(tokens)
    try:
        _start(work)
        code = work.result()
    except BrokenPipeError:
        return _closed()
    except KeyboardInterrupt:
        return _stopped(work, INTERRUPTED, "interrupted; no file was written half\n")
    except _Terminated:
        return _stopped(work, TERMINATED)
    finally:
        signal.signal(signal.SIGTERM, before)
    if not _flushed():
        _silence()
    return code


def _start(work: _Work) -> None:
    """Start with a stack that does not depend on the system's idea of a thread."""
    before = threading.stack_size(_STACK)
    try:
        work.start()
    finally:
        threading.stack_size(before)


def _terminate(*_: object) -> NoReturn:
    raise _Terminated


def _stopped(work: _Work, code: int, said: str = "") -> int:
    """Put away what is unfinished and end the process; only a run that ended returns."""
    over, stderr = work.done.is_set(), sys.stderr
    if not over:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # What the work says from now on is only that its unfinished files went away.
        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - to the end
        from caveat._files import undo_unfinished

        undo_unfinished()
    with suppress(OSError):
        stderr.write(said)
        stderr.flush()
    if not over:
        os._exit(code)
    return code


def _flushed() -> bool:
    try:
        sys.stdout.flush()
    except OSError:
        return False
    return True


def _closed() -> int:
    """Leave quietly when the reader of our output went away, as `head` does."""
    _silence()
    return PIPE_CLOSED


def _silence() -> None:
    """Let what is left in the buffer go nowhere; Python would try again at its end, and fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
