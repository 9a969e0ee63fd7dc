"""Who voted, and what the board would be with other weights: the section on voters."""

from collections.abc import Iterator

from caveat.reports.numbers import counted, one, percent, two, whole
from caveat.reports.plots.voter_readings import readings_plot
from caveat.reports.plots.voter_shares import beside_population, by_attribute
from caveat.reports.section import Section
from caveat.reports.stress.changed import lead_words
from caveat.reports.tables.quality import probability
from caveat.reports.tables.voters import (
    declared_table,
    group_boards_table,
    groups_table,
    populations_table,
    readings_table,
)
from caveat.results.stress.stress import Stress
from caveat.results.stress.voters import GroupTest, Population, Reading, VoterReadings

LISTED = 4


def section(stress: Stress) -> Section | None:
    """Say who voted, and whether other voters would have made another board."""
    found = stress.part(VoterReadings)
    if found is None:
        return None
    tables = [readings_table(found)] if len(found.readings) > 1 else []
    if any(table.levels for table in found.declared):
        tables.append(declared_table(found))
    if found.populations:
        tables.append(populations_table(found))
    if found.groups:
        tables += [groups_table(found), group_boards_table(found)]
    plots = [
        beside_population(population, name=f"voters-beside-{k}")
        for k, population in enumerate(found.populations, start=1)
        if population.targets
    ]
    if not plots and any(table.levels for table in found.declared):
        plots = [by_attribute(found)]
    boards = [reading for reading in found.readings if reading.models]
    if len(boards) > 1:
        plots.append(readings_plot(boards))
    return Section(
        name="voters",
        title="Voters: who voted, and what others would have said",
        sentences=tuple(_sentences(found)),
        tables=tuple(tables),
        plots=tuple(plots),
        finding=_finding(found),
        codes=("VOT401", "VOT403", "VOT405", "VOT406"),
    )


def _finding(found: VoterReadings) -> str:
    if not found.turnout.n_voters:
        return "No vote names its voter"
    declared = [table.attribute for table in found.declared if table.n_levels]
    said = f"{counted(found.turnout.n_voters, 'voter')} who declare "
    said += ", ".join(declared[:LISTED]) if declared else "nothing"
    changed = [r for r in found.readings if r.kind != "cast" and (r.gone or r.joined)]
    tried = [r for r in found.readings if r.kind != "cast" and r.models]
    if tried:
        said += (
            f"; the first tier changes under {whole(len(changed))} of "
            f"{counted(len(tried), 'other reading')} of their votes"
        )
    return said


def _sentences(found: VoterReadings) -> Iterator[str]:
    yield from _turnout(found)
    yield from _declared(found)
    for population in found.populations:
        yield from _population(population)
    for reading in found.readings:
        yield from _reading(reading)
    for test in found.groups:
        yield from _group(test)


def _turnout(found: VoterReadings) -> Iterator[str]:
    cast = found.turnout
    if not cast.n_voters:
        yield f"None of the {counted(cast.n_votes, 'vote')} names its voter."
        return
    yield (
        f"{counted(cast.n_voters, 'voter')} cast {one(cast.mean)} votes each on average, half of "
        f"them {whole(cast.median)} or fewer (Gini {two(cast.gini)}); as many votes a head from "
        f"{counted(round(cast.effective_voters), 'voter')} would tell as much."
    )
    if cast.top_10 == cast.top_10:
        top = f", the busiest 1% {percent(cast.top_1)}" if cast.top_1 == cast.top_1 else ""
        yield f"The busiest 10% of voters cast {percent(cast.top_10)} of these votes{top}."
    if cast.n_anonymous:
        yield f"{percent(cast.anonymous_share)} of all votes name no voter."


def _declared(found: VoterReadings) -> Iterator[str]:
    known = [table for table in found.declared if table.n_levels]
    if not known:
        table = (
            "No attribute of them is declared" if found.has_table else "There is no table of them"
        )
        if found.turnout.n_voters:
            yield f"{table}, so nobody can say whom the board speaks for."
        return
    each = ", ".join(f"{t.attribute} {percent(1 - t.undeclared_votes)}" for t in known[:LISTED])
    more = f" and {counted(len(known) - LISTED, 'more attribute')}" if len(known) > LISTED else ""
    yield f"Share of the votes behind which an attribute is declared: {each}{more}."
    for name, why in found.skipped[:LISTED]:
        yield f"{name} is not taken for an attribute: {why}."


def _population(population: Population) -> Iterator[str]:
    if population.reason:
        yield f"Voters cannot be weighted to {population.name}: {population.reason}."
        return
    yield (
        f"Voters are {population.how} to {population.name} by {_names(population.attributes)}"
        f": {counted(population.n_voters, 'voter')} with weights of at most "
        f"{one(population.largest)} times the mean are worth "
        f"{whole(population.effective_voters)} (design effect {two(population.design_effect)}); "
        f"{whole(population.n_left_out)} are left out."
    )
    for note in population.notes:
        yield f"{note[0].upper()}{note[1:]}."


def _reading(reading: Reading) -> Iterator[str]:
    if reading.reason:
        if reading.kind != "population":  # said of the population already
            yield f"{reading.title}: there is no board ({reading.reason})."
        return
    if reading.lead is None:
        return
    said = f"{reading.title}: {lead_words(reading.lead, reading.critical)}"
    said += f"; the first tier holds {counted(len(reading.first), 'model')}"
    if reading.kind != "cast":
        said += _changes(reading)
    yield f"{said}."


def _changes(reading: Reading) -> str:
    if not (reading.gone or reading.joined):
        said = ", as it does as cast"
    else:
        parts = [
            f"{_names(names)} {verb}{'s' if len(names) == 1 else ''}"
            for names, verb in ((reading.gone, "leave"), (reading.joined, "join"))
            if names
        ]
        said = f": {' and '.join(parts)}"
    shift = reading.shift
    if shift is None:
        return said
    chance = "no rating moves by more than chance" if shift.p > 0.05 else "ratings move"
    return (
        f"{said}; {chance} (most surely that of {shift.model}, by {whole(shift.points)} points, "
        f"{_p(shift.p)})"
    )


def _names(names: tuple[str, ...]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {whole(more)} more" if more > 0 else "")


def _p(p: float) -> str:
    written = probability(p)
    return f"p {written}" if written.startswith("<") else f"p = {written}"


def _group(test: GroupTest) -> Iterator[str]:
    if test.reason:
        yield f"Groups by {test.attribute} cannot be compared: {test.reason}."
        return
    p = _p(test.p_adjusted)
    if test.p_adjusted > 0.05 or test.apart is None:
        yield f"Groups by {test.attribute} do not rank differently beyond chance ({p})."
        return
    apart = test.apart
    yield (
        f"Groups by {test.attribute} rank differently ({p}): {apart.model} stands "
        f"{whole(apart.points)} points higher with {apart.above} than with {apart.below} "
        f"(z = {one(apart.z)})."
    )
