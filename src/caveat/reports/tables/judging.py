"""Judges side by side: what each favours, how far two agree, and whom each puts where."""

from caveat.reports.numbers import UNDEFINED, between, one, percent, two, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.stress.judging import JudgePair, JudgeView, Judging

MODELS = 15
"""Models listed, by their best rank under any judge."""


def judges_table(found: Judging) -> Table:
    """Return one row for each judge."""
    level = percent(found.level).replace(".0", "")
    length = next((j.length_column for j in found.judges if j.length_column), "length")
    return Table(
        caption=f"What each judge favours, with {level} intervals",
        columns=(
            Column("Judge", text=True),
            Column("Votes"),
            Column("Ties"),
            Column("First", text=True, help="By its votes alone"),
            Column("z", help="Of its first over its second"),
            Column("Going first", help="Points that the first place on the screen is worth"),
            Column(f"Twice the {length}", help="Points for twice as much as the other answer"),
            Column("Own kind", help="Its share of points for its own models, less the reference's"),
            Column("Own models", text=True),
        ),
        rows=tuple(_judge(judge) for judge in found.judges),
        note=f"{whole(found.n_left_out)} judges with few votes left out."
        if found.n_left_out
        else "",
    )


def _judge(judge: JudgeView) -> tuple[Cell, ...]:
    reasons = dict(judge.reasons)
    lead, position, length, own = judge.lead, judge.position, judge.length, judge.own
    return (
        Cell(judge.judge),
        Cell(whole(judge.n_votes)),
        Cell(percent(judge.tie_share)),
        figure(lead.leader if lead else UNDEFINED, reasons.get("models", "")),
        figure(one(lead.z) if lead else UNDEFINED, reasons.get("models", "")),
        figure(
            f"{one(position.advantage)} ({between(position.low, position.high, whole)})"
            if position
            else UNDEFINED,
            reasons.get("position", ""),
        ),
        figure(
            f"{one(length.twice)} (z = {one(length.z)})" if length else UNDEFINED,
            reasons.get("length", ""),
        ),
        figure(
            f"{percent(own.difference)} ({between(own.low, own.high, percent)})"
            if own
            else UNDEFINED,
            reasons.get("own", ""),
        ),
        figure(", ".join(own.models) if own else UNDEFINED, reasons.get("own", "")),
    )


def agreement_table(found: Judging) -> Table:
    """Return one row for each pair of judges, those who agree least first."""
    on = " and ".join(filter(None, [", ".join(found.matched_on[:-1]), *found.matched_on[-1:]]))
    order = sorted(found.pairs, key=lambda p: (p.kappa if p.kappa == p.kappa else 2.0, p.a, p.b))
    return Table(
        caption="Agreement of judges on the same comparisons"
        + (f": the same {on}" if found.matched_on else ""),
        columns=(
            Column("Judge", text=True),
            Column("and", text=True),
            Column("Comparisons"),
            Column("Items"),
            Column("Agree"),
            Column("Interval", help="Clustered by item"),
            Column("Kappa"),
            Column("Interval", help="Clustered by item"),
            Column("Tau", help="Kendall's, of the two boards"),
        ),
        rows=tuple(_pair(pair) for pair in order),
    )


def _pair(pair: JudgePair) -> tuple[Cell, ...]:
    why = pair.reason
    return (
        Cell(pair.a),
        Cell(pair.b),
        Cell(whole(pair.n)),
        Cell(whole(pair.n_items)),
        figure(percent(pair.agree), why),
        figure(between(pair.agree_low, pair.agree_high, percent), why or "one item only"),
        figure(two(pair.kappa), why or "both say the same throughout"),
        figure(between(pair.kappa_low, pair.kappa_high, two), why or "one item only"),
        figure(two(pair.tau), "fewer than two models are rated by both"),
    )


def ranks_table(found: Judging) -> Table:
    """Return the rank of the best models under each judge."""
    boards = [{row.model: row for row in judge.models} for judge in found.judges]
    best: dict[str, int] = {}
    for board in boards:
        for name, row in board.items():
            best[name] = min(best.get(name, row.rank), row.rank)
    order = sorted(best, key=lambda name: (best[name], name))[:MODELS]
    left = len(best) - len(order)
    return Table(
        caption="Rank of the best models by each judge alone; (1) is in its first tier",
        columns=(
            Column("Model", text=True),
            *(Column(judge.judge) for judge in found.judges),
        ),
        rows=tuple(
            (
                Cell(name),
                *(
                    figure(_rank(board[name].rank, board[name].tier), "")
                    if name in board
                    else Cell(UNDEFINED, "not rated by this judge")
                    for board in boards
                ),
            )
            for name in order
        ),
        note=f"{whole(left)} more models left out." if left else "",
    )


def _rank(rank: int, tier: int) -> str:
    return f"{whole(rank)} (1)" if tier == 1 else whole(rank)
