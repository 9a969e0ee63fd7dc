"""VOT: votes that look rigged."""

import math
from collections.abc import Iterator

from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.results.stress.rigging import FlaggedVoter, Rigging, WithoutFlagged
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds
from caveat.rules._stress import blocked, part

_SHOWN = 10
"""Voters in the evidence of the caveat; the result lists more."""


def _looks_rigged(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, stress = part(findings, Rigging), findings.stress
    if found is None or stress is None or not 0 < found.n_flagged >= limits["voters"]:
        return
    top = int(limits["top"])
    yield Caveat(
        code="VOT404",
        severity=_severity(found.without, top),
        subject="voters",
        claim=f"{_who(found)}; {_effect(found, top)}",
        evidence={
            "n_flagged": found.n_flagged,
            "n_flagged_votes": found.n_flagged_votes,
            "share": found.flagged_share,
            "n_voters": found.n_voters,
            "n_tested": found.n_tested,
            "fdr": found.fdr,
            "voters": [_row(voter) for voter in found.flagged[:_SHOWN]],
            "first_changes": found.without.first_changes if found.without else None,
            "moved": [
                {"model": m.model, "rank": m.rank, "rank_after": m.rank_after}
                for m in (found.without.moved(top) if found.without else ())
            ],
        },
        remedy="Look at what these voters saw and when; publish the board without them beside the "
        "one with them, and do not call a voter a cheat for a taste of their own.",
        sources=say.sources(stress.provenance),
    )


def _severity(without: WithoutFlagged | None, top: int) -> Severity:
    if without is None:
        return Severity.NOTICE
    if without.first_changes:
        return Severity.SERIOUS
    lost = without.change is not None and without.change.separation_lost
    return Severity.WARNING if lost or without.moved(top) else Severity.NOTICE


def _who(found: Rigging) -> str:
    voters = say.number(found.n_voters, "voter")
    said = (
        f"{found.n_flagged:,} of {voters}, with {say.percent(found.flagged_share)} of the votes, "
        f"{'votes' if found.n_flagged == 1 else 'vote'} unlike the others on the same pairs"
    )
    most = next((_doing(voter) for voter in found.flagged if voter.pattern), "")
    return f"{said} ({most})" if most else said


def _doing(voter: FlaggedVoter) -> str:
    name = say.name(voter.voter)
    model = say.name(voter.model) if voter.model is not None else ""
    what = {
        "for": f"backs {model}",
        "against": f"votes against {model}",
        "lifting": f"votes as lifts {model}",
        "contrary": "sides with the majority",
        "guessing": "sides with the majority",
    }[voter.pattern or "guessing"]
    only = "only " if voter.pattern in ("contrary", "guessing") else ""
    expected = f", {say.percent(voter.expected)} expected" if math.isfinite(voter.expected) else ""
    votes = say.number(voter.n_about, "vote")
    return f"{name} {what} in {only}{voter.n_following:,} of {votes}{expected}"


def _effect(found: Rigging, top: int) -> str:
    left = found.without
    if left is None or left.change is None:
        return "without them no board is left"
    change = left.change
    first, then = say.name(change.lead.leader), say.name(change.lead_after.leader)
    moved = len(left.moved(top))
    places = f"{say.number(moved, 'model')} in or near the first {top} in another place"
    if left.first_changes:
        return f"without them {then} is first instead of {first}, with {places}"
    if change.separation_lost:
        return f"without them {first} still leads, but no longer surely, with {places}"
    return f"without them {first} stays first, with {places}"


def _row(voter: FlaggedVoter) -> dict[str, object]:
    return {
        "voter": voter.voter,
        "n_votes": voter.n_votes,
        "log10_e": voter.log10_e,
        "pattern": voter.pattern,
        "model": voter.model,
        "n_about": voter.n_about,
        "share": voter.share,
        "expected": voter.expected,
        "found_by": list(voter.found_by),
    }


RULES: tuple[Rule, ...] = (
    Rule(
        code="VOT404",
        title="votes that look rigged",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"voters": 1, "top": 10},
        find=_looks_rigged,
        blocked=blocked("rigging"),
    ),
)
