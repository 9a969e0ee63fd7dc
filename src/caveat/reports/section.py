"""A section of a report: what it says, and the figures behind it."""

from dataclasses import dataclass

from caveat.reports.plots.plot import Plot
from caveat.reports.tables.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """What one test found, ready to be shown on a terminal or a page.

    Attributes
    ----------
    name : str
        Unique in a report; letters, digits and hyphens. That of the test.
    title : str
    sentences : tuple of str
        What a referee would write, figures included; each ends with a full stop.
    tables : tuple of Table
        The terminal shows the first rows of each.
    plots : tuple of Plot
        On a page, each with its table folded away.
    finding : str
        The same in a few words, for a list of all tests; no full stop. Empty: the first sentence
        stands for it.
    codes : tuple of str
        Caveats that this test can raise.
    """

    name: str
    title: str
    sentences: tuple[str, ...]
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    finding: str = ""
    codes: tuple[str, ...] = ()

    @property
    def found(self) -> str:
        """What it found, in as few words as there are."""
        return self.finding or next(iter(self.sentences), "").removesuffix(".")
