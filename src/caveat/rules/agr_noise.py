"""AGR: what is not between models, who may stand for whom, relatives, prompts and parsers."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from caveat.results.caveat import Caveat, Severity
from caveat.results.comparison.interchange import Interchange, PairVerdict
from caveat.results.comparison.noise import NoiseFloor
from caveat.results.comparison.relatives import KinshipTest, Relatives
from caveat.results.comparison.sensitivity import ModelSpan, Sensitivity, VariantSensitivity
from caveat.results.report import BenchmarkFindings, Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

P = TypeVar("P")
_SHOWN = 10
_AGAIN = {
    "repeat": "in repeats",
    "run": "in two runs",
    "host": "on two hosts",
    "prompt": "under two prompts",
}
_KINDS = {
    "repeat": "repeat",
    "run": "run",
    "prompt": "prompt",
    "filter": "reading of the answers",
    "metric": "metric",
}


def _parts(findings: Findings, kind: type[P]) -> Iterator[tuple[BenchmarkFindings, P]]:
    for bench in findings.benchmarks:
        part = bench.part(kind)
        if part is not None:
            yield bench, part


def _untested(name: str, kind: type[object]) -> Callable[[Findings], Iterator[str]]:
    def why(findings: Findings) -> Iterator[str]:
        for bench in findings.benchmarks:
            if bench.part(kind) is None:
                yield from (
                    f"{say.name(bench.benchmark)}: {one.why}"
                    for one in bench.untested
                    if one.part == name
                )

    return why


# ---- noise --------------------------------------------------------------------------


def _within_noise(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench, noise in _parts(findings, NoiseFloor):
        enough = noise.matched and noise.matched_within >= limits["share"] * noise.matched
        if noise.second_run and enough:
            yield _within_noise_caveat(bench, noise)


def _within_noise_caveat(bench: BenchmarkFindings, noise: NoiseFloor) -> Caveat:
    source = noise.sources[0]
    k, of = noise.matched_within, noise.matched
    borrowed = sum(pair.own == "none" for pair in noise.pairs)
    return Caveat(
        code="AGR310",
        severity=Severity.NOTICE,
        subject=bench.benchmark,
        claim=_within_claim(bench, noise),
        evidence={
            "benchmark": bench.benchmark,
            "source": source.source,
            "floor": source.disagree,
            "low": source.low,
            "high": source.high,
            "matched": of,
            "within": k,
            "matched_borrowed": noise.borrowed,
            "within_borrowed": noise.borrowed_within,
            "points": noise.points,
            "models": [one.model for one in source.models],
            "borrowed": borrowed,
            "pairs": [
                {"a": pair.a, "b": pair.b, "disagree": pair.disagree, "floor": pair.floor}
                for pair in noise.pairs
                if not pair.beyond and pair.own != "itself"
            ][:_SHOWN],
        },
        remedy="Do not read this disagreement as one between models: run each model twice, and "
        "count what exceeds its disagreement with itself.",
        sources=say.sources(bench.scores.provenance),
    )


def _within_claim(bench: BenchmarkFindings, noise: NoiseFloor) -> str:
    """Say of pairs whose own noise is known more than of those that borrow it."""
    source = noise.sources[0]
    own, k = noise.matched - noise.borrowed, noise.matched_within - noise.borrowed_within
    lent = f"{noise.borrowed_within:,} of {noise.borrowed:,}"
    of, k = (own, k) if own else (noise.matched, noise.matched_within)
    head = f"{k:,} of {say.number(of, 'pair')} of models" if of > 1 else "the pair of models"
    verb = "disagree" if k != 1 or of == 1 else "disagrees"
    whom = "one model does with itself" if own else "other models do with themselves"
    also = (
        f"; {lent} others no more than the floor of other models" if own and noise.borrowed else ""
    )
    return (
        f"{head} within {100 * noise.points:g} points of score on {say.name(bench.benchmark)} "
        f"{verb} no more than {whom} {_AGAIN[source.source]} "
        f"({say.percent(source.disagree)} of the items), as far as these items tell{also}"
    )


# ---- same score, not interchangeable --------------------------------------------------------


def _not_interchangeable(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench, part in _parts(findings, Interchange):
        pairs = [
            pair
            for pair in part.pairs
            if pair.verdict == "different" and pair.criterion("score").state == "met"
        ]
        if len(pairs) >= limits["pairs"]:
            yield _not_interchangeable_caveat(bench, part, pairs)


def _not_interchangeable_caveat(
    bench: BenchmarkFindings, part: Interchange, pairs: list[PairVerdict]
) -> Caveat:
    by_task = [pair for pair in pairs if "tasks" in pair.failed]
    beyond = [pair for pair in pairs if "disagreement" in pair.failed]
    said = []
    if by_task:
        worst = max(by_task, key=lambda pair: pair.criterion("tasks").estimate)
        said.append(
            f"{_number(by_task, pairs)}because the difference changes from task to task (by "
            f"{100 * worst.criterion('tasks').estimate:.1f} points, standard deviation, for "
            f"{say.name(worst.a)} and {say.name(worst.b)})"
        )
    if beyond:
        what = "beyond noise" if part.floor else "more than was stated"
        said.append(f"{_number(beyond, pairs)}because they disagree {what}")
    margin = 100 * part.limits["score"]
    k = len(pairs)
    return Caveat(
        code="AGR311",
        severity=Severity.WARNING,
        subject=bench.benchmark,
        claim=f"{say.number(k, 'pair')} of models {'has' if k == 1 else 'have'} the same score on "
        f"{say.name(bench.benchmark)}, within {margin:g} {'point' if margin == 1 else 'points'} "
        f"beyond doubt, and may not stand for each other: {' and '.join(said)}",
        evidence={
            "benchmark": bench.benchmark,
            "limits": dict(part.limits),
            "floor": part.floor,
            "pairs": k,
            "by_task": len(by_task),
            "beyond_noise": len(beyond),
            "worst": [
                {
                    "a": pair.a,
                    "b": pair.b,
                    "disagree": pair.disagree,
                    "failed": list(pair.failed),
                    "tasks": pair.criterion("tasks").estimate,
                }
                for pair in pairs[:_SHOWN]
            ],
        },
        remedy="Compare the two task by task, and answer by answer, before one takes the place of "
        "the other; an equal mean hides gains in one task that pay for losses in another.",
        sources=say.sources(bench.scores.provenance),
    )


def _number(some: list[PairVerdict], pairs: list[PairVerdict]) -> str:
    return "" if len(pairs) == 1 else f"{len(some):,} "


# ---- relatives --------------------------------------------------------------------------------


def _kin(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench, part in _parts(findings, Relatives):
        test = part.test
        if test is not None and test.effect > 0 and test.p < limits["p"]:
            yield _kin_caveat(bench, part.column, test, limits["p"])


def _kin_caveat(bench: BenchmarkFindings, column: str, test: KinshipTest, p: float) -> Caveat:
    sure = [row for row in test.families if row.p_adjusted < p]
    which = f"; by itself {say.names([row.family for row in sure])}" if sure else ""
    return Caveat(
        code="AGR312",
        severity=Severity.NOTICE,
        subject=bench.benchmark,
        claim=f"models of one {column} share more answers on {say.name(bench.benchmark)} than "
        f"their scores explain: they disagree on {100 * test.disagree_less:.1f} points of the "
        f"items less than unrelated models of such scores{which}",
        evidence={
            "benchmark": bench.benchmark,
            "column": column,
            "measure": test.measure,
            "within": test.within,
            "between": test.between,
            "effect": test.effect,
            "p": test.p,
            "disagree_less": test.disagree_less,
            "pairs_within": test.pairs_within,
            "families": [
                {"family": row.family, "effect": row.effect, "p_adjusted": row.p_adjusted}
                for row in test.families
            ][:_SHOWN],
        },
        remedy="Do not count relatives as independent: a vote of them, or one judging another, "
        "repeats their common errors. Take one of each family.",
        sources=say.sources(bench.scores.provenance),
    )


# ---- prompts and parsers ---------------------------------------------------------


def _order_depends(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench, part in _parts(findings, Sensitivity):
        for source in part.sources:
            if source.p < limits["p"] and source.tau < source.tau_expected:
                yield _order_caveat(bench, source)


def _order_caveat(bench: BenchmarkFindings, source: VariantSensitivity) -> Caveat:
    kind, first = _KINDS[source.source], source.variants[0].first
    others = [row for row in source.variants[1:] if row.first != first]
    mover = max(source.models, key=lambda row: (row.moved, row.model))
    said = [
        f"{say.name(mover.model)} scores from {say.percent(min(mover.scores))} to "
        f"{say.percent(max(mover.scores))}{_places(mover)}"
    ]
    if others:
        said.insert(
            0,
            f"{say.name(first)} is first under {say.name(source.variants[0].variant)}, "
            f"{say.name(others[0].first)} under {say.name(others[0].variant)}",
        )
    return Caveat(
        code="AGR313",
        severity=Severity.WARNING if source.firsts > 1 else Severity.NOTICE,
        subject=bench.benchmark,
        claim=f"the order of models on {say.name(bench.benchmark)} depends on the {kind}, more "
        f"than sampling of items explains: {'; '.join(said)}",
        evidence={
            "benchmark": bench.benchmark,
            "source": source.source,
            "tau": source.tau,
            "tau_expected": source.tau_expected,
            "p": source.p,
            "share_own": source.share_own,
            "variants": [
                {"variant": row.variant, "first": row.first, "tau": row.tau, "turned": row.turned}
                for row in source.variants
            ],
            "moves": [
                {"model": row.model, "scores": list(row.scores), "ranks": list(row.ranks)}
                for row in sorted(source.models, key=lambda row: (-row.moved, row.model))[:_SHOWN]
            ],
        },
        remedy=f"Name the {kind} beside every score, give scores under several, and claim no order "
        "that only one of them shows.",
        sources=say.sources(bench.scores.provenance),
    )


def _places(one: ModelSpan) -> str:
    low, high = min(one.ranks), max(one.ranks)
    return "" if low == high else f", place {low} to {high}"


RULES: tuple[Rule, ...] = (
    Rule(
        code="AGR310",
        title="disagreement within the noise of one model",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"share": 0.5},
        find=_within_noise,
        blocked=_untested("noise", NoiseFloor),
    ),
    Rule(
        code="AGR311",
        title="same score, not interchangeable",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"pairs": 1},
        find=_not_interchangeable,
        blocked=_untested("interchangeable", Interchange),
    ),
    Rule(
        code="AGR312",
        title="relatives share errors beyond their scores",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"p": 0.05},
        find=_kin,
        blocked=_untested("families", Relatives),
    ),
    Rule(
        code="AGR313",
        title="order depends on prompt or parser",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"p": 0.01},
        find=_order_depends,
        blocked=_untested("sensitivity", Sensitivity),
    ),
)
