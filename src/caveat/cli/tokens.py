"""What is asked for on a command line, before it is parsed."""

from collections.abc import Sequence
from itertools import pairwise

END = "--"


def completed(tokens: Sequence[str]) -> list[str]:
    """Give a `--json` without a file the standard output.

    Examples
    --------
    >>> completed(["rank", "votes.csv", "--json"])
    ['rank', 'votes.csv', '--json=-']
    >>> completed(["rank", "votes.csv", "--json", "--seed", "1"])
    ['rank', 'votes.csv', '--json=-', '--seed', '1']
    >>> completed(["rank", "votes.csv", "--json", "board.json"])
    ['rank', 'votes.csv', '--json=board.json']
    """
    done: list[str] = []
    rest = list(tokens)
    while rest:
        token = rest.pop(0)
        if token == END:
            return [*done, token, *rest]
        if token == "--json":
            named = bool(rest) and (rest[0] == "-" or not rest[0].startswith("-"))
            token = f"--json={rest.pop(0) if named else '-'}"
        done.append(token)
    return done


def wants_json(tokens: Sequence[str]) -> bool:
    """Tell whether the standard output is to hold JSON; tokens are `completed`."""
    asked = list(tokens[: tokens.index(END)] if END in tokens else tokens)
    return (
        "--json=-" in asked or "--output=json" in asked or ("--output", "json") in pairwise(asked)
    )
