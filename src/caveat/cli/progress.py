"""Progress of long work, stage by stage, on a terminal."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Self

from caveat.reports.visible import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds of work before anything is shown."""


class Stages:
    """Called with a stage, what is done and what there is to do; gone without a trace at the end.

    Parameters
    ----------
    console
        Where it is drawn.
    clock
        Seconds; replaced in tests.
    """

    def __init__(self, console: "Console", clock: Callable[[], float] = time.monotonic) -> None:
        self._console, self._clock = console, clock
        self._start = clock()
        self._bar: Progress | None = None
        self._stage = ""
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Take the bar away and show the cursor again."""
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """Show how far a stage has come."""
        if self._clock() - self._start < PATIENCE:
            return
        bar = self._bar or self._open()
        if self._task is None or stage != self._stage:
            if self._task is not None:
                bar.remove_task(self._task)
            self._stage, self._task = stage, bar.add_task(visible(stage), total=total)
        bar.update(self._task, completed=done, total=total)

    def _open(self) -> "Progress":
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        text = TextColumn("{task.description}", markup=False)
        self._bar = Progress(
            text,
            BarColumn(),
            TaskProgressColumn(),
            Elapsed(),
            console=self._console,
            transient=True,
        )
        self._bar.start()
        return self._bar
