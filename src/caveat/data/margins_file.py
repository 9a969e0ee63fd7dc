"""Reads margins from a file of any form known here."""

import re
from pathlib import Path

from caveat._files import MEBIBYTE
from caveat.data.margins import Margins
from caveat.data.margins_census import census_margins
from caveat.data.margins_toml import margins_of_toml
from caveat.errors import InputError, SourceError

_LARGEST = 20 * MEBIBYTE
_TOML = re.compile(r"\s*(\[|[\w\"'.,+-]+\s*=)")


def read_margins(
    path: str | Path, *, attributes: tuple[str, ...] = ("age", "ethnicity", "sex")
) -> tuple[Margins, ...]:
    """Read the margins of a population: TOML, or a census table in CSV.

    Which of the two a file is shows in its first line, whatever its name.

    Parameters
    ----------
    path : path
    attributes : tuple of str
        Names of the three attributes of a census table as the voters have them; TOML names its own.

    Returns
    -------
    tuple of Margins
        One for each table of TOML, one for a census table.

    Raises
    ------
    SourceError
        When the file cannot be read.
    InputError
        When it holds no margins, or margins that break a rule: see `Margins`.
    """
    data = _bytes(Path(path))
    lines = (line for line in data.decode("utf-8-sig", "replace").splitlines() if line.strip())
    first = next((line for line in lines if not line.lstrip().startswith("#")), "")
    if not first:
        raise InputError(f"{path}: must hold margins, got an empty file")
    if _TOML.match(first):
        return margins_of_toml(data, file=str(path))
    return (census_margins(data, file=str(path), attributes=attributes),)


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except FileNotFoundError as error:
        raise SourceError(f"{path}: no such file; check the path") from error
    except OSError as error:
        raise SourceError(f"{path}: cannot be read ({error.strerror})") from error
    if len(data) > _LARGEST:
        raise SourceError(f"{path}: margins must not exceed {_LARGEST:,} bytes")
    return data
