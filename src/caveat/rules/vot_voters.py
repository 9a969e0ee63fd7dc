"""VOT: who voted, and whether other voters would have made another board."""

import math
from collections.abc import Iterator, Sequence

from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.results.stress.voters import (
    GroupTest,
    Population,
    Reading,
    VoterReadings,
)
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds
from caveat.rules._stress import blocked, part

_MISSED = 0.01
"""Share by which a weighted level misses its population and is listed in the evidence."""


def _undisclosed(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, stress = part(findings, VoterReadings), findings.stress
    if found is None or stress is None:
        return
    known = {table.attribute: table.undeclared_votes for table in found.declared if table.n_levels}
    best = min(known, key=lambda name: known[name], default=None)
    if best is not None and known[best] <= limits["share"]:
        return
    yield Caveat(
        code="VOT401",
        severity=Severity.NOTICE,
        subject="voters",
        claim=_unknown(found) if best is None else _mostly_unknown(best, known[best]),
        evidence={
            "n_votes": found.turnout.n_votes,
            "n_voters": found.turnout.n_voters,
            "anonymous_share": found.turnout.anonymous_share,
            "undeclared": [{"attribute": name, "votes": share} for name, share in known.items()],
        },
        remedy="Ask the source for the declared attributes of its voters; until then speak of the "
        "preferences of whoever voted, not of people.",
        sources=say.sources(stress.provenance),
    )


def _unknown(found: VoterReadings) -> str:
    votes = say.number(found.turnout.n_votes, "vote")
    if not found.turnout.n_voters:
        return f"nothing is known of who cast the {votes}: none names its voter"
    share = found.turnout.anonymous_share
    some = f", and {say.percent(share)} of the votes name no voter" if share else ""
    voters = say.number(found.turnout.n_voters, "voter")
    return f"nothing is known of the {voters} behind {votes} but how often they voted{some}"


def _mostly_unknown(attribute: str, share: float) -> str:
    return (
        f"who voted is mostly unknown: {say.percent(share)} of the votes come with no declared "
        f"{say.name(attribute)}, and nothing else is declared more often"
    )


def _top_changes(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, stress = part(findings, VoterReadings), findings.stress
    if found is None or stress is None:
        return
    changed = [r for r in found.readings if r.kind != "cast" and r.models and (r.gone or r.joined)]
    if not changed:
        return
    graded = {reading.name: _gravity(found, reading, limits["p"]) for reading in changed}
    worst = max(changed, key=lambda r: (graded[r.name].rank, len(r.gone), len(r.joined)))
    others = len(changed) - 1
    more = f"; so does {say.number(others, 'other reading')}" if others == 1 else ""
    more = f"; so do {say.number(others, 'other reading')}" if others > 1 else more
    yield Caveat(
        code="VOT403",
        severity=graded[worst.name],
        subject="top tier",
        claim=f"{_reading_claim(found, worst)}{more}",
        evidence={
            "readings": [
                _reading_row(found, r) for r in found.readings if r.kind != "cast" and r.models
            ]
        },
        remedy="Say whose preferences the board shows; report the first tier under each reading, "
        "and choose by the one whose voters are the people you care about.",
        sources=say.sources(stress.provenance),
    )


def _gravity(found: VoterReadings, reading: Reading, p: float) -> Severity:
    """Tell a board that says otherwise from one that only knows less."""
    before = _reference(found, reading)
    beyond_chance = reading.shift is not None and reading.shift.p <= p
    if before is None or before.lead is None or reading.lead is None or not beyond_chance:
        return Severity.NOTICE
    if before.lead.separable and before.lead.leader in reading.gone:
        return Severity.SERIOUS
    return Severity.WARNING


def _reference(found: VoterReadings, reading: Reading) -> Reading | None:
    return found.reading(reading.reference) if reading.reference else None


def _reading_claim(found: VoterReadings, reading: Reading) -> str:
    parts = [
        f"{say.names(names, limit=3)} {verb}{'s' if len(names) == 1 else ''} it"
        for names, verb in ((reading.gone, "leave"), (reading.joined, "join"))
        if names
    ]
    return (
        f"{_how(reading)}, {_leads(found, reading)}the first tier is another: "
        f"{' and '.join(parts)}{_moved(reading)}"
    )


def _leads(found: VoterReadings, reading: Reading) -> str:
    before, then = _reference(found, reading), reading.lead
    if before is None or before.lead is None or then is None or before.lead.leader == then.leader:
        return ""
    return (
        f"{say.name(then.leader)} leads ({say.z(then.z)}) instead of "
        f"{say.name(before.lead.leader)} ({say.z(before.lead.z)}), and "
    )


def _how(reading: Reading) -> str:
    voters = f"{say.number(reading.n_voters, 'voter')} worth {reading.effective_voters:,.0f}"
    if reading.kind == "voice":
        return f"if every voter counts once ({voters})"
    unit = "a voice each" if reading.unit == "voice" else "all their votes"
    population = say.name(reading.population or "")
    return f"with voters in the shares of {population}, {unit} ({voters})"


def _moved(reading: Reading) -> str:
    shift = reading.shift
    if shift is None:
        return ""
    return (
        f"; the rating it moves most surely is that of {say.name(shift.model)}, by "
        f"{shift.points:+.0f} points ({_p(shift.p)})"
    )


def _reading_row(found: VoterReadings, reading: Reading) -> dict[str, object]:
    before, shift = _reference(found, reading), reading.shift
    return {
        "reading": reading.name,
        "population": reading.population,
        "unit": reading.unit,
        "n_voters": reading.n_voters,
        "effective_voters": reading.effective_voters,
        "leader": reading.lead.leader if reading.lead else None,
        "z": reading.lead.z if reading.lead else None,
        "critical": reading.critical,
        "leader_as_cast": before.lead.leader if before and before.lead else None,
        "gone": list(reading.gone),
        "joined": list(reading.joined),
        "tau": reading.tau,
        "moved": shift.model if shift else None,
        "points": shift.points if shift else None,
        "p": shift.p if shift else None,
    }


def _groups_differ(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, stress = part(findings, VoterReadings), findings.stress
    if found is None or stress is None:
        return
    apart = [t for t in found.groups if t.p_adjusted <= limits["p"] and t.apart is not None]
    apart = [t for t in apart if t.apart is not None and t.apart.points >= limits["points"]]
    if not apart:
        return
    worst = min(apart, key=lambda t: (not _disjoint(t), t.p_adjusted, -t.statistic / t.expected))
    names = [t.attribute for t in apart if t is not worst]
    also = f"; also by {say.names(names)}" if names else ""
    yield Caveat(
        code="VOT405",
        severity=Severity.WARNING if any(map(_disjoint, apart)) else Severity.NOTICE,
        subject="voters",
        claim=f"{_group_claim(worst)}{also}",
        evidence={"attributes": [_group_row(test) for test in found.groups]},
        remedy="Report the board of each group; do not speak of one best model for all, and weight "
        "voters to the population a claim is about.",
        sources=say.sources(stress.provenance),
    )


def _disjoint(test: GroupTest) -> bool:
    """Whether no model is in the first tier of every group that has one."""
    tiers = [set(group.first) for group in test.groups if group.first]
    return len(tiers) > 1 and not set.intersection(*tiers)


def _group_claim(test: GroupTest) -> str:
    apart = test.apart
    assert apart is not None  # noqa: S101 - the caller checked, this is for mypy
    first = [
        f"{say.name(group.level)} puts {say.name(group.lead.leader)} first"
        for group in test.groups
        if group.lead is not None
    ]
    leaders = {group.lead.leader for group in test.groups if group.lead is not None}
    whom = f"; {say.listed(first, limit=4)}" if len(leaders) > 1 else ""
    return (
        f"voters who differ in {say.name(test.attribute)} rank differently ("
        f"{_p(test.p_adjusted)}): {say.name(apart.model)} stands {apart.points:.0f} points higher "
        f"with {say.name(apart.above)} than with {say.name(apart.below)} (z = {apart.z:.1f}){whom}"
    )


def _group_row(test: GroupTest) -> dict[str, object]:
    apart = test.apart
    return {
        "attribute": test.attribute,
        "n_groups": len(test.groups),
        "n_votes": test.n_votes,
        "statistic": test.statistic,
        "expected": test.expected,
        "p": test.p,
        "p_adjusted": test.p_adjusted,
        "model": apart.model if apart else None,
        "above": apart.above if apart else None,
        "below": apart.below if apart else None,
        "points": apart.points if apart else None,
        "z": apart.z if apart else None,
        "leaders": [
            {"level": g.level, "leader": g.lead.leader if g.lead else None} for g in test.groups
        ],
    }


def _out_of_reach(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, stress = part(findings, VoterReadings), findings.stress
    if found is None or stress is None:
        return
    for population in found.populations:
        said = list(_shortfalls(population, limits))
        if not said:
            continue
        yield Caveat(
            code="VOT406",
            severity=Severity.WARNING if population.reason else Severity.NOTICE,
            subject=say.name(population.name),
            claim=f"voters cannot stand for {say.name(population.name)}: {said[0]}"
            if population.reason
            else f"voters stand for {say.name(population.name)} at a price: {say.listed(said)}",
            evidence=_population_row(population),
            remedy="Ask people of the levels that are wanting; merge levels that few voters have "
            "with their neighbours in the margins, and say what the weighted board costs.",
            sources=say.sources(stress.provenance),
        )


def _shortfalls(population: Population, limits: Thresholds) -> Iterator[str]:
    if population.reason:
        yield population.reason
        return
    short = _missed(population, limits["points"])
    if short:
        most = max(short, key=lambda t: abs(t[1] - t[2]))
        cap = population.trim or math.nan
        yield (
            f"weights of at most {cap:g} times the mean leave {most[0]} at {say.percent(most[2])} "
            f"where the population has {say.percent(most[1])}"
        )
    if population.design_effect >= limits["effect"]:
        yield (
            f"{say.number(population.n_voters, 'voter')} are worth "
            f"{population.effective_voters:,.0f} (design effect {population.design_effect:.1f})"
        )
    if population.unnamed >= limits["unnamed"]:
        yield (
            f"{say.percent(population.unnamed)} of them have a level that its margins do not name"
        )


def _missed(population: Population, least: float) -> Sequence[tuple[str, float, float]]:
    """Levels whose weighted share is not that of the population, among those it names."""
    if population.unnamed != 0.0 or population.trim is None:
        return ()
    return [
        (f"{say.name(t.level)}", t.population, t.weighted)
        for t in population.targets
        if abs(t.weighted - t.population) > least
    ]


def _population_row(population: Population) -> dict[str, object]:
    return {
        "population": population.name,
        "attributes": list(population.attributes),
        "how": population.how,
        "n_voters": population.n_voters,
        "n_left_out": population.n_left_out,
        "design_effect": population.design_effect,
        "effective_voters": population.effective_voters,
        "trim": population.trim,
        "capped": population.capped,
        "unnamed": population.unnamed,
        "missed": [
            {"level": level, "population": asked, "weighted": got}
            for level, asked, got in _missed(population, _MISSED)
        ],
        "notes": list(population.notes),
        "reason": population.reason,
    }


def _p(p: float) -> str:
    return f"p = {p:.2g}" if p >= 0.001 else "p < 0.001"


RULES: tuple[Rule, ...] = (
    Rule(
        code="VOT401",
        title="who voted is undisclosed",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"share": 0.5},
        find=_undisclosed,
        blocked=blocked("voters"),
    ),
    Rule(
        code="VOT403",
        title="other weights of voters change the first tier",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"p": 0.05},
        find=_top_changes,
        blocked=blocked("voters"),
    ),
    Rule(
        code="VOT405",
        title="groups of voters rank differently",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"p": 0.05, "points": 0},
        find=_groups_differ,
        blocked=blocked("voters"),
    ),
    Rule(
        code="VOT406",
        title="voters cannot stand for the population",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"points": 0.01, "effect": 2, "unnamed": 0.05},
        find=_out_of_reach,
        blocked=blocked("voters"),
    ),
)
