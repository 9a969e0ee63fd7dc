"""How few items carry an order."""

from collections.abc import Mapping, Sequence

from caveat.reports.numbers import UNDEFINED, decimal, fine_percent, percent, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.item_removal import ItemRemoval, OrderFlip, Rivalry, Unit

LISTED = 20
_GROUPS: Mapping[Unit, str] = {
    "tasks": "Whole tasks that have to go instead",
    "clusters": "Whole clusters of items that have to go instead",
}
MEANS = {"items": "over items", "tasks": "over tasks"}


def rivals_table(found: ItemRemoval) -> Table:
    """Return one row per rival of the leader, closest first, and per pair that was asked for."""
    rows = (*found.rivals, *found.pairs)
    units = [unit for unit in _GROUPS if any(row.flip(unit) for row in rows)]
    by_task = any(row.flip("items", "tasks") for row in rows)
    return Table(
        caption="So many items have to go for the lower model to stand above",
        columns=(
            Column("Above", text=True),
            Column("Below", text=True),
            Column("Items", help="No fewer do"),
            Column("Of", help="Items that both have a score on"),
            Column("Share"),
            Column("Chance", help="Two equal models with as many differing items: 19 in 20 less"),
            Column("At random", help="Removed at random, for one try in 20 to turn the order"),
            *(Column(unit.capitalize(), help=_GROUPS[unit]) for unit in units),
            *((Column("By mean of tasks", help="Items, where all tasks weigh alike"),) * by_task),
            Column("p", help="Paired test over independent items"),
            Column("Other verdict", help="Items without which the paired test says otherwise"),
        ),
        rows=tuple(_row(row, units, by_task=by_task) for row in rows),
        note=_note(found),
    )


def _row(row: Rivalry, units: Sequence[Unit], *, by_task: bool) -> tuple[Cell, ...]:
    items = row.flip("items")
    if items is None:
        blank = tuple(Cell(UNDEFINED, row.reason) for _ in range(7 + len(units) + by_task))
        return (Cell(row.a), Cell(row.b), *blank)
    groups = [row.flip(unit) for unit in units]
    verdict = row.verdict
    p = UNDEFINED if verdict is None else p_value(verdict.p)
    other = Cell(UNDEFINED, verdict.reason if verdict else "")
    if verdict is not None and verdict.number is not None:
        other = Cell(whole(verdict.number), "significant before" if verdict.significant else "")
    return (
        Cell(row.a),
        Cell(row.b),
        number(items),
        Cell(whole(items.of)),
        figure(fine_percent(items.share)),
        figure(UNDEFINED if items.equal is None else whole(items.equal)),
        figure(UNDEFINED if items.at_random is None else whole(items.at_random)),
        *(number(flip) for flip in groups),
        *((number(row.flip("items", "tasks")),) * by_task),
        figure(p, verdict.reason if verdict else ""),
        other,
    )


def number(flip: OrderFlip | None) -> Cell:
    """Return how many, with what they are in the title."""
    if flip is None:
        return Cell(UNDEFINED)
    if flip.number is None:
        return Cell(UNDEFINED, f"no removal of {flip.unit} does it")
    at_most = "" if flip.exact else "≤ "
    names = "" if flip.unit == "items" else f": {', '.join(flip.removed[:5])}"
    return Cell(f"{at_most}{whole(flip.number)}", f"of {whole(flip.of)}{names}")


def p_value(p: float) -> str:
    """Write a p value."""
    if p != p:
        return UNDEFINED
    return "under 0.0001" if p < 0.0001 else decimal(p, 4)


def _note(found: ItemRemoval) -> str:
    said = []
    if found.n_rivals > len(found.rivals):
        more = found.n_rivals - len(found.rivals)
        said.append(f"{whole(more)} rivals further off are not listed.")
    if found.unlike:
        said.append(f"Without a common item with the leader: {', '.join(found.unlike[:5])}.")
    return " ".join(said)


def removed_table(flip: OrderFlip) -> Table:
    """Return the items that go."""
    shown = flip.removed[:LISTED]
    missing = (flip.number or 0) - len(shown)
    said = [f"{whole(missing)} more go."] if missing > 0 else []
    if flip.pool > (flip.number or 0):
        said.append(f"Any of {whole(flip.pool)} items would do as well as the last.")
    return Table(
        caption=f"Items without which {flip.below} stands above {flip.above}",
        columns=(Column("Item", text=True, whole=True),),
        rows=tuple((Cell(item),) for item in shown),
        note=" ".join(said),
    )


def first_table(found: ItemRemoval) -> Table:
    """Return what the first place takes, by mean and by what goes."""
    return Table(
        caption="What it takes for the first place to fall, over all rivals",
        columns=(
            Column("Mean", text=True, help="What a score is"),
            Column("Without", text=True),
            Column("First", text=True),
            Column("Then", text=True),
            Column("Number"),
            Column("Of"),
            Column("Share"),
            Column("Lead", help="In points, on the common items"),
        ),
        rows=tuple(
            (
                Cell(MEANS[flip.mean]),
                Cell(flip.unit),
                Cell(flip.above),
                Cell(flip.below if flip.number is not None else UNDEFINED),
                number(flip),
                Cell(whole(flip.of)),
                figure(fine_percent(flip.share), "no removal does it"),
                Cell(percent(flip.difference)),
            )
            for flip in found.first
        ),
    )
