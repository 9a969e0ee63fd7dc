"""AGR: whether the order of scores is real, and whose items and which mean made it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from caveat.results.agreement import ModelScore
from caveat.results.caveat import Caveat, Severity
from caveat.results.comparison.paired import LISTED, PairedTests, PairTest
from caveat.results.report import BenchmarkFindings, Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

_SHOWN = 10
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class _Bench:
    found: BenchmarkFindings
    tests: PairedTests
    models: dict[str, ModelScore]

    @property
    def name(self) -> str:
        return say.name(self.found.benchmark)

    def score(self, model: str) -> float:
        return self.models[model].overall.score


def _benches(findings: Findings) -> Iterator[_Bench]:
    for found in findings.benchmarks:
        tests = found.part(PairedTests)
        if tests is not None:
            yield _Bench(found, tests, {model.model: model for model in found.scores.models})


def _untested(findings: Findings) -> Iterator[str]:
    for found in findings.benchmarks:
        yield from (untested.why for untested in found.untested if untested.part == "paired")


def _not_separable(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in _benches(findings):
        first = bench.tests.first_tier()
        # where all score the same, DAT107 says that the items tell nobody apart
        same = len({model.overall.score for model in bench.models.values()}) == 1
        if len(first) > limits["models"] and not same:
            yield _not_separable_caveat(bench, first)


def _not_separable_caveat(bench: _Bench, first: tuple[str, ...]) -> Caveat:
    tests = bench.tests
    pair = tests.pair(first[0], first[1])
    of = len([t for t in tests.tier if t])
    who = "the two models" if of == 2 else f"the best {len(first):,} of {of:,} models"
    return Caveat(
        code="AGR303",
        severity=Severity.WARNING,
        subject=bench.found.benchmark,
        claim=f"{who} of {bench.name} cannot be told apart by score: {say.names(first)} "
        f"({_lead(pair)})",
        evidence={
            "benchmark": bench.found.benchmark,
            "models": [
                {"model": model, "score": bench.score(model), "n": bench.models[model].n}
                for model in first
            ],
            "test": tests.test,
            "n_tests": tests.n_tests,
            "level": tests.level,
            "lead": _pair(pair),
        },
        remedy="Name the tier, not a winner, or ask more items"
        + (
            f": the observed difference of the first two takes about {pair.needed:,.0f}."
            if math.isfinite(pair.needed)
            else "."
        ),
        sources=say.sources(bench.found.scores.provenance),
    )


def _lead(pair: PairTest) -> str:
    if not math.isfinite(pair.p):
        return f"of the first two nothing can be said: {pair.reason}, n = {pair.n:,}"
    return (
        f"the first two are {100 * pair.difference:.1f} points apart on "
        f"{say.number(pair.n, 'common item')}, interval {100 * pair.low:.1f} to "
        f"{100 * pair.high:.1f}, adjusted p = {pair.p_holm:.2g}"
    )


def _pair(pair: PairTest) -> dict[str, object]:
    """Figures of a pair as evidence; undefined as None."""
    names = ("n", "difference", "low", "high", "p", "p_holm", "needed", "detectable")
    figures = {name: float(getattr(pair, name)) for name in names}
    return {
        "a": pair.a,
        "b": pair.b,
        **{name: value if math.isfinite(value) else None for name, value in figures.items()},
        "n": pair.n,
        "reason": pair.reason,
    }


def _macro(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in _benches(findings):
        found = _turned_by_macro(bench, limits["points"] / 100)
        leaders = _leaders(bench)
        if leaders is not None or found:
            yield _macro_caveat(bench, leaders, found)


def _macro_of(bench: _Bench, model: str) -> float:
    macro = bench.models[model].macro
    return math.nan if macro is None else macro.score


def _leaders(bench: _Bench) -> tuple[str, str] | None:
    """Best over items and best over tasks, among models with both, where they are two models."""
    both = [m for m in bench.tests.models if math.isfinite(_macro_of(bench, m))]
    if len(both) < 2:
        return None
    by_item = max(both, key=bench.score)
    by_task = max(both, key=lambda model: _macro_of(bench, model))
    gain = _macro_of(bench, by_task) - _macro_of(bench, by_item)
    loss = bench.score(by_item) - bench.score(by_task)
    return (by_item, by_task) if min(gain, loss) > _ROUNDING else None


def _turned_by_macro(bench: _Bench, least: float) -> list[PairTest]:
    """Pairs told apart by paired tests whose mean over tasks stands the other way round."""
    alpha, made = 1.0 - bench.tests.level, []
    macro = {model: _macro_of(bench, model) for model in bench.tests.models}
    for i, j in combinations(range(min(len(bench.tests.models), LISTED)), 2):
        a, b = bench.tests.models[i], bench.tests.models[j]
        if macro[b] - macro[a] > least and bench.tests.p_holm[i, j] < alpha:
            made.append(bench.tests.at(i, j))
    return made


def _macro_caveat(bench: _Bench, leaders: tuple[str, str] | None, turned: list[PairTest]) -> Caveat:
    said = []
    if leaders is not None:
        item, task = (say.name(model) for model in leaders)
        said.append(
            f"{item} is first over all items ({_both(bench, leaders[0])}), {task} is first where "
            f"tasks count alike ({_both(bench, leaders[1])})"
        )
    if turned:
        one = turned[0]
        said.append(
            f"{say.number(len(turned), 'pair')} told apart over items "
            f"{'stands' if len(turned) == 1 else 'stand'} the other way round over tasks, such as "
            f"{say.name(one.a)} ({_both(bench, one.a)}) and {say.name(one.b)} "
            f"({_both(bench, one.b)})"
        )
    return Caveat(
        code="AGR304",
        severity=Severity.WARNING if leaders is not None else Severity.NOTICE,
        subject=bench.found.benchmark,
        claim=f"on {bench.name} the order depends on how tasks are weighed: " + "; ".join(said),
        evidence={
            "benchmark": bench.found.benchmark,
            "first": None
            if leaders is None
            else [
                {"model": m, "score": bench.score(m), "macro": _macro_of(bench, m)} for m in leaders
            ],
            "turned": [
                {
                    "a": pair.a,
                    "b": pair.b,
                    "difference": pair.difference,
                    "macro_a": _macro_of(bench, pair.a),
                    "macro_b": _macro_of(bench, pair.b),
                }
                for pair in turned[:_SHOWN]
            ],
            "pairs": len(turned),
        },
        remedy="Say which mean is quoted, and show both; where tasks differ in size, the mean over "
        "items is mostly about the largest.",
        sources=say.sources(bench.found.scores.provenance),
    )


def _both(bench: _Bench, model: str) -> str:
    return f"{say.percent(bench.score(model))} of items, {say.percent(_macro_of(bench, model))}"


def _skipped(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in _benches(findings):
        turned = _turned_by_items(bench, limits)
        if turned:
            yield _skipped_caveat(bench, turned)


def _turned_by_items(bench: _Bench, limits: Thresholds) -> list[PairTest]:
    """Pairs (ahead on its own items, ahead on common items), most moved first."""
    made = []
    for i, j in combinations(range(min(len(bench.tests.models), LISTED)), 2):
        a, b = bench.tests.models[i], bench.tests.models[j]
        own = bench.score(b) - bench.score(a)
        common = float(bench.tests.difference[i, j])  # of a less b; nan compares as not turned
        if common < 0:
            (a, b), (i, j), own, common = (b, a), (j, i), -own, -common
        moved = 100 * (own + common) >= limits["points"]
        if own > 0 and common > 0 and moved and bench.tests.n[i, j] >= limits["items"]:
            made.append((own + common, bench.tests.at(j, i)))
    return [pair for _, pair in sorted(made, key=lambda row: -row[0])]


def _skipped_caveat(bench: _Bench, turned: list[PairTest]) -> Caveat:
    one = turned[0]
    more = f"; so with {say.number(len(turned) - 1, 'other pair')}" if len(turned) > 1 else ""
    a, b = bench.models[one.a], bench.models[one.b]
    return Caveat(
        code="AGR305",
        severity=Severity.WARNING,
        subject=bench.found.benchmark,
        claim=f"on {bench.name} {say.name(one.a)} ({say.percent(a.overall.score)} of its {a.n:,} "
        f"items) looks better than {say.name(one.b)} ({say.percent(b.overall.score)} of {b.n:,}), "
        f"but on the {one.n:,} items both have it is worse, {say.percent(one.score_a)} against "
        f"{say.percent(one.score_b)}{more}",
        evidence={
            "benchmark": bench.found.benchmark,
            "pairs": len(turned),
            "turned": [
                {
                    "a": pair.a,
                    "b": pair.b,
                    "score_a": bench.score(pair.a),
                    "score_b": bench.score(pair.b),
                    "n_a": bench.models[pair.a].n,
                    "n_b": bench.models[pair.b].n,
                    "n": pair.n,
                    "common_a": pair.score_a,
                    "common_b": pair.score_b,
                }
                for pair in turned[:_SHOWN]
            ],
        },
        remedy="Compare models on the items all of them have, and find out why some are missing.",
        sources=say.sources(bench.found.scores.provenance),
    )


RULES: tuple[Rule, ...] = (
    Rule(
        code="AGR303",
        title="best scores not separable",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"models": 1},
        find=_not_separable,
        blocked=_untested,
    ),
    Rule(
        code="AGR304",
        title="order depends on how tasks are weighed",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"points": 0.1},
        find=_macro,
    ),
    Rule(
        code="AGR305",
        title="a model looks better for the items it lacks",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"points": 0.5, "items": 30},
        find=_skipped,
    ),
)
