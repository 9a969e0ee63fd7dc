"""A plot in its place on the page."""

from dataclasses import dataclass

from caveat.reports.plots.plot import Plot


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A plot in its place; `with_table` is false where another figure shows the same table."""

    plot: Plot
    table_open: bool
    with_table: bool = True
