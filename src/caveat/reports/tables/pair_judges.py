"""Judges of pairs: each against the right verdicts and itself, and all against each other."""

from caveat.reports.numbers import UNDEFINED, between, decimal, one, percent, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.comparison.judges import JudgesOfPairs, OrderTurned, PairJudge, Preference

SMALL = 0.001


def pair_judges_table(found: JudgesOfPairs) -> Table:
    """Return one row for each judge."""
    level = percent(found.level).replace(".0", "")
    return Table(
        caption=f"Judges of pairs, with {level} intervals",
        columns=(
            Column("Judge", text=True),
            Column("Pairs"),
            Column("Unread", help="Verdicts that could not be read"),
            Column("Right"),
            Column("Interval"),
            Column("Kappa", help="Cohen's, with the right verdicts"),
            Column("Interval"),
            Column("Same", help="Share of pairs with the same verdict in both orders"),
            Column("Interval"),
            Column("First", help="Where the verdict turns: how often the answer shown first wins"),
            Column("p", help="Exact sign test that it leans to neither place"),
            Column("Right in both", help="Share of pairs judged right in both orders"),
            Column("Own kind", help="Its points for answers of its own kind, less the right ones"),
            Column("Longer", help="Its points for the longer answer, less the right ones"),
        ),
        rows=tuple(_row(judge, found) for judge in found.judges),
        live=True,
    )


def _row(judge: PairJudge, found: JudgesOfPairs) -> tuple[Cell, ...]:
    why = {**found.reasons, **judge.reasons}
    gold = why.get("gold", "no pair with a right verdict")
    return (
        Cell(judge.judge),
        Cell(whole(judge.n)),
        Cell(whole(judge.n_unread)),
        figure(percent(judge.accuracy), gold),
        figure(between(judge.low, judge.high, percent), gold),
        figure(two(judge.kappa), gold),
        figure(between(judge.kappa_low, judge.kappa_high, two), gold),
        *_order(judge.order, why.get("order", "")),
        _leaning(judge.own, why.get("own", "")),
        _leaning(judge.longer, why.get("longer", "")),
    )


def _order(order: OrderTurned | None, why: str) -> tuple[Cell, ...]:
    if order is None:
        return (figure(UNDEFINED, why),) * 5
    both = percent(order.n_right_both / order.n_gold) if order.n_gold else UNDEFINED
    never = "no verdict turns"
    return (
        Cell(percent(order.consistent)),
        figure(between(order.low, order.high, percent), why),
        figure(percent(order.first_share), never),
        figure(_p(order.p), never),
        figure(both, "no right verdict"),
    )


def _leaning(found: Preference | None, why: str) -> Cell:
    if found is None:
        return figure(UNDEFINED, why)
    interval = between(100 * found.low, 100 * found.high, one)
    return Cell(f"{one(100 * found.difference)} ({interval})")


def _p(value: float) -> str:
    if value != value:
        return UNDEFINED
    return f"< {decimal(SMALL, 3)}" if value < SMALL else decimal(value, 3)


def kappas_table(found: JudgesOfPairs) -> Table:
    """Return one row for each pair of judges, those who agree least first."""
    order = sorted(found.pairs, key=lambda p: (p.kappa if p.kappa == p.kappa else 2.0, p.a, p.b))
    return Table(
        caption="Agreement of judges with each other",
        columns=(
            Column("Judge", text=True),
            Column("and", text=True),
            Column("Pairs"),
            Column("Agree"),
            Column("Kappa"),
        ),
        rows=tuple(
            (
                Cell(pair.a),
                Cell(pair.b),
                Cell(whole(pair.n)),
                figure(percent(pair.agree), "no pair judged by both"),
                figure(two(pair.kappa), "both say the same throughout"),
            )
            for pair in order
        ),
        note=f"{whole(found.n_pairs_left_out)} more pairs left out."
        if found.n_pairs_left_out
        else "",
        live=True,
    )
