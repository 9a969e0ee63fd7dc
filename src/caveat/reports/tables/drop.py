"""What it takes to change each boundary of a board."""

from collections.abc import Sequence

from caveat.reports.numbers import UNDEFINED, counted, fine_percent, one, whole
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.stress.drop import Drop, DropAFew, Flip, Unit, VotesTaken


def drop_table(found: DropAFew) -> Table:
    """Return one row for each boundary, and for each pair that was asked for."""
    voters = [
        column
        for column, number in (
            (Column("Voters", help="Of all their votes"), found.n_voters),
            (Column("Prompts", help="With all votes on them"), found.n_prompts),
        )
        if number is not None
    ]
    errors = [
        Column(name, help=words)
        for name, words, number in (
            ("z by voter", "Votes of one voter counted together", found.n_voters),
            ("z by prompt", "Votes on one prompt counted together", found.n_prompts),
        )
        if number is not None
    ]
    return Table(
        caption="At most so many need to go, or to be made up, for the order to change",
        columns=(
            Column("First", help="Models whose set, the best so many, changes"),
            Column("Above", text=True),
            Column("Below", text=True),
            Column("Votes"),
            Column("Of the board", help="Share of all votes between rated models"),
            Column("Of its own", help="Compared with the votes of the model above"),
            *voters,
            Column("Made up", help="Votes added between models of the board"),
            Column("Distance", help="In points"),
            Column("z", help="Distance in standard errors, each vote an independent unit"),
            *errors,
        ),
        rows=tuple(_row(row, found) for row in found.rows),
        note=_note(found),
    )


def _row(row: Drop, found: DropAFew) -> tuple[Cell, ...]:
    votes = row.by("votes")
    clusters: list[Cell] = []
    errors: list[Cell] = []
    units: tuple[tuple[Unit, int | None, float | None], ...] = (
        ("voters", found.n_voters, row.z_voters),
        ("prompts", found.n_prompts, row.z_prompts),
    )
    for unit, number, z in units:
        if number is not None:
            clusters.append(_number(row, unit))
            errors.append(figure(UNDEFINED if z is None else one(z), "no error"))
    return (
        Cell(whole(row.boundary) if row.boundary else "pair"),
        Cell(row.above),
        Cell(row.below),
        _number(row, "votes"),
        figure(fine_percent(votes.share_of_board) if votes else UNDEFINED),
        figure(fine_percent(votes.share_of_top) if votes else UNDEFINED),
        *clusters,
        _number(row, "fabricated"),
        Cell(one(row.difference)),
        figure(one(row.z), "no error"),
        *errors,
    )


def _number(row: Drop, unit: Unit) -> Cell:
    flip = row.by(unit)
    if flip is None or flip.number is None:
        return Cell(UNDEFINED, flip.reason if flip else "")
    said = []
    if (flip.above, flip.below) != (row.above, row.below):
        said.append(f"{flip.below} over {flip.above}")
    if unit in ("voters", "prompts") and flip.votes is not None:
        said.append(f"{counted(flip.votes, 'vote')}, {fine_percent(flip.share_of_board)}")
    if flip.disconnects:
        said.append("the board falls apart")
    return Cell(whole(flip.number) + ("*" if flip.disconnects else ""), "; ".join(said))


def _note(found: DropAFew) -> str:
    said = ["Every number is confirmed by a refit; fewer may do."]
    if any(flip.disconnects for row in found.rows for flip in row.flips):
        said.append("* Only with votes without which the board falls apart.")
    if found.weighted:
        said.append("A vote goes with its weight; made-up ones weigh 1.")
    for unit, number in (("voter", found.unnamed_voters), ("prompt", found.unnamed_prompts)):
        if number:
            said.append(f"{counted(number, 'vote')} without a {unit} stay in any case.")
    return " ".join(said)


def taken_table(flips: Sequence[Flip]) -> Table:
    """Return the kinds of votes that go or come for the first place."""
    names = {"votes": "removed", "fabricated": "made up"}
    return Table(
        caption="The votes that decide the first place",
        columns=(
            Column("Votes", text=True),
            Column("How", text=True),
            Column("Number"),
            Column("Of", help="Such votes on the board"),
        ),
        rows=tuple(
            (
                Cell(kind_words(kind)),
                Cell(names[flip.unit]),
                Cell(whole(kind.number)),
                Cell(UNDEFINED if kind.of is None else whole(kind.of)),
            )
            for flip in flips
            for kind in flip.kinds
        ),
        note=" ".join(
            f"{counted(flip.n_kinds - len(flip.kinds), 'more kind')} of votes {names[flip.unit]}."
            for flip in flips
            if flip.n_kinds > len(flip.kinds)
        ),
    )


def kind_words(kind: VotesTaken) -> str:
    """Say which votes: `wins of A over B`."""
    return (
        f"ties of {kind.model} and {kind.over}"
        if kind.tie
        else f"wins of {kind.model} over {kind.over}"
    )
