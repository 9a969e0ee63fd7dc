"""What votes of models are worth, as tables."""

from caveat.reports.numbers import UNDEFINED, between, one, percent, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.crowd import Crowd, MajoritySize, Trio

ALONE = "the best model itself"


def points(share: float) -> str:
    """Write a difference of shares in points."""
    return one(100 * share)


def votes_table(found: Crowd) -> Table:
    """Return one row for each number of voting models."""
    return Table(
        caption="The vote of the best models, who they are being settled on other items",
        columns=(
            Column("Models"),
            Column("Right"),
            Column("Interval"),
            Column("Against the best alone", help="Difference in points, on the same items"),
            Column("Interval"),
        ),
        rows=tuple(
            (
                Cell(whole(row.k)),
                figure(percent(row.accuracy)),
                figure(between(row.low, row.high, percent)),
                figure(UNDEFINED if row.k == 1 else points(row.gain), ALONE),
                figure(
                    UNDEFINED if row.k == 1 else between(row.gain_low, row.gain_high, points),
                    ALONE,
                ),
            )
            for row in found.by_size
        ),
        note="Answers that are tied share the credit.",
    )


def majority_table(found: Crowd) -> Table:
    """Return one row for each size of the majority."""
    why = found.reasons.get("if_independent", "no answer")
    rows = list(found.by_majority)
    return Table(
        caption="How often the winning answer is right, by its share of the votes",
        columns=(
            Column("Share of votes", text=True),
            Column("Items"),
            Column("Right"),
            Column("Interval"),
            Column("If independent", help="What these votes promise if models erred independently"),
        ),
        rows=(
            *(_majority(share_words(row), row, why) for row in rows),
            _majority("every model answers and agrees", found.unanimous, why),
        ),
    )


def share_words(row: MajoritySize) -> str:
    """Name a size of majority."""
    if row.from_share == 1.0:
        return "all that answer"
    if row.from_share == 0.0:
        return f"under {100 * row.to_share:.0f}%"
    return f"{100 * row.from_share:.0f}% to under {100 * row.to_share:.0f}%"


def _majority(words: str, row: MajoritySize, why: str) -> tuple[Cell, ...]:
    return (
        Cell(words),
        Cell(whole(row.items)),
        figure(percent(row.accuracy), "no such item"),
        figure(between(row.low, row.high, percent), "no such item"),
        figure(percent(row.if_independent), why),
    )


def trios_table(found: Crowd) -> Table | None:
    """Return the best threes; None where there are none."""
    trios = found.trios
    if trios is None:
        return None
    named = (
        ("best vote", trios.best_majority),
        ("most items covered", trios.best_cover),
        ("most covered, one by one", trios.greedy_cover),
    )
    return Table(
        caption=f"Threes of models, of {whole(trios.tried)} tried",
        columns=(
            Column("Chosen for", text=True),
            Column("Models", text=True, whole=True),
            Column("Vote right"),
            Column("One is right", help="Share of items on which one of the three is right"),
        ),
        rows=tuple(_trio(words, trio) for words, trio in named),
        note="Chosen on the items they are judged on: what they do on other items is less.",
    )


def _trio(words: str, trio: Trio) -> tuple[Cell, ...]:
    return (
        Cell(words),
        Cell(", ".join(trio.models)),
        figure(percent(trio.majority)),
        figure(percent(trio.covered)),
    )
