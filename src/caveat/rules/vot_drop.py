"""VOT: how few voters carry the first place."""

from collections.abc import Iterator

from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.results.stress.drop import DropAFew, Flip
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds
from caveat.rules._stress import blocked, part
from caveat.rules.rnk_drop import flip_row


def _carried(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, board = part(findings, DropAFew), findings.ranking
    first = found.first_place if found else None
    if found is None or first is None or board is None:
        return
    voters = first.by("voters")
    if voters is None or voters.number is None or not voters.of >= limits["voters"]:
        return
    if not voters.number <= limits["share"] * voters.of:
        return
    grave = voters.number <= limits["serious"] * voters.of
    yield Caveat(
        code="VOT402",
        severity=Severity.SERIOUS if grave else Severity.WARNING,
        subject="first place",
        claim=_claim(voters),
        evidence={
            **flip_row(voters),
            "z": first.z,
            "z_voters": first.z_voters,
            "unnamed": found.unnamed_voters,
        },
        remedy="Say how many people stand behind the first place, weigh each voter alike, and ask "
        "more people rather than the same ones more often.",
        sources=say.sources(board.provenance),
    )


def _claim(voters: Flip) -> str:
    number = voters.number or 0
    verb = "carries" if number == 1 else "carry"
    return (
        f"{number:,} of {say.number(voters.of, 'voter')}, with {say.percent(voters.share_of_board)}"
        f" of the votes, {verb} the first place: without {'it' if number == 1 else 'them'} "
        f"{say.name(voters.below)} stands above {say.name(voters.above)}"
    )


def _without_voters(findings: Findings) -> Iterator[str]:
    yield from blocked("drop")(findings)
    found = part(findings, DropAFew)
    if found is not None and "voters" in found.reasons:
        yield found.reasons["voters"]


RULES: tuple[Rule, ...] = (
    Rule(
        code="VOT402",
        title="a few voters carry the result",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"share": 0.1, "serious": 0.01, "voters": 10},
        find=_carried,
        blocked=_without_voters,
    ),
)
