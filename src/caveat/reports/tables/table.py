"""A table ready to be shown: every figure already written as text."""

from dataclasses import dataclass

from caveat.reports.numbers import UNDEFINED

UNEXPLAINED = "undefined"
"""What a cell says of an undefined figure for which no reason is known."""


@dataclass(frozen=True, slots=True)
class Column:
    """Heading of a column; `text` columns align left, the others right.

    Long texts are cut wherever a table is shown, except in columns that are `whole` on a page.
    """

    name: str
    text: bool = False
    help: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; `title` says more, such as why a figure is undefined."""

    text: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells under their columns; the first cell of a row names the row.

    `note` says what the table leaves out, when it does. On a page, a `live` table can be sorted by
    its columns and filtered by words.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    live: bool = False

    @property
    def footnote(self) -> str:
        """The note, and why columns are undefined in every row, where that is known."""
        columns: dict[str, list[str]] = {}
        for place, column in enumerate(self.columns):
            cells = {row[place] for row in self.rows}
            if len(cells) == 1:
                (cell,) = cells
                if cell.text == UNDEFINED and cell.title not in ("", UNEXPLAINED):
                    names = columns.setdefault(cell.title, [])
                    names += [column.name] if column.name not in names else []
        why = [f"{', '.join(names)} {UNDEFINED}: {reason}." for reason, names in columns.items()]
        return " ".join(filter(None, [self.note, *why]))


def figure(text: str, reason: str = "") -> Cell:
    """Return a cell that carries the reason when the figure is undefined."""
    return Cell(text, reason or UNEXPLAINED) if text == UNDEFINED else Cell(text)
