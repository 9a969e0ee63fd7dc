"""Ranks that the items allow, who may be the best, and the luck of the leader."""

from collections.abc import Iterator

from caveat.reports.numbers import between, counted, decimal, percent, whole
from caveat.reports.plots.item_ranks import item_ranks
from caveat.reports.section import Section
from caveat.reports.tables.item_ranks import rank_words, ranks_table, winner_table
from caveat.results.comparison.rank_intervals import RankIntervals
from caveat.results.comparison.winner import WinnersCurse
from caveat.results.report import BenchmarkFindings

LISTED = 5


def section(found: BenchmarkFindings) -> Section | None:
    """Say which ranks are certain, who may be the best, and by how much the leader is too high."""
    part, cursed = found.part(RankIntervals), found.part(WinnersCurse)
    if part is None:
        return None
    tables = (ranks_table(part), *((winner_table(cursed),) if cursed else ()))
    return Section(
        name="item-ranks",
        title="Ranks that the items allow",
        sentences=tuple(_sentences(part, cursed)),
        tables=tables,
        plots=(item_ranks(part),),
        finding=_finding(part),
        codes=("AGR322", "AGR323"),
    )


def _finding(part: RankIntervals) -> str:
    if len(part.best) == 1:
        return f"Only {part.best[0]} may be the best of {counted(len(part.models), 'model')}"
    return (
        f"{whole(len(part.best))} of {counted(len(part.models), 'model')} cannot be ruled out as "
        "the best"
    )


def _sentences(part: RankIntervals, cursed: WinnersCurse | None) -> Iterator[str]:
    m, level = len(part.models), percent(part.level).replace(".0", "")
    certain = sum(row.low == row.high for row in part.models)
    yield (
        f"With {level} confidence for all ranks at once, {_best(part.best)} the best of "
        f"{counted(m, 'model')} on {counted(part.n_items, 'common item')}"
        f"{_units(part)}, and {_certain(certain)}."
    )
    first = part.models[0]
    yield (
        f"{first.model}, which leads, may hold {rank_words(first.low, first.high)}; taken alone, "
        f"{rank_words(first.alone_low, first.alone_high)}."
    )
    wide = max(part.models, key=lambda row: (row.high - row.low, -row.rank))
    if wide.high > wide.low:
        yield (
            f"The widest is {wide.model}: {rank_words(wide.low, wide.high)}, where a plain "
            f"bootstrap says {rank_words(wide.plain_low, wide.plain_high)}, which holds less often "
            "than it promises where models are nearly level."
        )
    if part.items_left_out:
        yield (
            f"{counted(part.items_left_out, 'item')} that some of these models lack "
            f"{'does' if part.items_left_out == 1 else 'do'} not count."
        )
    if part.left_out:
        n = len(part.left_out)
        yield f"{counted(n, 'model')} {'takes' if n == 1 else 'take'} no part for want of items."
    if cursed is not None:
        yield from _winner(cursed)


def _certain(number: int) -> str:
    if not number:
        return "no model has a single possible rank"
    verb = "has" if number == 1 else "have"
    return f"{counted(number, 'model')} {verb} only one possible rank"


def _units(part: RankIntervals) -> str:
    return f" in {counted(part.n_units, 'cluster')}" if part.clustered else ""


def _best(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return f"only {names[0]} may be"
    shown = ", ".join(names[:LISTED])
    more = len(names) - LISTED
    others = f" and {whole(more)} more" if more > 0 else ""
    return f"{whole(len(names))} models ({shown}{others}) cannot be ruled out as"


def _winner(cursed: WinnersCurse) -> Iterator[str]:
    if cursed.reason:
        yield f"What the leader owes to luck is not known: {cursed.reason}."
        return
    points = "less than 0.1" if cursed.curse < 0.0005 else decimal(100 * cursed.curse, 1)
    yield (
        f"The score of {cursed.model}, {percent(cursed.score)}, is the highest of "
        f"{whole(cursed.n_models)}, and such a leader stands {points} points above its true score "
        "on average. Right whoever leads: "
        f"{between(cursed.hybrid_low, cursed.hybrid_high, percent)} (usual interval "
        f"{between(cursed.low, cursed.high, percent)})."
    )
