"""AGR: wrong keys, items that tell no models apart, and what a vote is worth."""

from collections.abc import Iterator, Mapping
from typing import Any

from caveat.results.caveat import Caveat, Severity
from caveat.results.comparison.crowd import Crowd
from caveat.results.comparison.items import ItemRow, Items
from caveat.results.report import BenchmarkFindings, Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

_SHOWN = 10


def _wrong_keys(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        items = bench.part(Items)
        if items is None or not items.suspected or items.suspected < limits["items"]:
            continue
        share = items.suspected / items.judged
        worst = items.suspects(min(_SHOWN, items.suspected))
        yield Caveat(
            code="AGR315",
            severity=Severity.WARNING if share >= limits["warning"] else Severity.NOTICE,
            subject=items.benchmark,
            claim=f"{say.number(items.suspected, 'item')} of {items.judged:,} of "
            f"{say.name(items.benchmark)} probably {'has' if items.suspected == 1 else 'have'} a "
            f"wrong key: the models that agree on another answer are too many and too able "
            f"({_example(worst[0])})",
            evidence={
                "benchmark": items.benchmark,
                "suspected": items.suspected,
                "judged": items.judged,
                "share": share,
                "fdr": items.fdr,
                "items": [_suspect(row) for row in worst],
            },
            remedy="Check these items by hand before using them: correct or drop those with a "
            "wrong key, and score all models again.",
            sources=_sources(bench),
        )


def _example(row: ItemRow) -> str:
    key = f"{row.key_number:,} on the key {say.name(row.key)}" if row.key else "none on the key"
    return (
        f"first of them {say.name(row.item)}: {row.rival_number:,} of {row.answered:,} models on "
        f"{say.name(row.rival)}, {key}"
    )


def _suspect(row: ItemRow) -> Mapping[str, Any]:
    return {
        "item": row.item,
        "key": row.key,
        "rival": row.rival,
        "rival_number": row.rival_number,
        "key_number": row.key_number,
        "answered": row.answered,
        "rival_ability": row.rival_ability,
        "key_ability": row.key_ability,
        "log10_e": row.log10_e,
    }


def _saturated(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        items = bench.part(Items)
        if items is None or len(items.models) < limits["models"]:
            continue
        if not items.n_scored or not items.saturated >= limits["share"]:
            continue
        telling = items.n_scored - items.all_right - items.all_wrong
        yield Caveat(
            code="AGR316",
            severity=Severity.NOTICE,
            subject=items.benchmark,
            claim=f"{say.percent(items.saturated)} of the {items.n_scored:,} items of "
            f"{say.name(items.benchmark)} tell none of the {len(items.models):,} models apart "
            f"({items.all_right:,} all get right, {items.all_wrong:,} all get wrong): "
            f"{say.number(telling, 'item')} carry the comparison",
            evidence={
                "benchmark": items.benchmark,
                "models": len(items.models),
                "n_items": items.n_scored,
                "all_right": items.all_right,
                "all_wrong": items.all_wrong,
                "saturated": items.saturated,
                "effective": items.effective,
            },
            remedy="Compare these models on harder or easier items too; an item that all get "
            "right or all get wrong adds nothing to a difference between them.",
            sources=_sources(bench),
        )


def _crowd(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        crowd = bench.part(Crowd)
        if crowd is None or len(crowd.models) < limits["models"]:
            continue
        agreed, errors = crowd.unanimous, crowd.errors
        if agreed.items < limits["items"] or not 1.0 - agreed.high > limits["wrong"]:
            continue
        m, wrong = len(crowd.models), 1.0 - agreed.accuracy
        worth = (
            f": they are worth {errors.effective:.1f} independent ones"
            if errors and not errors.avoid
            else ""
        )
        yield Caveat(
            code="AGR317",
            severity=Severity.NOTICE,
            subject=crowd.benchmark,
            claim=f"all {m:,} models agree on {say.number(agreed.items, 'item')} of "
            f"{say.name(crowd.benchmark)} and are wrong on {say.percent(wrong)} of these{worth}",
            evidence={
                "benchmark": crowd.benchmark,
                "models": m,
                "items": agreed.items,
                "wrong": agreed.wrong,
                "share": wrong,
                "low": 1.0 - agreed.high,
                "high": 1.0 - agreed.low,
                "if_independent": 1.0 - agreed.if_independent,
                "effective": errors.effective if errors else None,
                "effective_spectral": errors.effective_spectral if errors else None,
                "mean_correlation": errors.mean_correlation if errors else None,
                "plurality": crowd.plurality,
                "best_single": crowd.best_single,
            },
            remedy="Do not take agreement of models for independent confirmation: check a sample "
            "of the items on which they agree by hand, and ask models of other families.",
            sources=_sources(bench),
        )


def _sources(bench: BenchmarkFindings) -> tuple[str, ...]:
    return say.sources(bench.scores.provenance)


def _no_keys(findings: Findings) -> Iterator[str]:
    for bench in findings.benchmarks:
        items = bench.part(Items)
        if items is not None and "key" in items.reasons:
            yield f"{say.name(bench.benchmark)}: {items.reasons['key']}"


RULES: tuple[Rule, ...] = (
    Rule(
        code="AGR315",
        title="keys that are probably wrong",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"items": 1, "warning": 0.01},
        find=_wrong_keys,
        blocked=_no_keys,
    ),
    Rule(
        code="AGR316",
        title="items that tell no models apart",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"share": 0.5, "models": 5},
        find=_saturated,
    ),
    Rule(
        code="AGR317",
        title="models agree and are wrong",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"models": 5, "items": 30, "wrong": 0.01},
        find=_crowd,
    ),
)
