"""Rating systems side by side."""

from caveat.reports.numbers import counted, percent, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.stress.systems import EloOrders, SystemsDisagree

MAX_MODELS = 40


def systems_table(found: SystemsDisagree) -> Table:
    """Return one row per rating system: whom it puts first, and how close it is to the board."""
    return Table(
        caption="The same votes by every rating system; the board's own comes first",
        columns=(
            Column("System", text=True),
            Column("First", text=True),
            Column("Second", text=True),
            Column("Tau", help="Kendall's tau-b with the board: 1 is the same order"),
            Column("Models", help="Rated by this system and by the board"),
            Column("Allows for opponents", text=True, help="And for how often models met"),
            Column("Order of votes matters", text=True),
        ),
        rows=tuple(
            (
                Cell(one.title),
                Cell(one.order[0]),
                Cell(one.order[1] if len(one.order) > 1 else ""),
                figure(two(one.tau)),
                Cell(whole(one.n_models)),
                Cell("yes" if one.adjusted else "no"),
                Cell("yes" if one.order_dependent else "no"),
            )
            for one in found.systems
        ),
        note=" ".join(f"{one.title} left out: {one.why}." for one in found.skipped),
    )


def spans_table(found: SystemsDisagree) -> Table:
    """Return one row per model, in the order of the board: its place by every system."""
    complete = [method for method, _ in found.spans[0].ranks] if found.spans else []
    left = len(found.spans) - MAX_MODELS
    return Table(
        caption="Places among the rated models, by system",
        columns=(
            Column("Model", text=True),
            Column("Best"),
            Column("Worst"),
            *(Column(found.title(method)) for method in complete),
        ),
        rows=tuple(
            (
                Cell(one.model),
                Cell(whole(one.low)),
                Cell(whole(one.high)),
                *(Cell(whole(rank)) for _, rank in one.ranks),
            )
            for one in found.spans[:MAX_MODELS]
        ),
        note=f"{counted(left, 'model')} further down left out." if left > 0 else "",
    )


def orders_table(elo: EloOrders) -> Table:
    """Return how often each model came first over random orders."""
    return Table(
        caption=f"First by Elo (K = {elo.k:g}) over {whole(elo.shuffles)} orders of the same votes",
        columns=(Column("Model", text=True), Column("Orders"), Column("Share")),
        rows=tuple(
            (Cell(model), Cell(whole(n)), Cell(percent(n / elo.shuffles))) for model, n in elo.first
        ),
    )
