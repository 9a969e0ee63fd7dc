"""How few votes carry the order: the section on drop-a-few."""

import math
from collections.abc import Iterator

from caveat.reports.numbers import counted, fine_percent, one, percent, whole, z_value
from caveat.reports.plots.drop_bars import drop_bars
from caveat.reports.section import Section
from caveat.reports.tables.drop import drop_table, kind_words, taken_table
from caveat.results.stress.drop import Drop, DropAFew, Flip
from caveat.results.stress.stress import Stress

LISTED = 3
_NAMES = {"voters": "voter", "prompts": "prompt"}


def section(stress: Stress) -> Section | None:
    """Say what it takes to change the first place, the weakest boundary and each pair."""
    found = stress.part(DropAFew)
    if found is None:
        return None
    first = found.first_place
    flips = [f for u in ("votes", "fabricated") if first and (f := _by(first, u)) and f.kinds]
    tables = [drop_table(found)] if found.rows else []
    return Section(
        name="drop",
        title="Drop a few votes: how little changes the order",
        sentences=tuple(_sentences(found)),
        tables=(*tables, *([taken_table(flips)] if flips else [])),
        plots=(drop_bars(found),) if found.rows else (),
        finding=_finding(first),
        codes=("RNK209", "VOT402"),
    )


def _by(row: Drop, unit: str) -> Flip | None:
    return next((flip for flip in row.flips if flip.unit == unit), None)


def _finding(first: Drop | None) -> str:
    votes = first.by("votes") if first else None
    if first is None or votes is None or votes.number is None or votes.disconnects:
        return ""
    return (
        f"First place falls to {votes.below} without {counted(votes.number, 'vote')} "
        f"({fine_percent(votes.share_of_board)})"
    )


def _sentences(found: DropAFew) -> Iterator[str]:
    first = found.first_place
    if first is not None:
        yield from _first_place(first, found)
    others = [row for row in found.rows if row.boundary not in (None, 1)]
    if others:
        yield from _weakest(others)
    for row in found.rows:
        if row.boundary is None:
            yield from _pair(row, found)
    if found.rows:
        yield (
            "All numbers are at most, if nothing else is said: each is confirmed by a refit, and "
            "fewer may do."
        )


def _first_place(first: Drop, found: DropAFew) -> Iterator[str]:
    votes = first.by("votes")
    lead = f"{first.above} leads {first.below} by {one(first.difference)} points, {_z(first)}"
    if votes is None or votes.number is None:
        yield f"No removal of votes was found that turns the first two round; {lead}."
        return
    of = f"{whole(votes.number)} of {counted(found.n_votes, 'vote')}"
    sizes = (
        f"{fine_percent(votes.share_of_board)} of the board, {fine_percent(votes.share_of_top)} of "
        f"the {whole(first.n_top)} of {first.above}"
    )
    if votes.disconnects:
        yield (
            f"No removal that keeps the board together turns the first two round, but without "
            f"{of} ({sizes}) it falls apart and {first.above} has no rating beside {first.below} "
            f"any more; {lead}."
        )
    else:
        yield f"First place falls to {first.below} without {of} ({sizes}); {lead}."
    yield f"What goes: {_kinds(votes)}."
    if first.apart is not None and not votes.disconnects:
        yield f"Without {counted(first.apart, 'vote')} already the two can no longer be compared."
    yield from _clusters(first)
    yield from _made_up(first)


def _z(row: Drop) -> str:
    clustered = [
        f"{one(z)} with the votes of one {name} together"
        for z, name in ((row.z_voters, "voter"), (row.z_prompts, "prompt"))
        if z is not None and math.isfinite(z)
    ]
    return z_value(row.z) + (f" ({', '.join(clustered)})" if clustered else "")


def _clusters(row: Drop) -> Iterator[str]:
    for flip in row.flips:
        if flip.unit not in _NAMES:
            continue
        name = _NAMES[flip.unit]
        if flip.number is None:
            yield f"No removal of whole {name}s was found that does it."
            continue
        other = (
            ""
            if (flip.above, flip.below) == (row.above, row.below)
            else f" ({flip.below} is then above {flip.above})"
        )
        who = "who cast" if name == "voter" else "with"
        fewer = f"; all sets of fewer {name}s were tried" if flip.exact and flip.number > 1 else ""
        yield (
            f"It also falls without {whole(flip.number)} of {counted(flip.of, name)}, {who} "
            f"{percent(flip.share_of_board)} of the votes{other}{fewer}."
        )


def _made_up(row: Drop) -> Iterator[str]:
    flip = row.by("fabricated")
    if flip is None or flip.number is None:
        return
    other = ""
    if (flip.above, flip.below) != (row.above, row.below):
        other = f" for {flip.below} over {flip.above}"
    direct = ""
    if row.direct is not None and row.direct > flip.number:
        direct = f"; if all are wins of {row.below} over {row.above}, {whole(row.direct)}"
    yield f"{counted(flip.number, 'made-up vote')} would do it{other}: {_kinds(flip)}{direct}."


def _kinds(flip: Flip) -> str:
    said = []
    for kind in flip.kinds[:LISTED]:
        of = "" if kind.of is None or flip.unit == "fabricated" else f" of {whole(kind.of)}"
        words = kind_words(kind)
        if not of and kind.number == 1:
            words = words.replace("s of ", " of ", 1)  # one win, one tie
        said.append(f"{whole(kind.number)}{of} {words}")
    more = flip.n_kinds - len(said)
    return ", ".join(said) + (f" and {counted(more, 'more kind')} of votes" if more > 0 else "")


def _weakest(rows: list[Drop]) -> Iterator[str]:
    sized = [(row, v.number) for row in rows if (v := row.by("votes")) and v.number is not None]
    if not sized:
        return
    row, number = min(sized, key=lambda pair: pair[1])
    votes = row.by("votes")
    share = fine_percent(votes.share_of_board) if votes else ""
    yield (
        f"Of the boundaries below, that of the first {whole(row.boundary or 0)} is the weakest: "
        f"without {counted(number, 'vote')} ({share}) {row.below} stands above {row.above} "
        f"({z_value(row.z)})."
    )


def _pair(row: Drop, found: DropAFew) -> Iterator[str]:
    votes = row.by("votes")
    lead = f"{row.above} stands {one(row.difference)} points above {row.below}, {_z(row)}"
    if votes is None or votes.number is None:
        yield f"{lead}; no removal of votes was found that turns them round."
        return
    rest = [
        f"{whole(flip.number)} of {counted(flip.of, _NAMES[flip.unit])}"
        for flip in row.flips
        if flip.unit in _NAMES and flip.number is not None
    ]
    made_up = row.by("fabricated")
    also = f", or without {' or '.join(rest)}" if rest else ""
    added = (
        f", or with {counted(made_up.number, 'made-up vote')}"
        if made_up and made_up.number is not None
        else ""
    )
    apart = " (the board then falls apart)" if votes.disconnects else ""
    yield (
        f"{lead}; they turn round without {whole(votes.number)} of "
        f"{counted(found.n_votes, 'vote')} ({fine_percent(votes.share_of_board)}){apart}"
        f"{also}{added}."
    )
