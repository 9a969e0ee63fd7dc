"""AGR: errors in common, and what disagreement depends on."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from caveat.results.caveat import Caveat, Severity
from caveat.results.comparison.disagreement import (
    Disagreement,
    PairErrors,
    PairRow,
    PolicyRange,
    TaskRange,
)
from caveat.results.report import BenchmarkFindings, Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

_COUNTED: Mapping[str, str] = {
    "drop": "left out",
    "as-disagreement": "unlike any other",
    "as-option": "alike among themselves",
}


def _parts(findings: Findings) -> Iterator[tuple[BenchmarkFindings, Disagreement]]:
    for bench in findings.benchmarks:
        part = bench.part(Disagreement)
        if part is not None:
            yield bench, part


def _sources(bench: BenchmarkFindings) -> tuple[str, ...]:
    return say.sources(bench.scores.provenance)


def _shared_errors(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench, part in _parts(findings):
        shared = part.shared
        if shared is None or len(part.groups[0].models) < limits["models"]:
            continue
        by_capa = math.isfinite(shared.capa[1])
        median = shared.capa[1] if by_capa else shared.error_consistency[1]
        limit = limits["capa"] if by_capa else limits["error_consistency"]
        if not median >= limit:
            continue
        yield Caveat(
            code="AGR306",
            severity=Severity.NOTICE,
            subject=part.benchmark,
            claim=_shared_claim(part, shared, by_capa=by_capa),
            evidence={
                "benchmark": part.benchmark,
                "policy": part.policy,
                "pairs": shared.n_pairs,
                "capa": _spread(shared.capa),
                "error_consistency": _spread(shared.error_consistency),
                "same_when_wrong": _figure(shared.same_when_wrong),
                "same_by_chance": _figure(shared.same_by_chance),
                "most_alike": [_alike(row) for row in shared.most_alike],
            },
            remedy="Do not take a second of these models, or a vote of them, for an independent "
            "check: choose models whose errors differ, and check a sample of what they agree on "
            "by hand.",
            sources=_sources(bench),
        )


def _shared_claim(part: Disagreement, shared: PairErrors, *, by_capa: bool) -> str:
    name, spread = (
        ("CAPA", shared.capa) if by_capa else ("error consistency", shared.error_consistency)
    )
    claim = (
        f"models make the same errors on {say.name(part.benchmark)} more often than their scores "
        f"explain: {name} is {spread[1]:.2f} in the median of {say.number(shared.n_pairs, 'pair')}"
    )
    if math.isfinite(shared.same_when_wrong):
        claim += (
            f"; where both are wrong, {say.percent(shared.same_when_wrong)} of the wrong answers "
            "are the same"
        )
        if math.isfinite(shared.same_by_chance):
            claim += f" ({say.percent(shared.same_by_chance)} if drawn evenly)"
    return claim


def _spread(values: tuple[float, float, float]) -> dict[str, float | None]:
    return dict(zip(("lowest", "median", "highest"), map(_figure, values), strict=True))


def _figure(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _alike(row: PairRow) -> dict[str, Any]:
    return {
        "a": row.a,
        "b": row.b,
        "n": row.n,
        "capa": _figure(row.capa.value),
        "capa_low": _figure(row.capa.low),
        "capa_high": _figure(row.capa.high),
        "error_consistency": _figure(row.error_consistency.value),
    }


def _policy(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench, part in _parts(findings):
        rows = [
            row
            for row in part.policies
            if row.n_pairs and row.fewest >= limits["min_items"] and math.isfinite(row.median)
        ]
        if len(rows) < 2:
            continue
        moved = max(
            max(getattr(row, end) for row in rows) - min(getattr(row, end) for row in rows)
            for end in ("lowest", "median", "highest")
        )
        if not moved > limits["points"] / 100:
            continue
        yield Caveat(
            code="AGR307",
            severity=Severity.WARNING,
            subject=part.benchmark,
            claim=f"what an unparsed answer of {say.name(part.benchmark)} counts as moves the "
            f"disagreement of {_which(part, rows[0].n_pairs)} by up to {100 * moved:.1f} points: "
            + say.listed([f"{_span(row)} with them {_COUNTED[row.policy]}" for row in rows]),
            evidence={
                "benchmark": part.benchmark,
                "over": part.over,
                "points": part.points,
                "moved": moved,
                "policies": [_range(row) for row in rows],
            },
            remedy="Read the answers again with a better parser, and state with every figure of "
            "disagreement what unparsed answers counted as (`--policy`).",
            sources=_sources(bench),
        )


def _which(part: Disagreement, pairs: int) -> str:
    if part.over == "matched":
        what = "a pair" if pairs == 1 else say.number(pairs, "pair")
        return f"{what} within {100 * part.points:g} points of score"
    return "the pair" if pairs == 1 else f"all {say.number(pairs, 'pair')}"


def _span(row: PolicyRange) -> str:
    return say.span(row.lowest, row.highest)


def _range(row: PolicyRange) -> dict[str, Any]:
    return {
        "policy": row.policy,
        "pairs": row.n_pairs,
        "lowest": row.lowest,
        "median": row.median,
        "highest": row.highest,
    }


def _tasks(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench, part in _parts(findings):
        if part.over != "matched":
            continue
        rows = [
            row
            for row in part.tasks
            if row.n_items >= limits["min_items"] and math.isfinite(row.median)
        ]
        if len(rows) < 2 or not rows[0].median - rows[-1].median > limits["points"] / 100:
            continue
        yield Caveat(
            code="AGR308",
            severity=Severity.NOTICE,
            subject=part.benchmark,
            claim=f"how much {_which(part, part.n_judged)} on {say.name(part.benchmark)} "
            f"{'disagrees' if part.n_judged == 1 else 'disagree'} depends on the task: from "
            f"{say.percent(rows[-1].median)} on {say.name(rows[-1].task)} to "
            f"{say.percent(rows[0].median)} on {say.name(rows[0].task)}"
            + (" (medians)" if part.n_judged > 1 else ""),
            evidence={
                "benchmark": part.benchmark,
                "policy": part.policy,
                "pairs": part.n_judged,
                "tasks": [_task(row) for row in rows],
            },
            remedy="Before one model replaces another of the same score, look at the tasks you "
            "need: one figure for the whole benchmark is too high for some and too low for others.",
            sources=_sources(bench),
        )


def _task(row: TaskRange) -> dict[str, Any]:
    return {
        "task": row.task,
        "n_items": row.n_items,
        "lowest": row.lowest,
        "median": row.median,
        "highest": row.highest,
        "share": row.share,
        "share_items": row.share_items,
    }


def _nothing_shared(findings: Findings) -> Iterator[str]:
    for _, part in _parts(findings):
        if "shared" in part.reasons:
            yield f"{say.name(part.benchmark)}: {part.reasons['shared']}"


RULES: tuple[Rule, ...] = (
    Rule(
        code="AGR306",
        title="models make the same errors",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"models": 5, "capa": 0.2, "error_consistency": 0.4},
        find=_shared_errors,
        blocked=_nothing_shared,
    ),
    Rule(
        code="AGR307",
        title="what unparsed answers count as moves disagreement",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"points": 5, "min_items": 30},
        find=_policy,
    ),
    Rule(
        code="AGR308",
        title="disagreement depends on the task",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"points": 25, "min_items": 50},
        find=_tasks,
    ),
)
