"""Margins written in TOML."""

import tomllib
from collections.abc import Iterator
from typing import Any

import numpy as np

from caveat.data.margins import Margins, clean
from caveat.errors import InputError, SourceError

_FORM = '[margins.age] with a line "18-24" = 0.12 for each level'


def margins_of_toml(data: bytes, *, file: str) -> tuple[Margins, ...]:
    r"""Read each table below `margins`.

    A table is named after its attribute, or after several with commas between them. Its keys are
    levels and its values shares. A joint table names a cell by its levels with commas between
    them, or nests a table for each level of the first attribute; levels that hold a comma
    themselves have to be nested.

    Parameters
    ----------
    data : bytes
        The file; whatever else it holds is not read.
    file : str
        Name of the file in messages.

    Returns
    -------
    tuple of Margins

    Raises
    ------
    SourceError
        When it is not TOML.
    InputError
        When there are no margins, or they break a rule of `Margins`.

    Examples
    --------
    >>> text = b'[margins.age]\n"18-44" = 0.4\n"45+" = 0.6\n'
    >>> margins_of_toml(text, file="margins.toml")[0].levels
    (('18-44',), ('45+',))
    """
    tables = _parsed(data, file).get("margins")
    if not isinstance(tables, dict) or not tables:
        raise InputError(f"{file}: must hold tables of margins, such as {_FORM}, got none")
    found = tuple(_one(name, table, file) for name, table in tables.items())
    seen: dict[frozenset[str], str] = {}
    for margins in found:
        same = frozenset(margins.attributes)
        if same in seen:
            raise InputError(
                f"{file}: must state the margins of {', '.join(margins.attributes)} once, got "
                f"{seen[same]!r} and {margins.name!r}"
            )
        seen[same] = margins.name
    return found


def _parsed(data: bytes, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SourceError(f"{file}: must be UTF-8; save the file as UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SourceError(
            f"{file}: must be TOML ({error}); usual causes are a level written "
            "twice, and a level with a blank or a + but no quotes around it"
        ) from error


def _one(name: str, table: object, file: str) -> Margins:
    attributes = tuple(clean(part) for part in name.split(","))
    if not isinstance(table, dict):
        raise InputError(f"{file}, margins {name}: must be a table, such as {_FORM}, got {table!r}")
    cells = list(_cells(table, (), attributes, f"{file}, margins {name}"))
    try:
        return Margins(
            name=name,
            attributes=attributes,
            levels=tuple(levels for levels, _ in cells),
            shares=np.array([share for _, share in cells]),
        )
    except InputError as error:
        raise InputError(f"{file}, {error}") from error


def _cells(
    table: dict[str, Any], above: tuple[str, ...], attributes: tuple[str, ...], where: str
) -> Iterator[tuple[tuple[str, ...], float]]:
    left = len(attributes) - len(above)
    for key, value in table.items():
        if isinstance(value, dict):
            if left < 2:
                raise InputError(
                    f"{where}: must nest {len(attributes) - 1} deep at most, got a table at {key!r}"
                )
            yield from _cells(value, (*above, key), attributes, where)
            continue
        parts = tuple(key.split(",")) if left > 1 else (key,)
        if len(parts) != left:
            raise InputError(
                f"{where}: level {key!r} must name one level each of "
                f"{', '.join(attributes[len(above) :])}, with commas between them; "
                "nest tables where a level holds a comma"
            )
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise InputError(f"{where}, level {key!r}: a share must be a number, got {value!r}")
        yield (*above, *parts), float(value)
