"""RNK: whether length, lists and the like explain the order."""

import math
from collections.abc import Iterator

from caveat.results.board_change import BoardChange
from caveat.results.caveat import Caveat, Severity
from caveat.results.control import Coefficient
from caveat.results.ranking import Lead
from caveat.results.report import Findings
from caveat.results.stress.style import Style
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds


def _explained(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    stress = findings.stress
    found = stress.part(Style) if stress else None
    if stress is None or found is None:
        return
    change = found.change
    matters = [c for c in found.controls.coefficients if abs(c.z) >= limits["z"]]
    turned = change.first_changes or change.separation_lost
    if not matters or not (turned or change.entered or change.left):
        return
    grave = turned and change.lead.separable
    yield Caveat(
        code="RNK214",
        severity=Severity.WARNING if grave else Severity.NOTICE,
        subject="first place" if turned else "first tier",
        claim=f"{_claim(change)}; {_strongest(matters)}",
        evidence={
            "contrast": found.controls.contrast,
            "cluster": found.controls.cluster,
            "n_clusters": found.controls.n_clusters,
            "coefficients": [_row(c) for c in found.controls.coefficients],
            "lead": lead_row(change.lead),
            "lead_after": lead_row(change.lead_after),
            "entered": list(change.entered),
            "left": list(change.left),
            "tau": change.tau,
        },
        remedy="Report the board at equal style beside the one as voted, and say which of the two "
        "a claim rests on; choose by equal style where length is no merit to you.",
        sources=say.sources(stress.provenance),
    )


def _claim(change: BoardChange) -> str:
    first, then = change.lead, change.lead_after
    if change.first_changes:
        return (
            f"{say.name(first.leader)} is first as voted ({say.z(first.z)}), "
            f"{say.name(then.leader)} at equal style ({say.z(then.z)})"
        )
    if change.separation_lost:
        return (
            f"{say.name(first.leader)} leads {say.name(first.runner_up)} as voted "
            f"(z = {first.z:.1f}), and at equal style no longer surely {say.name(then.runner_up)} "
            f"(z = {then.z:.1f}, {change.critical_after:.1f} would be needed)"
        )
    parts = [
        f"{say.names(names)} {verb}{'s' if len(names) == 1 else ''} it"
        for names, verb in ((change.entered, "join"), (change.left, "leave"))
        if names
    ]
    return f"at equal style the first tier is another: {' and '.join(parts)}"


def _strongest(matters: list[Coefficient]) -> str:
    most = max(matters, key=lambda c: abs(c.z))
    gains = "gains" if most.points >= 0 else "loses"
    if math.isfinite(most.twice):
        return (
            f"an answer with twice the {say.name(most.name)} {gains} {abs(most.twice):.0f} points "
            f"(z = {most.z:.1f})"
        )
    return (
        f"a typical difference in {say.name(most.name)} {gains} {abs(most.points):.0f} points "
        f"(z = {most.z:.1f})"
    )


def lead_row(lead: Lead) -> dict[str, object]:
    """Return a lead as evidence."""
    return {
        "leader": lead.leader,
        "runner_up": lead.runner_up,
        "difference": lead.difference,
        "z": lead.z,
        "separable": lead.separable,
    }


def _row(found: Coefficient) -> dict[str, object]:
    return {
        "name": found.name,
        "points": found.points,
        "low": found.low,
        "high": found.high,
        "z": found.z,
        "twice": found.twice,
    }


RULES: tuple[Rule, ...] = (
    Rule(
        code="RNK214",
        title="style explains the order",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"z": 2.0},
        find=_explained,
    ),
)
