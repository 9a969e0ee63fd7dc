"""Checks that could not run, those with the same reason together."""

from collections.abc import Sequence

from caveat.results.report import NotRun

FEW = 3
"""Checks of one reason that are named in full; of more, the codes are listed."""


def by_reason(not_run: Sequence[NotRun]) -> tuple[NotRun, ...]:
    """Return one entry for each reason, in the order of the first check that has it.

    Examples
    --------
    >>> both = (NotRun(check="A1 one", why="no votes"), NotRun(check="A2 two", why="no votes"))
    >>> by_reason(both)
    (NotRun(check='A1 one; A2 two', why='no votes'),)
    """
    checks: dict[str, list[str]] = {}
    for item in not_run:
        checks.setdefault(item.why, []).append(item.check)
    return tuple(NotRun(check=_together(names), why=why) for why, names in checks.items())


def _together(names: Sequence[str]) -> str:
    names = tuple(dict.fromkeys(names))
    if len(names) <= FEW:
        return "; ".join(names)
    return ", ".join(dict.fromkeys(name.split(" ", 1)[0] for name in names))
