"""DAT rules about scores: answers that were not scored."""

from collections.abc import Iterator

from caveat.results.agreement import ModelScore
from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds


def _unscored(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        models = bench.scores.models
        some = [m for m in models if m.unscored and _share(m) >= limits["share"]]
        if not some or not any(m.n for m in models):
            continue
        some.sort(key=lambda m: (-_share(m), m.model))
        named = [
            f"{say.name(m.model)} {m.unscored:,} of {m.n + m.unscored:,} ({say.percent(_share(m))})"
            for m in some
        ]
        verb = "has" if len(some) == 1 else "have"
        yield Caveat(
            code="DAT110",
            severity=Severity.WARNING,
            subject=some[0].model if len(some) == 1 else bench.benchmark,
            claim=f"{len(some):,} of {say.number(len(models), 'model')} {verb} answers on "
            f"{say.name(bench.benchmark)} that were not scored: {say.listed(named)}; their scores "
            "are over the other items only",
            evidence={
                "benchmark": bench.benchmark,
                "models": [
                    {"model": m.model, "unscored": m.unscored, "n": m.n, "share": _share(m)}
                    for m in some
                ],
            },
            remedy="Find out why these answers have no score (a grader that failed, a blank or NaN "
            "cell) and score them, or compare models on the items that are scored for all.",
            sources=say.sources(bench.scores.provenance),
        )


def _share(model: ModelScore) -> float:
    return model.unscored / (model.n + model.unscored)


RULES: tuple[Rule, ...] = (
    Rule(
        code="DAT110",
        title="answers that were not scored",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"share": 0.01},
        find=_unscored,
    ),
)
