"""Reads a table of aliases: TOML, or CSV with the columns alias and model."""

import csv
import io
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from caveat._files import MEBIBYTE
from caveat.data.aliases import checked
from caveat.errors import InputError, SourceError

_LARGEST = 5 * MEBIBYTE
_TABLE = "aliases"
_YES, _NO = frozenset({"yes", "y", "true", "1", "x"}), frozenset({"", "no", "n", "false", "0"})


def read_aliases(path: str | Path) -> dict[str, str]:
    """Read a table of aliases: which name of a model stands for which.

    TOML has a table `[aliases]` of `"alias" = "model"`, or `"model" = ["alias", ...]`; CSV has
    the columns `alias` and `model`, and may have `accept`: then only rows that say yes count.
    Which of the two a file is shows in its first line.

    Raises
    ------
    SourceError
        When the file cannot be read.
    InputError
        When it is no table of aliases, or breaks a rule of `checked`.
    """
    text = _text(Path(path))
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    columns = [part.strip().strip('"').lower() for part in first.split(",")]
    pairs = _of_csv(text, path) if {"alias", "model"} <= set(columns) else _of_toml(text, path)
    return checked(pairs, where=str(path))


def pairs_of(table: Any, *, where: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - TOML
    """Yield alias and model of a table of TOML.

    Raises
    ------
    InputError
        When a value is neither a name nor a list of names.
    """
    if not isinstance(table, dict):
        raise InputError(f"{where}: aliases must be a table, got {table!r}")
    for name, value in table.items():
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, list) and all(isinstance(alias, str) for alias in value):
            yield from ((alias, name) for alias in value)
        else:
            raise InputError(
                f'{where}: an alias must be "alias" = "model" or "model" = ["alias"], got '
                f"{name!r} = {str(value)[:60]}"
            )


def _of_toml(text: str, path: str | Path) -> Iterator[tuple[str, str]]:
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(
            f"{path}: must be TOML with a table [aliases], or CSV with columns alias and model "
            f"({error})"
        ) from error
    others = [name for name in document if name != _TABLE]
    if others:
        raise InputError(f"{path}: must hold a table [aliases] alone, got {others[0]!r}")
    yield from pairs_of(document.get(_TABLE, {}), where=str(path))


def _of_csv(text: str, path: str | Path) -> Iterator[tuple[str, str]]:
    while text.startswith("#"):
        text = text.partition("\n")[2]
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    names = {(name or "").strip().lower(): name for name in reader.fieldnames or ()}
    try:
        for number, row in enumerate(reader, 1):
            said = (row.get(names.get("accept", "")) or "").strip().lower()
            if said not in _YES | _NO:
                raise InputError(f"{path}, row {number}: accept must be yes or empty, got {said!r}")
            if "accept" not in names or said in _YES:
                yield row[names["alias"]] or "", row[names["model"]] or ""
    except csv.Error as error:
        raise InputError(f"{path}: not readable as CSV ({error})") from error


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror or error})") from error
    if len(data) > _LARGEST:
        raise SourceError(f"{path}: a table of aliases must not exceed {_LARGEST:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: is not UTF-8; save it as UTF-8") from error
