"""What the properties of an answer are worth."""

from caveat.reports.numbers import between, counted, decimal, one, percent
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.control import Coefficient, Controls


def controls_table(controls: Controls) -> Table:
    """Return one row for each property that is held equal."""
    level = percent(controls.level).replace(".0", "")
    relative = controls.contrast == "relative"
    how = "(a \u2212 b) / (a + b)" if relative else "a \u2212 b"
    together = ""
    if controls.cluster is not None and controls.n_clusters is not None:
        together = (
            f" Errors count the votes of one {controls.cluster} together "
            f"({counted(controls.n_clusters, controls.cluster)})."
        )
    left_out = [f"{one.name}: {one.why}" for one in controls.left_out]
    missing = counted(controls.n_incomplete, "vote")
    return Table(
        caption=f"Worth of a property in points, with {level} intervals; differences are {how}",
        columns=(
            Column("Property", text=True),
            Column("Typical difference", help="Root mean square over the votes"),
            Column("Points", help="For a typical difference"),
            Column("Interval"),
            Column("z"),
            Column("Twice as much", help="Points for twice as much as the other answer")
            if relative
            else Column("Per unit", help="Points for a difference of 1"),
            Column("Win chance", help="Of the answer a typical difference ahead, models equal"),
        ),
        rows=tuple(_row(one, relative) for one in controls.coefficients),
        note=f"{counted(controls.n_votes, 'vote')}"
        + (f", {missing} left out for a missing value" if controls.n_incomplete else "")
        + f".{together}"
        + (f" Not held equal: {'; '.join(left_out)}." if left_out else ""),
    )


def _row(found: Coefficient, relative: bool) -> tuple[Cell, ...]:  # noqa: FBT001
    return (
        Cell(found.name),
        Cell(decimal(found.spread, 2)),
        Cell(one(found.points)),
        figure(between(found.low, found.high, one), "no error"),
        figure(one(found.z), "no error"),
        Cell(one(found.twice) if relative else decimal(found.per_unit, 3)),
        Cell(percent(found.win_probability)),
    )
