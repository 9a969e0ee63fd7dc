"""DAT: the data itself. Gaps, repeats, fills, and items that cannot be answered."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from caveat.results.agreement import ModelScore, ScoreEstimate
from caveat.results.caveat import Caveat, Severity
from caveat.results.quality import Fill, MissingItems, UnparsedShare
from caveat.results.report import BenchmarkFindings, Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

_WORTH_A_TASK = 10


def _one_model(findings: Findings) -> Iterator[str]:
    for bench in findings.benchmarks:
        if bench.quality.n_models == 1:
            yield f"{say.name(bench.benchmark)} has one model, and gaps show only beside another"


def _items_missing(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        gaps = sorted(
            (gap for gap in bench.quality.missing if gap.missing),
            key=lambda gap: (-gap.missing, gap.model),
        )
        if gaps:
            uneven = any(_is_uneven(gap, limits) for gap in gaps)
            yield Caveat(
                code="DAT101",
                severity=Severity.WARNING if uneven else Severity.NOTICE,
                subject=gaps[0].model if len(gaps) == 1 else bench.benchmark,
                claim=_missing_claim(bench, gaps),
                evidence={"benchmark": bench.benchmark, "models": [_gap_row(g) for g in gaps]},
                remedy="Compare models on the items that all of them have, or by task; ask the "
                "source why these items are absent before quoting one overall score.",
                sources=say.sources(bench.quality.provenance),
            )


def _is_uneven(gap: MissingItems, limits: Thresholds) -> bool:
    return gap.missing >= limits["share"] * gap.items or any(
        missing >= limits["task_items"] and missing >= limits["task_share"] * items
        for _, missing, items in gap.tasks
    )


def _missing_claim(bench: BenchmarkFindings, gaps: Sequence[MissingItems]) -> str:
    benchmark = say.name(bench.benchmark)
    if len(gaps) == 1:
        gap = gaps[0]
        return (
            f"{say.name(gap.model)} lacks {gap.missing:,} of {gap.items:,} items of {benchmark} "
            f"({say.percent(gap.missing / gap.items)}){_where(gap, ', ', '')}"
        )
    worst = [
        f"{say.name(gap.model)} {gap.missing:,} of {gap.items:,}{_where(gap, ' (', ')')}"
        for gap in gaps
    ]
    return (
        f"{len(gaps):,} of {bench.quality.n_models:,} models lack items of {benchmark}: "
        f"{say.listed(worst)}"
    )


def _where(gap: MissingItems, before: str, after: str) -> str:
    """Tasks that hold at least a quarter of the gap; a small or scattered gap needs no task."""
    held = [(task, missing) for task, missing, _ in gap.tasks if 4 * missing >= gap.missing]
    if not held or gap.missing < _WORTH_A_TASK:
        return ""
    if held[0][1] == gap.missing:
        return f"{before}all of them in {say.name(held[0][0])}{after}"
    first, *rest = [f"in {say.name(task)}" for task, _ in held]
    counts = [f"{missing:,}" for _, missing in held]
    phrases = [f"{counts[0]} of them {first}"]
    phrases += [f"{count} {where}" for count, where in zip(counts[1:], rest, strict=True)]
    return f"{before}{say.listed(phrases)}{after}"


def _gap_row(gap: MissingItems) -> dict[str, object]:
    return {
        "model": gap.model,
        "missing": gap.missing,
        "items": gap.items,
        "tasks": [{"task": t, "missing": m, "items": n} for t, m, n in gap.tasks],
    }


def _duplicates(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for repeated in findings.duplicates:
        if repeated.count:
            many = repeated.count >= limits["share"] * repeated.rows_read
            yield Caveat(
                code="DAT102",
                severity=Severity.WARNING if many else Severity.NOTICE,
                subject=repeated.kind,
                claim=f"{repeated.count:,} of {repeated.rows_read:,} rows of {repeated.kind} "
                "repeat the key of an earlier row and were left out",
                evidence={
                    "kind": repeated.kind,
                    "count": repeated.count,
                    "rows_read": repeated.rows_read,
                    "examples": list(repeated.examples),
                },
                remedy="Look at the examples: map the column that tells such rows apart "
                "(`--map run=COLUMN`, or `repeat`, `prompt`), or clean the export; the first row "
                "of each key was kept.",
                sources=_sources_of_kind(findings, repeated.kind),
            )


def _sources_of_kind(findings: Findings, kind: str) -> tuple[str, ...]:
    found = [findings.ranking.provenance] if findings.ranking else []
    found += [bench.quality.provenance for bench in findings.benchmarks]
    named = [s.name for provenance in found for s in provenance.sources if s.kind == kind]
    return tuple(dict.fromkeys(named))


def _unparsed(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        worst = sorted(
            (row for row in bench.quality.unparsed if row.share >= limits["notice"]),
            key=lambda row: (-row.share, row.model),
        )
        if worst:
            grave = worst[0].share >= limits["warning"]
            yield Caveat(
                code="DAT103",
                severity=Severity.WARNING if grave else Severity.NOTICE,
                subject=worst[0].model if len(worst) == 1 else bench.benchmark,
                claim=_unparsed_claim(bench, worst),
                evidence={
                    "benchmark": bench.benchmark,
                    "models": [
                        {"model": r.model, "unparsed": r.unparsed, "n": r.n, "share": r.share}
                        for r in worst
                    ],
                },
                remedy="Read a few of these answers: if the text holds a choice, parse it again; "
                "if it does not, report the share of unreadable answers beside the score.",
                sources=say.sources(bench.quality.provenance),
            )


def _unparsed_claim(bench: BenchmarkFindings, worst: Sequence[UnparsedShare]) -> str:
    shares = [f"{say.name(r.model)} {say.percent(r.share)}" for r in worst]
    if len(worst) == 1:
        row = worst[0]
        return (
            f"{row.unparsed:,} of {row.n:,} answers of {say.name(row.model)} to "
            f"{say.name(bench.benchmark)} ({say.percent(row.share)}) hold no readable choice"
        )
    return (
        f"{len(worst):,} of {bench.quality.n_models:,} models gave answers to "
        f"{say.name(bench.benchmark)} that hold no readable choice: {say.listed(shares)}"
    )


def _fills(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        fills = [fill for fill in bench.quality.fills if _is_fill(fill, limits)]
        for _, group in groupby(sorted(fills, key=_fill_kind), key=_fill_kind):
            yield _fill_caveat(bench, sorted(group, key=lambda f: (-f.filled, f.model)))


def _is_fill(fill: Fill, limits: Thresholds) -> bool:
    """Whether it is more than another reading of the text, which would beat blind guessing."""
    if fill.filled < limits["filled"]:
        return False
    guessed = not fill.p_chance < limits["p_chance"]
    many = fill.filled >= max(limits["spread"], limits["share"] * fill.unparseable)
    return guessed and (fill.constant or many)


def _fill_severity(fill: Fill) -> Severity:
    if fill.constant:
        return Severity.SERIOUS
    return Severity.NOTICE if math.isnan(fill.p_chance) else Severity.WARNING


def _fill_kind(fill: Fill) -> tuple[str, int, str]:
    return fill.reference, -_fill_severity(fill).rank, fill.answer if fill.constant else ""


def _fill_caveat(bench: BenchmarkFindings, fills: Sequence[Fill]) -> Caveat:
    constant = fills[0].constant
    return Caveat(
        code="DAT104",
        severity=_fill_severity(fills[0]),
        subject=fills[0].model if len(fills) == 1 else bench.benchmark,
        claim=_fill_claim(fills),
        evidence={
            "benchmark": bench.benchmark,
            "reference": fills[0].reference,
            "constant": constant,
            "answer": fills[0].answer if constant else None,
            "models": [_fill_row(fill) for fill in fills],
        },
        remedy="Set the filled answers to null (unparsed) and score again: they are not the "
        "model's answers, and they make models look alike. Map a column that keeps the parse "
        "without a fill (`--map prediction=COLUMN`) where there is one.",
        sources=say.sources(bench.quality.provenance),
    )


def _fill_row(fill: Fill) -> dict[str, object]:
    return {
        "model": fill.model,
        "unparseable": fill.unparseable,
        "filled": fill.filled,
        "answer": fill.answer,
        "n_answer": fill.n_answer,
        "share": fill.share,
        "expected": fill.expected,
        "p": fill.p,
        "correct": fill.correct,
        "chance": fill.chance,
        "p_chance": fill.p_chance,
    }


def _fill_claim(fills: Sequence[Fill]) -> str:
    filled = sum(f.filled for f in fills)
    one = len(fills) == 1
    who = say.name(fills[0].model)
    if not one:
        who = f"{len(fills):,} models ({say.names([f.model for f in fills])})"
    verb, their = ("carries", "its") if one else ("carry", "their")
    where = f"where {their} text holds no readable answer"
    if fills[0].constant:
        answers = sum(f.n_answer for f in fills)
        usual = _chance("; among readable answers its share is", [f.expected for f in fills])
        return (
            f"{who} {verb} the answer {say.name(fills[0].answer)} on {answers:,} of the "
            f"{filled:,} answers that stand {where}{usual}"
        )
    unparseable = sum(f.unparseable for f in fills)
    correct = f"{sum(f.correct for f in fills):,} of these count as correct"
    chance = _chance(", where guessing gives", [f.chance for f in fills])
    items = f"of {unparseable:,} items {where}"
    return f"{who} {verb} some answer on {filled:,} {items}; {correct}{chance}"


def _chance(text: str, shares: Sequence[float]) -> str:
    known = [share for share in shares if math.isfinite(share)]
    return f"{text} {say.span(min(known), max(known))}" if known else ""


def _gold_differs(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        gold = bench.quality.gold
        if gold is None or not gold.items:
            continue
        many = gold.items >= limits["share"] * gold.n_items
        example = ""
        if gold.examples:
            item, answers = gold.examples[0]
            example = f", e.g. item {say.name(item)} ({' or '.join(map(say.name, answers[:5]))})"
        verb = "has" if gold.items == 1 else "have"
        yield Caveat(
            code="DAT105",
            severity=Severity.WARNING if many else Severity.NOTICE,
            subject=bench.benchmark,
            claim=f"{gold.items:,} of {gold.n_items:,} items of {say.name(bench.benchmark)} {verb} "
            f"a gold answer that is not the same for all models{example}",
            evidence={
                "benchmark": bench.benchmark,
                "items": gold.items,
                "n_items": gold.n_items,
                "examples": [{"item": i, "answers": list(a)} for i, a in gold.examples],
            },
            remedy="Find out which revision of the benchmark each model was run on; score all "
            "models against one revision, or leave these items out.",
            sources=say.sources(bench.quality.provenance),
        )


def _degenerate(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        bad = bench.quality.degenerate
        if bad is None or not (bad.one_option or bad.gold_outside):
            continue
        parts, helps = [], []
        if bad.one_option:
            parts.append(f"{say.number(bad.one_option, 'item')} with one option only")
            helps.append("one option is right whoever answers, unless the answer cannot be read")
        if bad.gold_outside:
            helps.append("a gold answer that is no option is right for nobody")
            parts.append(
                f"{say.number(bad.gold_outside, 'item')} whose gold answer is not an option"
            )
        many = bad.one_option + bad.gold_outside >= limits["share"] * bad.n_items
        yield Caveat(
            code="DAT106",
            severity=Severity.WARNING if many else Severity.NOTICE,
            subject=bench.benchmark,
            claim=f"{say.name(bench.benchmark)} has {say.listed(parts)}, of {bad.n_items:,}",
            evidence={
                "benchmark": bench.benchmark,
                "one_option": bad.one_option,
                "gold_outside": bad.gold_outside,
                "n_items": bad.n_items,
                "examples": list(bad.examples),
            },
            remedy="Leave these items out of the score and tell the benchmark's maintainers: "
            f"{', and '.join(helps)}.",
            sources=say.sources(bench.quality.provenance),
        )


def _no_variation(findings: Findings, _: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        scored = [model for model in bench.scores.models if model.n]
        if not scored or not _all_alike(scored):
            continue
        right = scored[0].overall.score == 1
        who = "both models" if len(scored) == 2 else f"all {len(scored):,} models"
        if len(scored) == 1:
            who = say.name(scored[0].model)
        verb = "is" if len(scored) == 1 else "are"
        yield Caveat(
            code="DAT107",
            severity=Severity.WARNING,
            subject=bench.benchmark,
            claim=f"{who} {verb} {'right' if right else 'wrong'} on every scored item of "
            f"{say.name(bench.benchmark)} ({say.number(max(m.n for m in scored), 'item')} "
            "at most), so the scores neither tell models apart nor show them equal",
            evidence={
                "benchmark": bench.benchmark,
                "score": scored[0].overall.score,
                "models": [{"model": m.model, "n": m.n} for m in scored],
            },
            remedy="Add items that some models get wrong and some get right; until then make no "
            "claim about differences, and none about equality.",
            sources=say.sources(bench.scores.provenance),
        )


def _few_clusters(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        scored = bench.scores.models
        overall = [m for m in scored if _is_narrow(m.overall, limits)]
        tasks = [
            (m.model, task, estimate)
            for m in scored
            for task, estimate in m.tasks.items()
            if _is_narrow(estimate, limits)
        ]
        if overall or tasks:
            yield _few_clusters_caveat(bench, overall, tasks, limits["clusters"])


def _is_narrow(estimate: ScoreEstimate, limits: Thresholds) -> bool:
    return estimate.method == "clustered" and estimate.n_clusters < limits["clusters"]


def _few_clusters_caveat(
    bench: BenchmarkFindings,
    overall: Sequence[ModelScore],
    tasks: Sequence[tuple[str, str, ScoreEstimate]],
    clusters: float,
) -> Caveat:
    estimates = [m.overall for m in overall] + [estimate for _, _, estimate in tasks]
    what = [say.number(len(overall), "model")] if overall else []
    what += [f"{say.number(len(tasks), 'score')} by task"] if tasks else []
    least = min(estimate.n_clusters for estimate in estimates)
    return Caveat(
        code="DAT108",
        severity=Severity.NOTICE,
        subject=overall[0].model if len(overall) == 1 and not tasks else bench.benchmark,
        claim=f"the intervals of {say.listed(what)} on {say.name(bench.benchmark)} rest on fewer "
        f"than {clusters:g} clusters of items ({least:,} at fewest): they may be too narrow",
        evidence={
            "benchmark": bench.benchmark,
            "clusters": clusters,
            "models": [
                {"model": m.model, "n_clusters": m.overall.n_clusters, "n": m.overall.n}
                for m in overall
            ],
            "tasks": [
                {"model": m, "task": task, "n_clusters": e.n_clusters, "n": e.n}
                for m, task, e in tasks
            ],
        },
        remedy="Read these intervals as rough; add clusters (passages, repositories), not items of "
        "the same ones.",
        sources=say.sources(bench.scores.provenance),
    )


def _all_alike(scored: Sequence[ModelScore]) -> bool:
    estimates = [model.overall for model in scored]
    return all(e.score == 1 for e in estimates) or all(e.score == 0 for e in estimates)


def _off_scale(findings: Findings, _: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        low, high = bench.quality.score_low, bench.quality.score_high
        if low < 0 or high > 1:
            yield Caveat(
                code="DAT109",
                severity=Severity.SERIOUS,
                subject=bench.benchmark,
                claim=f"scores on {say.name(bench.benchmark)} run from {low:g} to {high:g}, but "
                "are read and shown as shares of 1",
                evidence={"benchmark": bench.benchmark, "low": low, "high": high},
                remedy="Divide the scores by their largest possible value, so that 1 is fully "
                "right and 0 is wrong, and read them again.",
                sources=say.sources(bench.quality.provenance),
            )


RULES: tuple[Rule, ...] = (
    Rule(
        code="DAT101",
        title="items missing for some models",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"share": 0.02, "task_share": 0.10, "task_items": 10},
        find=_items_missing,
        blocked=_one_model,
    ),
    Rule(
        code="DAT102",
        title="duplicate rows left out",
        severity=Severity.NOTICE,
        needs="any",
        thresholds={"share": 0.01},
        find=_duplicates,
    ),
    Rule(
        code="DAT103",
        title="answers without a readable choice",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"notice": 0.05, "warning": 0.15},
        find=_unparsed,
    ),
    Rule(
        code="DAT104",
        title="filled answers scored as answers",
        severity=Severity.SERIOUS,
        needs="responses",
        thresholds={"filled": 10, "spread": 30, "share": 0.05, "p_chance": 0.001},
        find=_fills,
    ),
    Rule(
        code="DAT105",
        title="gold answer differs between models",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"share": 0.01},
        find=_gold_differs,
    ),
    Rule(
        code="DAT106",
        title="items that cannot tell models apart",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"share": 0.01},
        find=_degenerate,
    ),
    Rule(
        code="DAT107",
        title="every model right on everything, or wrong",
        severity=Severity.WARNING,
        needs="responses",
        find=_no_variation,
    ),
    Rule(
        code="DAT108",
        title="few clusters",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"clusters": 30},
        find=_few_clusters,
    ),
    Rule(
        code="DAT109",
        title="scores outside 0 to 1",
        severity=Severity.SERIOUS,
        needs="responses",
        find=_off_scale,
    ),
)
