"""AGR: agreement. What equal scores hide, and where nothing can be said of a pair."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nlargest, nsmallest

from caveat.results.agreement import Agreement
from caveat.results.caveat import Caveat, Severity
from caveat.results.report import BenchmarkFindings, Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

_SHOWN = 10
_ROUNDING = 1e-9  # scores such as 0.60 and 0.65 are 0.05 apart up to the last bits


@dataclass(frozen=True, slots=True, kw_only=True)
class _Matched:
    """Pairs of equal score: how many were judged, and those that answer differently."""

    judged: int
    apart: list[tuple[float, int, int]]


def _agreements(findings: Findings) -> Iterator[Agreement]:
    for bench in findings.benchmarks:
        if bench.agreement is not None:
            yield bench.agreement


def _has_scores(agreement: Agreement) -> bool:
    return sum(math.isfinite(score) for score in agreement.score.tolist()) >= 2


def _same_score(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for agreement in _agreements(findings):
        matched = _match(agreement, limits)
        if matched.apart:
            yield _same_score_caveat(agreement, matched, limits["points"])


def _match(agreement: Agreement, limits: Thresholds) -> _Matched:
    """Look for pairs of near scores on the items that both have."""
    gap = limits["points"] / 100 + _ROUNDING
    n, low = agreement.n.tolist(), agreement.low.tolist()
    disagree, scores = agreement.disagree.tolist(), agreement.common_score.tolist()
    judged, apart = 0, []
    for i, row in enumerate(scores):
        for j in range(i + 1, len(row)):
            if not abs(row[j] - scores[j][i]) <= gap or n[i][j] < limits["min_items"]:
                continue
            judged += 1
            if low[i][j] > limits["disagree"]:
                apart.append((disagree[i][j], i, j))
    return _Matched(judged=judged, apart=apart)


def _same_score_caveat(agreement: Agreement, matched: _Matched, points: float) -> Caveat:
    shares = [share for share, _, _ in matched.apart]
    k = len(matched.apart)
    head = f"{k:,} of the {matched.judged:,} pairs of models" if matched.judged > 1 else "a pair"
    return Caveat(
        code="AGR301",
        severity=Severity.WARNING,
        subject=agreement.benchmark,
        claim=f"{head} within {points:g} points of score on {say.name(agreement.benchmark)} "
        f"{'disagrees' if matched.judged == 1 else 'disagree'} on "
        f"{say.span(min(shares), max(shares))} of their common items",
        evidence={
            "benchmark": agreement.benchmark,
            "policy": agreement.policy,
            "points": points,
            "pairs": k,
            "matched": matched.judged,
            "disagree_min": min(shares),
            "disagree_max": max(shares),
            "worst": [_pair_row(agreement, i, j) for _, i, j in nlargest(_SHOWN, matched.apart)],
        },
        remedy="Do not swap one model for another because their scores match: compare their "
        "answers with `caveat agree`, and repeat any conclusion with both models.",
        sources=say.sources(agreement.provenance),
    )


def _pair_row(agreement: Agreement, i: int, j: int) -> dict[str, object]:
    score = agreement.common_score
    return {
        "a": agreement.models[i],
        "b": agreement.models[j],
        "n": int(agreement.n[i, j]),
        "disagree": float(agreement.disagree[i, j]),
        "low": float(agreement.low[i, j]),
        "high": float(agreement.high[i, j]),
        "score_a": float(score[i, j]),
        "score_b": float(score[j, i]),
    }


def _cannot_match(findings: Findings) -> Iterator[str]:
    for bench in findings.benchmarks:
        told = any(check.startswith("AGR301") for check, _ in bench.quality.skipped)
        if bench.agreement is None or len(bench.agreement.models) < 2:
            if not told:
                yield f"{say.name(bench.benchmark)} has no two models to compare"
        elif not _has_scores(bench.agreement):
            yield f"{say.name(bench.benchmark)} has no scores to match models by"


def _few_common(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    yield from (_no_overlap(bench) for bench in findings.benchmarks if bench.quality.no_overlap)
    for agreement in _agreements(findings):
        few = [
            (int(n), i, j)
            for i, row in enumerate(agreement.n.tolist())
            for j, n in enumerate(row[i + 1 :], start=i + 1)
            if n < limits["items"]
        ]
        if few:
            yield _few_common_caveat(agreement, few, limits["items"])


def _no_overlap(bench: BenchmarkFindings) -> Caveat:
    models = [model.model for model in bench.scores.models]
    return Caveat(
        code="AGR302",
        severity=Severity.WARNING,
        subject=bench.benchmark,
        claim=f"no two of the {len(models):,} models of {say.name(bench.benchmark)} answered the "
        "same item, so nothing can be compared, scores included",
        evidence={"benchmark": bench.benchmark, "models": models, "items": 0},
        remedy="Run the models on the same items, or check that the same items have the same ids "
        "in all files.",
        sources=say.sources(bench.quality.provenance),
    )


def _few_common_caveat(
    agreement: Agreement, few: list[tuple[int, int, int]], items: float
) -> Caveat:
    models = agreement.models
    total = len(models) * (len(models) - 1) // 2
    least = nsmallest(_SHOWN, few)
    head = f"{len(few):,} of {total:,} pairs of models share"
    if total == 1:
        head = f"{say.names(models)} share"
    return Caveat(
        code="AGR302",
        severity=Severity.NOTICE,
        subject=agreement.benchmark,
        claim=f"{head} fewer than {items:g} answered items of {say.name(agreement.benchmark)} "
        f"(the fewest: {least[0][0]:,}), too few to call them alike or different",
        evidence={
            "benchmark": agreement.benchmark,
            "policy": agreement.policy,
            "items": items,
            "pairs": len(few),
            "of": total,
            "least": [{"a": models[i], "b": models[j], "n": n} for n, i, j in least],
            "models": [models[k] for k in sorted({k for _, i, j in few for k in (i, j)})],
        },
        remedy="Run these models on the same items before comparing them; make no claim of "
        "equality from so few.",
        sources=say.sources(agreement.provenance),
    )


RULES: tuple[Rule, ...] = (
    Rule(
        code="AGR301",
        title="same score, different answers",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"points": 5, "disagree": 0.10, "min_items": 30},
        find=_same_score,
        blocked=_cannot_match,
    ),
    Rule(
        code="AGR302",
        title="too few common items",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"items": 30},
        find=_few_common,
    ),
)
