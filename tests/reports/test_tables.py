"""Tables: what they say of columns without figures."""

import io

from rich.console import Console

from caveat.reports.printing import print_table
from caveat.reports.tables.table import Cell, Column, Table, figure


def table(*second, note=""):
    rows = tuple((Cell(f"m{k}"), cell, cell) for k, cell in enumerate(second))
    columns = (Column("Model", text=True), Column("CAPA"), Column("Kappa"))
    return Table(caption="c", columns=columns, rows=rows, note=note)


def test_a_column_without_any_figure_says_why_once():
    made = table(figure("\u2013", "options unknown"), figure("\u2013", "options unknown"))
    assert made.footnote == "CAPA, Kappa \u2013: options unknown."
    written = io.StringIO()
    print_table(made, Console(file=written, width=200))
    assert written.getvalue().splitlines()[-1] == "CAPA, Kappa \u2013: options unknown."


def test_single_cells_and_unexplained_columns_add_nothing():
    assert table(figure("\u2013", "options unknown"), Cell("0.2"), note="n.").footnote == "n."
    assert table(figure("\u2013"), figure("\u2013")).footnote == ""
    assert table().footnote == ""
