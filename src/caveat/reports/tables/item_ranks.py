"""Ranks that item-level scores allow, and the leader's score corrected."""

from caveat.reports.numbers import between, percent, ranks, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.rank_intervals import RankIntervals
from caveat.results.comparison.winner import WinnersCurse


def ranks_table(found: RankIntervals) -> Table:
    """Return one row per model, best first."""
    level = percent(found.level).replace(".0", "")
    return Table(
        caption=f"Ranks at {level}, on the items that all these models have",
        columns=(
            Column("Model", text=True),
            Column("Score"),
            Column("Error", help="Standard error, in points"),
            Column("Rank"),
            Column("Together", help="Holds for all models at once"),
            Column("Alone", help="Holds for this model by itself"),
            Column("Plain", help="Percentiles of a plain bootstrap: too narrow near ties"),
            Column("May be best", text=True),
            Column("First", help="Share of bootstrap draws in which it is first"),
        ),
        rows=tuple(
            (
                Cell(row.model),
                Cell(percent(row.score)),
                figure(two(100 * row.se), "all its scores are equal"),
                Cell(whole(row.rank)),
                Cell(ranks(row.low, row.high)),
                Cell(ranks(row.alone_low, row.alone_high)),
                Cell(ranks(row.plain_low, row.plain_high)),
                Cell("yes" if row.may_be_best else "no"),
                Cell(percent(row.first)),
            )
            for row in found.models
        ),
        note=_note(found),
    )


def _note(found: RankIntervals) -> str:
    said = [f"Left out: {name} ({why})." for name, why in list(found.left_out.items())[:5]]
    if len(found.left_out) > 5:
        said.append(f"{whole(len(found.left_out) - 5)} more left out.")
    return " ".join(said)


def winner_table(found: WinnersCurse) -> Table:
    """Return the leader's score by each way to correct it."""
    level = percent(found.level).replace(".0", "")
    rows = (
        ("as it stands", found.score, found.low, found.high),
        ("less the mean excess of a leader", found.corrected, float("nan"), float("nan")),
        ("shrunk towards the mean", found.shrunk, float("nan"), float("nan")),
        ("hybrid: right whoever leads", found.median, found.hybrid_low, found.hybrid_high),
        (
            "given that this model leads",
            found.conditional,
            found.conditional_low,
            found.conditional_high,
        ),
        (
            "projection: all models at once",
            float("nan"),
            found.projection_low,
            found.projection_high,
        ),
    )
    return Table(
        caption=f"True score of {found.model}, {level} intervals",
        columns=(
            Column("Estimate", text=True, whole=True),
            Column("Score"),
            Column("Interval"),
        ),
        rows=tuple(
            (
                Cell(name),
                figure(percent(score), found.reason or "this way has no estimate"),
                figure(between(low, high, percent), found.reason or "this way has no interval"),
            )
            for name, score, low, high in rows
        ),
        note=f"{found.reason[0].upper()}{found.reason[1:]}." if found.reason else "",
    )


def rank_words(low: int, high: int) -> str:
    """Write `rank 1` or `ranks 1-4`."""
    return f"rank {whole(low)}" if low == high else f"ranks {ranks(low, high)}"
