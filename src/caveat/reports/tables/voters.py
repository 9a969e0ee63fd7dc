"""Who voted, and the board under other readings of the votes."""

from collections.abc import Sequence

from caveat.reports.numbers import UNDEFINED, counted, one, percent, two, whole
from caveat.reports.tables.board import rank_range
from caveat.reports.tables.quality import probability
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.stress.voters import (
    GroupBoard,
    GroupTest,
    Level,
    Population,
    Reading,
    Target,
    VoterReadings,
)

_FEW = "Too few voters to be shown"


def declared_table(found: VoterReadings) -> Table:
    """Return one row for each level of each attribute."""
    hidden = [table.attribute for table in found.declared if table.reason]
    notes = [
        f"Levels of fewer than {counted(found.threshold, 'voter')} are merged, and with them the "
        "smallest other where their size could be found by subtraction."
        if found.threshold > 1
        else "",
        f"Not shown for its few voters: {', '.join(hidden)}." if hidden else "",
    ]
    return Table(
        caption="Voters by what they declare",
        columns=(
            Column("Attribute", text=True),
            Column("Level", text=True),
            Column("Voters"),
            Column("Share", help="Of all voters"),
            Column("Votes"),
            Column("Share of votes", help="Of the votes that name their voter"),
            Column("Votes each", help="Mean"),
            Column("Median"),
            Column("Gini", help="Of votes over the voters of the level: 0 for equal numbers"),
        ),
        rows=tuple(
            _level(table.attribute, level) for table in found.declared for level in table.levels
        ),
        note=" ".join(filter(None, notes)),
    )


def _level(attribute: str, level: Level) -> tuple[Cell, ...]:
    return (
        Cell(attribute),
        Cell(level.level),
        Cell(whole(level.n_voters)),
        Cell(percent(level.share)),
        Cell(whole(level.n_votes)),
        Cell(percent(level.votes_share)),
        Cell(one(level.mean)),
        Cell(whole(level.median)),
        Cell(two(level.gini)),
    )


def targets_table(population: Population) -> Table:
    """Return voters beside a population, level by level."""
    return Table(
        caption=f"Voters beside {population.name}",
        columns=(
            Column("Attribute", text=True),
            Column("Level", text=True),
            Column("Voters", help="Share of those who declare the attribute"),
            Column("Votes", help="Share of their votes"),
            Column("Population"),
            Column("Weighted", help="Share of the voters once weighted"),
        ),
        rows=tuple(_target(target) for target in population.targets),
        note=_said(population.notes),
    )


def _said(notes: Sequence[str]) -> str:
    return " ".join(f"{note[0].upper()}{note[1:]}." for note in notes)


def _target(target: Target) -> tuple[Cell, ...]:
    shares = (target.voters, target.votes, target.population, target.weighted)
    return (
        Cell(target.attribute),
        Cell(target.level),
        *(figure(percent(share), "No weights") for share in shares),
    )


def populations_table(found: VoterReadings) -> Table:
    """Return one row for each population that voters are weighted to."""
    return Table(
        caption="Populations that voters are weighted to",
        columns=(
            Column("Population", text=True),
            Column("By", text=True),
            Column("How", text=True),
            Column("Voters"),
            Column("Left out", help="They do not declare what the margins ask for"),
            Column("Largest weight", help="In multiples of the mean"),
            Column("At the limit", help="Share of voters with the largest weight allowed"),
            Column("Design effect", help="1 + cv^2 of the weights"),
            Column("Worth", help="Equally weighted voters worth as much"),
        ),
        rows=tuple(_population(population) for population in found.populations),
    )


def _population(population: Population) -> tuple[Cell, ...]:
    why = population.reason
    return (
        Cell(population.name),
        Cell(", ".join(population.attributes) or UNDEFINED, why),
        Cell(population.how if not why else "not weighted", why),
        figure(whole(population.n_voters) if not why else UNDEFINED, why),
        Cell(whole(population.n_left_out)),
        figure(two(population.largest), why),
        figure(percent(population.capped), why or _FEW),
        figure(two(population.design_effect), why),
        figure(whole(population.effective_voters), why),
    )


def readings_table(found: VoterReadings) -> Table:
    """Return one row for each reading of the votes."""
    return Table(
        caption="The same votes under several readings",
        columns=(
            Column("Reading", text=True),
            Column("Votes"),
            Column("Voters"),
            Column("Worth", help="Equally weighted voters worth as much"),
            Column("First", text=True),
            Column("z", help="Of its lead, with the votes of one voter together"),
            Column("z needed"),
            Column("First tier", help="Models not separable from the first"),
            Column("Leave", help="Models of the first tier as cast that are not in it"),
            Column("Join"),
            Column("tau", help="Kendall's, with the order of the same votes as cast"),
            Column("p", help="That chance moves a rating as much"),
        ),
        rows=tuple(_reading(reading) for reading in found.readings),
        note="Compared are the same votes as cast; voters, not votes, are taken for independent.",
    )


def _reading(reading: Reading) -> tuple[Cell, ...]:
    why, lead = reading.reason, reading.lead
    compared = reading.reference is not None and not why
    apart = "The votes as cast" if reading.kind == "cast" else "Nothing moves"
    return (
        Cell(reading.name, reading.title),
        Cell(whole(reading.n_votes)),
        Cell(whole(reading.n_voters)),
        figure(whole(reading.effective_voters), "No voters"),
        figure(lead.leader if lead else UNDEFINED, why),
        figure(one(lead.z) if lead else UNDEFINED, why),
        figure(one(reading.critical), why),
        figure(whole(len(reading.first)) if lead else UNDEFINED, why),
        figure(whole(len(reading.gone)) if compared else UNDEFINED, why or apart),
        figure(whole(len(reading.joined)) if compared else UNDEFINED, why or apart),
        figure(two(reading.tau), why or apart),
        figure(probability(reading.shift.p) if reading.shift else UNDEFINED, why or apart),
    )


def side_by_side_table(readings: Sequence[Reading]) -> Table:
    """Return the boards of several readings, best first on the first of them."""
    boards = [{model.model: model for model in reading.models} for reading in readings]
    columns = [Column("Model", text=True)]
    for reading in readings:
        columns += [Column(f"Rating, {reading.name}"), Column(f"Ranks, {reading.name}")]
    rows = []
    for model in readings[0].models if readings else ():
        cells = [Cell(model.model)]
        for board in boards:
            other = board.get(model.model)
            reason = other.reason if other else "Nobody voted on it"
            cells.append(figure(whole(other.rating) if other else UNDEFINED, reason))
            cells.append(figure(rank_range(other) if other else UNDEFINED, reason))
        rows.append(tuple(cells))
    return Table(
        caption="Boards of all readings side by side", columns=tuple(columns), rows=tuple(rows)
    )


def groups_table(found: VoterReadings) -> Table:
    """Return one row for each attribute: do its groups rank alike?"""
    return Table(
        caption="Whether groups of voters rank alike",
        columns=(
            Column("Attribute", text=True),
            Column("Groups"),
            Column("Votes", help="Decisive votes that are compared"),
            Column("Statistic", help="Score statistic against ratings of its own for each group"),
            Column("Expected", help="If the groups ranked alike, the votes of a voter together"),
            Column("p", help="Adjusted over attributes"),
            Column("Most apart", text=True, help="Not adjusted for having been looked for"),
            Column("Higher with", text=True),
            Column("than with", text=True),
            Column("Points"),
            Column("z"),
        ),
        rows=tuple(_test(test) for test in found.groups),
    )


def _test(test: GroupTest) -> tuple[Cell, ...]:
    why, apart = test.reason, test.apart
    none = why or "No model is rated by two groups"
    return (
        Cell(test.attribute),
        Cell(whole(len(test.groups))),
        figure(whole(test.n_votes) if not why else UNDEFINED, why),
        figure(one(test.statistic), why),
        figure(one(test.expected), why),
        figure(probability(test.p_adjusted), why),
        figure(apart.model if apart else UNDEFINED, none),
        figure(apart.above if apart else UNDEFINED, none),
        figure(apart.below if apart else UNDEFINED, none),
        figure(whole(apart.points) if apart else UNDEFINED, none),
        figure(one(apart.z) if apart else UNDEFINED, none),
    )


def group_boards_table(found: VoterReadings) -> Table:
    """Return one row for each group of voters."""
    return Table(
        caption="Boards by group of voters",
        columns=(
            Column("Attribute", text=True),
            Column("Group", text=True),
            Column("Voters"),
            Column("Votes"),
            Column("First", text=True),
            Column("before", text=True),
            Column("Points"),
            Column("z"),
            Column("First tier"),
            Column("tau", help="Kendall's, with the order of these groups together"),
        ),
        rows=tuple(_group(test.attribute, group) for test in found.groups for group in test.groups),
    )


def _group(attribute: str, group: GroupBoard) -> tuple[Cell, ...]:
    lead, why = group.lead, group.reason
    return (
        Cell(attribute),
        Cell(group.level),
        Cell(whole(group.n_voters)),
        Cell(whole(group.n_votes)),
        figure(lead.leader if lead else UNDEFINED, why),
        figure(lead.runner_up if lead else UNDEFINED, why),
        figure(whole(lead.difference) if lead else UNDEFINED, why),
        figure(one(lead.z) if lead else UNDEFINED, why),
        figure(whole(len(group.first)) if lead else UNDEFINED, why),
        figure(two(group.tau), why),
    )
