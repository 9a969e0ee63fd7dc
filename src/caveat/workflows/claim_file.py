"""Reads a file of claims."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from caveat import _validate
from caveat.errors import InputError, SourceError

Entry = str | Mapping[str, Any]
KEYS = ("claim", "sources", "benchmark", "level", "margin")
MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a file of claims says.

    Attributes
    ----------
    entries : tuple of str and mapping
        The claims: sentences, or tables.
    sources : tuple of str
        Files of responses, found from the folder of the file.
    benchmark : str
        That of claims which name none; empty for the only one.
    level, margin : float or None
    """

    entries: tuple[Entry, ...]
    sources: tuple[str, ...] = ()
    benchmark: str = ""
    level: float | None = None
    margin: float | None = None


def said_in(path: str | Path) -> Said:
    """Read a file of claims.

    Raises
    ------
    SourceError
        If the file cannot be read or is not TOML.
    InputError
        If it holds something else than claims.
    """
    path = Path(path)
    said = _parsed(path)
    unknown = [key for key in said if key not in KEYS]
    if unknown:
        raise InputError(f"{path}: unknown key {unknown[0]!r}; allowed: {', '.join(KEYS)}")
    entries = said.get("claim", [])
    if not isinstance(entries, list) or not all(isinstance(e, Mapping | str) for e in entries):
        raise InputError(f'{path}: claims stand in tables [[claim]], as says = "A beats B"')
    sources = said.get("sources", [])
    if not isinstance(sources, list) or not all(isinstance(s, str) and s for s in sources):
        raise InputError(f"{path}: sources must be a list of paths, got {sources!r}")
    if not isinstance(said.get("benchmark", ""), str):
        raise InputError(f"{path}: benchmark must be a text, got {said['benchmark']!r}")
    return Said(
        entries=tuple(entries),
        sources=tuple(str(path.parent / source) for source in sources),
        benchmark=said.get("benchmark", ""),
        level=_share(path, said, "level"),
        margin=_share(path, said, "margin"),
    )


def _parsed(path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes()
        if len(text) > MAX_BYTES:
            raise SourceError(f"{path}: a file of claims may hold {MAX_BYTES:,} bytes at most")
        return tomllib.loads(text.decode("utf-8-sig"))
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SourceError(f"{path}: not readable as TOML ({error})") from error


def _share(path: Path, said: Mapping[str, Any], key: str) -> float | None:
    value = said.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{path}: {key} must be a number between 0 and 1, got {value!r}")
    return _validate.probability(f"{path}: {key}", float(value))
