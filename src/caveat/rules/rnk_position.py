"""RNK: whether the answer shown first has an advantage."""

from collections.abc import Iterator

from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.results.stress.position import BothOrders, FirstShown
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds
from caveat.rules.rnk_style import lead_row


def _bias(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    stress = findings.stress
    found = stress.part(FirstShown) if stress else None
    if stress is None or found is None:
        return
    leans = found.clear and abs(found.advantage.advantage) >= limits["points"]
    turns = _turns(found.both_orders, limits)
    if not leans and not turns:
        return
    changes = [found.change]
    if found.both_orders is not None and found.both_orders.change is not None:
        changes.append(found.both_orders.change)
    grave = any(c.lead.separable and (c.first_changes or c.separation_lost) for c in changes)
    yield Caveat(
        code="RNK215",
        severity=Severity.WARNING if grave or turns else Severity.NOTICE,
        subject="position",
        claim=f"{_claim(found)}{_pairs(found.both_orders)}{_after(found)}",
        evidence={
            "advantage": found.advantage.advantage,
            "low": found.advantage.low,
            "high": found.advantage.high,
            "cluster": found.cluster,
            "n_clusters": found.n_clusters,
            "first_share": found.first_share,
            "n_decisive": found.n_decisive,
            "both_orders": _row(found.both_orders),
            "leads": [lead_row(c.lead_after) for c in changes],
        },
        remedy="Show each pair of answers in both orders and count a verdict once, or give the fit "
        "a first-shown advantage (`--position`); keep the order of display in the data.",
        sources=say.sources(stress.provenance),
    )


def _turns(pairs: BothOrders | None, limits: Thresholds) -> bool:
    """Whether verdicts surely turn with the order more often than is allowed."""
    return pairs is not None and pairs.consistent_high < limits["consistent"]


def _claim(found: FirstShown) -> str:
    side = "first" if found.advantage.advantage >= 0 else "second"
    size = abs(found.advantage.advantage)
    low, high = sorted((abs(found.advantage.low), abs(found.advantage.high)))
    if not found.clear:
        low, high = found.advantage.low, found.advantage.high
    return (
        f"the answer shown {side} gains {size:.0f} points ({low:.0f} to {high:.0f}); the one shown "
        f"first wins {say.percent(found.first_share)} of {found.n_decisive:,} decisive votes"
    )


def _pairs(pairs: BothOrders | None) -> str:
    if pairs is None:
        return ""
    return (
        f"; of {say.number(pairs.n_pairs, 'pair')} of verdicts on the same answers in both orders "
        f"{say.percent(1.0 - pairs.consistent)} turn with the order (the first wins both times in "
        f"{pairs.first_both:,}, the second in {pairs.second_both:,})"
    )


def _after(found: FirstShown) -> str:
    pairs = found.both_orders
    change = pairs.change if pairs is not None and pairs.change is not None else found.change
    how = "with both orders averaged" if change is not found.change else "with that allowed for"
    lead = change.lead_after
    if change.first_changes:
        return f"; {how} {say.name(lead.leader)} comes first, not {say.name(change.lead.leader)}"
    if change.separation_lost:
        return f"; {how} the lead of {say.name(lead.leader)} no longer counts (z = {lead.z:.1f})"
    return ""


def _row(pairs: BothOrders | None) -> dict[str, object] | None:
    if pairs is None:
        return None
    names = (
        *("n_pairs", "consistent", "consistent_low", "consistent_high"),
        *("first_both", "second_both", "first_half", "second_half", "p"),
        *("advantage", "low", "high"),
    )
    return {name: getattr(pairs, name) for name in names}


RULES: tuple[Rule, ...] = (
    Rule(
        code="RNK215",
        title="position bias",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"points": 10.0, "consistent": 0.8},
        find=_bias,
    ),
)
