"""What stands below a board when it was asked for: what is held equal, and boards by category."""

from caveat.reports.tables.categories import category_tables
from caveat.reports.tables.controls import controls_table
from caveat.reports.tables.table import Table
from caveat.results.ranking import Ranking


def board_extras(ranking: Ranking) -> tuple[Table, ...]:
    """Return the tables that this board has besides its own."""
    tables = [] if ranking.controls is None else [controls_table(ranking.controls)]
    if ranking.categories is not None:
        tables += category_tables(ranking.categories)
    return tuple(tables)
