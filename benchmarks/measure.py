"""Run one task in a process of its own and read what the operating system says it took."""

import json
import math
import os
import resource
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LIMIT = 300
"""CPU seconds a task may take."""


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of one task.

    Attributes
    ----------
    startup, work, total : float
        CPU seconds of the imports, of the job, and of the whole process with its threads.
    peak_mb : float
        Largest resident set, in MB of 10**6 bytes.
    check : str
        A figure that shows what was computed.
    """

    startup: float
    work: float
    total: float
    peak_mb: float
    check: str


def run(task: str, *arguments: str) -> Run:
    """Run `tasks/<task>.py` once; after `LIMIT` CPU seconds it is stopped, and its work is nan."""
    script = Path(__file__).parent / "tasks" / f"{task}.py"
    child = subprocess.Popen(
        [sys.executable, str(script), *arguments],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=_limit,
    )
    assert child.stdout is not None
    printed = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return Run(
            startup=math.nan,
            work=math.nan,
            total=usage.ru_utime + usage.ru_stime,
            peak_mb=usage.ru_maxrss * 1024 / 1e6,
            check=f"stopped after {LIMIT} s",
        )
    if status:
        message = f"{task} failed with status {status}"
        raise RuntimeError(message)
    said = json.loads(printed.strip().splitlines()[-1])
    return Run(
        startup=said["startup"],
        work=said["work"],
        total=usage.ru_utime + usage.ru_stime,
        peak_mb=usage.ru_maxrss * 1024 / 1e6,
        check=said["check"],
    )
