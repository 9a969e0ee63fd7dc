"""RNK: whether one number per model explains the votes."""

from collections.abc import Iterator

from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.results.stress.fit import Fit, ModelFit
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds
from caveat.rules._stress import blocked, part


def _misfit(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, board = part(findings, Fit), findings.ranking
    if found is None or board is None:
        return
    strays = found.p <= limits["p"] and found.tau >= limits["tau"]
    cycles = found.cycles
    rounds = cycles.p <= limits["p"] and cycles.n_cyclic > cycles.high
    lost = found.lead is not None and found.lead.lost
    if not (strays or rounds or (lost and found.p <= limits["p"]) or cycles.n_beyond_doubt):
        return
    grave = lost or (strays and found.tau >= limits["grave"])
    worst = [one for one in found.models if one.p_adjusted < 1 - found.level and one.tau > 0]
    yield Caveat(
        code="RNK216",
        severity=Severity.WARNING if grave else Severity.NOTICE,
        subject="first place" if lost else "board",
        claim="; ".join(_parts(found, worst, strays=strays or lost, rounds=rounds)),
        evidence={
            "method": found.method,
            "n_pairs": found.n_pairs,
            "n_votes": found.n_votes,
            "tau": found.tau,
            "tau_low": found.low,
            "tau_high": found.high,
            "p": found.p,
            "replicates": found.replicates,
            "shared": found.shared.column if found.shared else None,
            "inflation": found.shared.inflation if found.shared else 1.0,
            "z": found.lead.z if found.lead else None,
            "z_departing": found.lead.z_departing if found.lead else None,
            "critical": board.critical,
            "n_triples": cycles.n_triples,
            "n_cyclic": cycles.n_cyclic,
            "expected_cyclic": cycles.expected,
            "cyclic_p": cycles.p,
            "models": [_row(one) for one in worst[:10]],
            "pairs": [
                {"a": p.a, "b": p.b, "n": p.n_votes, "observed": p.observed, "expected": p.expected}
                for p in found.pairs[:10]
                if p.p_adjusted < 1 - found.level
            ],
            "cycles": [list(one.models) for one in cycles.listed[:10]],
        },
        remedy="Look at the models and pairs it names before quoting their ratings; rank by task "
        "or by period where opponents, prompts or models differ, and quote the lead with the "
        "wider error.",
        sources=say.sources(board.provenance),
    )


def _parts(found: Fit, worst: list[ModelFit], *, strays: bool, rounds: bool) -> Iterator[str]:
    if strays:
        yield (
            f"win shares of pairs stray from what the ratings say by {100 * found.tau:.1f} points "
            f"({100 * found.low:.1f} to {100 * found.high:.1f}), noise left out"
            + (f", most for {_worst(worst)}" if worst else "")
        )
        lead = found.lead
        if lead is not None and lead.z > lead.critical:
            yield (
                f"counted as noise, that brings the lead of {say.name(lead.leader)} from "
                f"z = {lead.z:.1f} to {lead.z_departing:.1f} ({lead.critical:.1f} would be needed)"
            )
    cycles = found.cycles
    if rounds:
        yield (
            f"{cycles.n_cyclic:,} of {say.number(cycles.n_triples, 'triple')} of models beat each "
            f"other in a circle, where the ratings expect {cycles.expected:,.0f} "
            f"({cycles.low:,.0f} to {cycles.high:,.0f})"
        )
    if cycles.n_beyond_doubt:
        first = cycles.listed[0]
        a, b, c = (say.name(model) for model in first.models)
        verb = "is" if cycles.n_beyond_doubt == 1 else "are"
        yield (
            f"{say.number(cycles.n_beyond_doubt, 'circle')} of three {verb} beyond chance in every "
            f"pair: {a} beats {b}, {b} beats {c}, and {c} beats {a}"
        )


def _worst(worst: list[ModelFit]) -> str:
    return say.listed([f"{say.name(m.model)} ({100 * m.tau:.1f})" for m in worst], limit=3)


def _row(one: ModelFit) -> dict[str, object]:
    return {
        "model": one.model,
        "n_votes": one.n_votes,
        "tau": one.tau,
        "pearson": one.pearson,
        "expected": one.expected,
        "p_adjusted": one.p_adjusted,
    }


RULES: tuple[Rule, ...] = (
    Rule(
        code="RNK216",
        title="ratings do not fit the votes",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"tau": 0.02, "grave": 0.05, "p": 0.01},
        find=_misfit,
        blocked=blocked("fit"),
    ),
)
