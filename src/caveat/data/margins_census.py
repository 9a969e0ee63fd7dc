"""Margins out of the tables that censuses are published in: one column for each joint cell."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from caveat.data.margins import TOLERANCE, Margins
from caveat.errors import InputError, SourceError

Rows = list[list[str]]
ADULTS = ((18, 24), (25, 34), (35, 44), (45, 54), (55, 64), (65, None))
"""Ages last birthday, both included, in which single years are put together."""

_CROSSED = re.compile(r"(?P<group>.+)_(?P<sex>[^_]+)")
_COUNTED = re.compile(
    r"(?P<group>[^:]+):.*,\s*(?P<sex>[^,]+?)\s+(?P<year>\d{4})\s+\((?P<unit>number|percentage)\)"
)
_AGE = re.compile(r"\s*(\d{1,3})\s*\+?\s*")
_ALL = "All"
_SHORT = {
    "Asian/Asian British": "Asian",
    "Black/African/Caribbean/Black British": "Black",
    "Mixed or Multiple ethnic groups": "Mixed",
    "Other ethnic group": "Other",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CensusForm:
    """How one form of table is recognised and read.

    Attributes
    ----------
    name : str
    recognises : callable
        Given the column names, whether the table has this form.
    read : callable
        Given the rows, the name of the file and the names of the attributes, returns the margins.
    """

    name: str
    recognises: Callable[[list[str]], bool]
    read: Callable[[Rows, str, tuple[str, ...]], Margins]


def rows_of(data: bytes, *, file: str) -> Rows:
    """Return the rows of delimited text, the header first."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{file}: must be UTF-8; save the file as UTF-8") from error
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if any(row)]
    except csv.Error as error:
        raise SourceError(f"{file}: must be CSV ({error})") from error
    if len(rows) < 2:
        raise InputError(f"{file}: must hold a header and at least one row, got {len(rows)} rows")
    for number, row in enumerate(rows[1:], 1):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{file}, row {number}: must have {len(rows[0])} fields as the header has, "
                f"got {len(row)}"
            )
    return rows


def census_margins(
    data: bytes, *, file: str, attributes: tuple[str, ...] = ("age", "ethnicity", "sex")
) -> Margins:
    """Read a census table as the joint margins of three attributes.

    Two forms are known:

    - shares (the United States table of PRISM): a first column of ages, a column
      `{ethnicity}_{sex}` for each cell. The row and columns that begin with "All" are totals:
      they are not cells, and have to agree with them;
    - counts (the table of the Office for National Statistics for England and Wales): a column `Age`
      of single years, a column `{group}: {part}, {sex} {year} (number)` for each cell. The newest
      year counts; parts are added up to groups, single years to the ages 18-24, 25-34, 35-44,
      45-54, 55-64 and 65 on, and the counts are divided by the total of these ages. Columns of
      percentages are shares within each part and year, so they are not read.

    Parameters
    ----------
    data : bytes
    file : str
        Name of the file in messages.
    attributes : tuple of str
        Names of age, group and sex as the voters have them.

    Returns
    -------
    Margins

    Raises
    ------
    InputError
        When the table has neither form, a cell is no number, totals disagree, or the shares
        break a rule of `Margins`.
    """
    rows = rows_of(data, file=file)
    if len(attributes) != 3:
        raise InputError(f"attributes must name age, group and sex, got {attributes!r}")
    for form in FORMS:
        if form.recognises(rows[0]):
            return form.read(rows, file, attributes)
    raise InputError(
        f"{file}: must be a census table of one of the forms "
        f"{', '.join(form.name for form in FORMS)}, got columns {', '.join(rows[0][:6])}"
    )


def _is_shares(names: list[str]) -> bool:
    cells = [name for name in names[1:] if not name.startswith(_ALL)]
    return bool(cells) and all(_CROSSED.fullmatch(name) for name in cells)


def _is_counts(names: list[str]) -> bool:
    return any(_COUNTED.fullmatch(name) for name in names[1:])


def _read_shares(rows: Rows, file: str, attributes: tuple[str, ...]) -> Margins:
    cells: dict[tuple[str, ...], float] = {}
    totals: list[tuple[str, str, float]] = []
    for number, row in enumerate(rows[1:], 1):
        for name, text in zip(rows[0][1:], row[1:], strict=True):
            value = _number(text, file=file, row=number, column=name)
            found = _CROSSED.fullmatch(name)
            if name.startswith(_ALL) or row[0].startswith(_ALL) or found is None:
                totals.append((row[0], name, value))
                continue
            cell = (row[0], found["group"], found["sex"])
            if cell in cells:
                raise InputError(f"{file}: each level must be there once, got {cell} twice")
            cells[cell] = value
    margins = _joint(cells, file, attributes)
    _check_totals(cells, totals, file)
    return margins


def _check_totals(
    cells: dict[tuple[str, ...], float], totals: list[tuple[str, str, float]], file: str
) -> None:
    for age, column, stated in totals:
        names = {column, column.removeprefix(f"{_ALL}_")}
        parts = [
            value
            for (cell_age, group, sex), value in cells.items()
            if (age.startswith(_ALL) or age == cell_age)
            and (column == _ALL or f"{group}_{sex}" in names or sex in names)
        ]
        if parts and abs(sum(parts) - stated) > TOLERANCE:
            raise InputError(
                f"{file}: the total of {age!r} in column {column!r} must be the sum of its cells, "
                f"{sum(parts):.10g}, got {stated:.10g}"
            )


def _read_counts(rows: Rows, file: str, attributes: tuple[str, ...]) -> Margins:
    columns = {
        place: found
        for place, name in enumerate(rows[0])
        if (found := _COUNTED.fullmatch(name)) and found["unit"] == "number"
    }
    if not columns:
        raise InputError(f"{file}: must have columns that end in '(number)', got none")
    newest = max(found["year"] for found in columns.values())
    cells: dict[tuple[str, ...], float] = {}
    for number, row in enumerate(rows[1:], 1):
        band = _band(row[0], file=file, row=number)
        if band is None:
            continue
        for place, found in columns.items():
            if found["year"] == newest:
                group = found["group"].strip()
                cell = (band, _SHORT.get(group, group), found["sex"])
                value = _number(row[place], file=file, row=number, column=rows[0][place])
                cells[cell] = cells.get(cell, 0.0) + value
    total = sum(cells.values())
    if not total > 0:
        raise InputError(f"{file}: must count somebody of 18 years or over, got {total:g}")
    return _joint({cell: value / total for cell, value in cells.items()}, file, attributes)


def _joint(cells: dict[tuple[str, ...], float], file: str, attributes: tuple[str, ...]) -> Margins:
    try:
        return Margins(
            name=",".join(attributes),
            attributes=attributes,
            levels=tuple(cells),
            shares=np.array(list(cells.values())),
        )
    except InputError as error:
        raise InputError(f"{file}, {error}") from error


def _band(text: str, *, file: str, row: int) -> str | None:
    found = _AGE.fullmatch(text)
    if found is None:
        raise InputError(f"{file}, row {row}: an age must be a whole number, got {text!r}")
    age = int(found[1])
    return next(iter(_bands(age)), None)


def _bands(age: int) -> Iterator[str]:
    for low, high in ADULTS:
        if age >= low and (high is None or age <= high):
            yield f"{low}+ years old" if high is None else f"{low}-{high} years old"


def _number(text: str, *, file: str, row: int, column: str) -> float:
    try:
        value = float(text.replace(",", ""))
    except ValueError as error:
        raise InputError(
            f"{file}, row {row}, column {column!r}: must be a number, got {text!r}"
        ) from error
    if not value >= 0 or value == float("inf"):
        raise InputError(
            f"{file}, row {row}, column {column!r}: must be a number from 0 on, got {text!r}"
        )
    return value


FORMS = (
    CensusForm(name="counts", recognises=_is_counts, read=_read_counts),
    CensusForm(name="shares", recognises=_is_shares, read=_read_shares),
)
