"""People and models as judges: the section on judges."""

import math
from collections.abc import Iterator

from caveat.reports.numbers import UNDEFINED, between, counted, one, percent, two, z_value
from caveat.reports.plots.judge_ranks import judge_ranks
from caveat.reports.section import Section
from caveat.reports.tables.judging import agreement_table, judges_table
from caveat.results.stress.judging import JudgePair, JudgeView, Judging
from caveat.results.stress.stress import Stress

LISTED = 4


def section(stress: Stress) -> Section | None:
    """Return judges side by side."""
    found = stress.part(Judging)
    if found is None:
        return None
    plot = judge_ranks(found)
    return Section(
        name="judging",
        title="Judges: do they agree, and whom do they favour?",
        sentences=(
            *_first_places(found),
            *(_agree(pair) for pair in _told(found)),
            *(_own(judge) for judge in found.judges if judge.prefers_own),
            *_position(found),
            *_length(found),
        ),
        tables=(judges_table(found), agreement_table(found)),
        plots=() if plot is None else (plot,),
        finding=_finding(found),
        codes=("RNK217",),
    )


def _finding(found: Judging) -> str:
    firsts = {judge.lead.leader for judge in found.judges if judge.lead is not None}
    said = f"{counted(len(found.judges), 'judge')} name {counted(len(firsts), 'first place')}"
    told = _told(found)
    if told:
        said += f"; {told[0].a} and {told[0].b} agree on {percent(told[0].agree)} of verdicts"
    return said


def _first_places(found: Judging) -> Iterator[str]:
    said = [
        f"{judge.judge} {judge.lead.leader} ({z_value(judge.lead.z)})"
        for judge in found.judges
        if judge.lead is not None
    ]
    if said:
        yield f"By its votes alone each judge puts first: {', '.join(said)}."
    for pair in found.pairs:
        if pair.boards_differ:
            yield (
                f"{pair.a} and {pair.b} surely differ on the first place: the first model of one "
                "is outside the first tier of the other."
            )


def _told(found: Judging) -> list[JudgePair]:
    """Pairs with people first, then those who agree least."""
    people = {judge.judge for judge in found.judges if judge.people}
    known = [pair for pair in found.pairs if not pair.reason]
    order = sorted(known, key=lambda p: (not people & {p.a, p.b}, p.kappa))
    return order[:LISTED]


def _agree(pair: JudgePair) -> str:
    return (
        f"{pair.a} and {pair.b} agree on {percent(pair.agree)} of "
        f"{counted(pair.n, 'comparison')} on {counted(pair.n_items, 'item')}{_kappa(pair)}."
    )


def _kappa(pair: JudgePair) -> str:
    """Write kappa with its interval; nothing where both say the same throughout."""
    if not math.isfinite(pair.kappa):
        return ""
    interval = between(pair.kappa_low, pair.kappa_high, two)
    return f": kappa {two(pair.kappa)}" + (f" ({interval})" if interval != UNDEFINED else "")


def _own(judge: JudgeView) -> str:
    own = judge.own
    assert own is not None  # noqa: S101 - the caller checked, this is for mypy
    give = "give" if own.reference in ("people", "the other judges") else "gives"
    return (
        f"{judge.judge} gives its own kind ({', '.join(own.models[:LISTED])}; by {own.how}) "
        f"{percent(own.share)} of the points, {own.reference} {give} "
        f"{percent(own.reference_share)} on the same {counted(own.n, 'comparison')}: a "
        f"difference of {one(100 * own.difference)} percentage points "
        f"({one(100 * own.low)} to {one(100 * own.high)})."
    )


def _position(found: Judging) -> Iterator[str]:
    said = [
        f"{judge.judge} {one(judge.position.advantage)}"
        for judge in found.judges
        if judge.position is not None and judge.prefers_position
    ]
    if said:
        yield f"Points that going first is surely worth to a judge: {', '.join(said)}."


def _length(found: Judging) -> Iterator[str]:
    said = [
        f"{judge.judge} {one(judge.length.twice)} ({z_value(judge.length.z)})"
        for judge in found.judges
        if judge.length is not None
    ]
    if said:
        column = next(judge.length_column for judge in found.judges if judge.length is not None)
        yield f"Points for an answer with twice the {column}: {', '.join(said)}."
