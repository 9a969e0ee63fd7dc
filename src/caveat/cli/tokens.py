"""What is asked for on a command line, before it is parsed."""

from collections.abc import Sequence
from itertools import pairwise, takewhile

END = "--"
_BEFORE = frozenset({"--debug", "--quiet", "-q", "--no-color"})
"""Options of every command that may stand before its name."""


def completed(tokens: Sequence[str]) -> list[str]:
    """Give a `--json` without a file the standard output, and every option its place.

    Examples
    --------
    >>> completed(["rank", "votes.csv", "--json"])
    ['rank', 'votes.csv', '--json=-']
    >>> completed(["rank", "votes.csv", "--json", "--seed", "1"])
    ['rank', 'votes.csv', '--json=-', '--seed', '1']
    >>> completed(["rank", "votes.csv", "--json", "board.json"])
    ['rank', 'votes.csv', '--json=board.json']
    >>> completed(["--debug", "rank", "votes.csv"])
    ['rank', 'votes.csv', '--debug']
    """
    done: list[str] = []
    rest = _command_first(tokens)
    while rest:
        token = rest.pop(0)
        if token == END:
            return [*done, token, *rest]
        if token == "--json":
            named = bool(rest) and (rest[0] == "-" or not rest[0].startswith("-"))
            token = f"--json={rest.pop(0) if named else '-'}"
        done.append(token)
    return done


def _command_first(tokens: Sequence[str]) -> list[str]:
    """Move the usual switches behind the command they were written before."""
    early = list(takewhile(_BEFORE.__contains__, tokens))
    rest = list(tokens[len(early) :])
    if not rest or rest[0].startswith("-"):
        return list(tokens)
    end = rest.index(END) if END in rest else len(rest)
    return [*rest[:end], *early, *rest[end:]]


def wants_json(tokens: Sequence[str]) -> bool:
    """Tell whether the standard output is to hold JSON; tokens are `completed`."""
    asked = list(tokens[: tokens.index(END)] if END in tokens else tokens)
    return (
        "--json=-" in asked or "--output=json" in asked or ("--output", "json") in pairwise(asked)
    )
