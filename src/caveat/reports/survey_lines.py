"""What would be read of each file, in lines for the terminal."""

from collections.abc import Iterator, Sequence

from caveat.reports.shortening import cut
from caveat.results.surveyed import Surveyed, SurveyedFile

MAX_FILES, MAX_NAMES = 50, 8
LONGEST_REASON = 200


def survey_lines(surveyed: Surveyed) -> Iterator[str]:
    """Yield a paragraph for each file, then the files that are not read, with the reasons."""
    for file in surveyed.files[:MAX_FILES]:
        yield from _of_file(file)
    if len(surveyed.files) > MAX_FILES:
        yield f"and {len(surveyed.files) - MAX_FILES:,} more files; --json holds them all"
    yield from _unread("passed over", surveyed.passed)
    yield from _unread("cannot be read", surveyed.failed)


def _of_file(file: SurveyedFile) -> Iterator[str]:
    account = file.account
    tested = f" (tested with {file.tested})" if file.tested else ""
    yield f"{file.name}: {file.format}{tested}"
    yield f"  {account.kept:,} {file.kind} of {account.rows_read:,} rows"
    for drop in account.drops:
        yield f"  {drop.count:,} dropped: {drop.reason}"
    for what, names in (("model", file.models), ("benchmark", file.benchmarks)):
        if names:
            yield f"  {_counted(len(names), what)}: {_some(names)}"
    if file.readings:
        pairs = [
            " by ".join(part for part in (metric or "unnamed metric", name) if part)
            + f" ({rows:,})"
            for metric, name, rows in file.readings
        ]
        yield f"  scores: {_some(pairs)}"
    used = [name if n == account.kept else f"{name} ({n:,})" for name, n in file.columns if n]
    yield f"  columns: {', '.join(used)}"
    for notice in file.notices:
        yield f"  notice: {notice}"


def _unread(what: str, files: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, why in files[:MAX_FILES]:
        reason = why.removeprefix(f"{name}: ").split("\n", 1)[0]
        yield f"{name}: {what}: {cut(reason, LONGEST_REASON)}"
    if len(files) > MAX_FILES:
        yield f"and {len(files) - MAX_FILES:,} more {what}; --json holds them all"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMES:,} more" if len(names) > MAX_NAMES else ""
    return ", ".join(names[:MAX_NAMES]) + more
