"""Two boards side by side: one row per model."""

from caveat.reports.numbers import between, counted, decimal, whole
from caveat.reports.tables.table import Cell, Column, Table
from caveat.results.board_change import BoardChange, ChangedModel


def change_table(change: BoardChange, *, caption: str, before: str, after: str) -> Table:
    """Return ranks and ratings on both boards, best first before.

    `before` and `after` name the boards in a word or two.
    """
    moved = len(change.moves)
    return Table(
        caption=caption,
        columns=(
            Column("Model", text=True),
            Column("Rank", help=f"{before}, among the models on both boards"),
            Column(f"Rank {after}"),
            Column("Moved", help="Places up, or down below 0"),
            Column("Rating", help=before),
            Column(f"Rating {after}"),
            Column("Interval", help=f"Of the rating {after}"),
            Column("Tier", help=before),
            Column(f"Tier {after}"),
        ),
        rows=tuple(_row(model) for model in change.models),
        note=f"{counted(moved, 'model')} in another place; Kendall's tau is "
        f"{decimal(change.tau, 3)}.",
    )


def _row(model: ChangedModel) -> tuple[Cell, ...]:
    return (
        Cell(model.model),
        Cell(whole(model.rank)),
        Cell(whole(model.rank_after)),
        Cell(whole(model.moved)),
        Cell(whole(model.rating)),
        Cell(whole(model.rating_after)),
        Cell(between(model.low_after, model.high_after, whole)),
        Cell(str(model.tier)),
        Cell(str(model.tier_after)),
    )
