"""Run one task in a process of its own and read what the operating system says it took."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


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
    """Run `tasks/<task>.py` once."""
    script = Path(__file__).parent / "tasks" / f"{task}.py"
    child = subprocess.Popen(
        [sys.executable, str(script), *arguments], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    printed = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
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
