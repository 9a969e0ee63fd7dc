"""Caveats as workflow commands, which GitHub shows beside a change."""

from collections.abc import Iterable, Mapping

from caveat.reports.visible import visible
from caveat.results.caveat import Caveat, Severity

_COMMANDS: Mapping[Severity, str] = {
    Severity.INFO: "notice",
    Severity.NOTICE: "notice",
    Severity.WARNING: "warning",
    Severity.SERIOUS: "error",
}
_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = _MESSAGE | {":": "%3A", ",": "%2C"}


def to_github(caveats: Iterable[Caveat]) -> str:
    """Return one workflow command a line; empty without caveats."""
    return "".join(_command(caveat) + "\n" for caveat in caveats)


def _command(caveat: Caveat) -> str:
    title = _escape(f"{caveat.code} {caveat.subject}", _PROPERTY)
    # A command has room for one file.
    file = f",file={_escape(caveat.sources[0], _PROPERTY)}" if caveat.sources else ""
    message = _escape(f"{caveat.claim}\n{caveat.remedy}", _MESSAGE)
    return f"::{_COMMANDS[caveat.severity]} title={title}{file}::{message}"


def _escape(text: str, table: Mapping[str, str]) -> str:
    return visible("".join(table.get(character, character) for character in text))
