"""DAT: signs that responses are not what they seem, and counting one answer several times."""

from collections.abc import Callable, Iterator
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.caveat import Caveat, Severity
from caveat.results.data_checks import Alike, DataChecks
from caveat.results.report import BenchmarkFindings, Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

Found = tuple[str, str, dict[str, Any]] | tuple[str, str, dict[str, Any], Severity]
"""Subject, claim, evidence beside the benchmark, and a grade other than the usual one."""
_SETS = 5
"""Sets of models with one file of answers that are named."""


def each(
    code: str, severity: Severity, remedy: str, look: Callable[..., Iterator[Found]]
) -> Callable[[Findings, Thresholds], Iterator[Caveat]]:
    """Return a rule's search: what `look` finds in the data checks of each benchmark."""

    def find(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
        for bench in findings.benchmarks:
            checks = bench.part(DataChecks)
            if checks is None:
                continue
            for subject, claim, evidence, *grade in look(bench, checks, limits):
                yield Caveat(
                    code=code,
                    severity=grade[0] if grade else severity,
                    subject=subject,
                    claim=claim,
                    evidence={"benchmark": bench.benchmark, **evidence},
                    remedy=remedy,
                    sources=say.sources(bench.scores.provenance),
                )

    return find


def skipped(code: str) -> Callable[[Findings], Iterator[str]]:
    """Return what says why a check did not run."""

    def why(findings: Findings) -> Iterator[str]:
        for bench in findings.benchmarks:
            checks = bench.part(DataChecks)
            for check, reason in checks.skipped if checks is not None else ():
                if check.startswith(code):
                    yield f"{say.name(bench.benchmark)}: {reason}"

    return why


def _readings(bench: BenchmarkFindings, checks: DataChecks, _: Thresholds) -> Iterator[Found]:
    several = [one for one in checks.readings if one.rows]
    if len(several) < 2 or all(one.used == one.rows for one in several):
        return
    used = [one for one in several if one.used]
    names = say.names([one.name or "(no name)" for one in several])
    kept = say.names([one.name or "(no name)" for one in used])
    total, left = sum(o.rows for o in several), sum(o.rows - o.used for o in several)
    yield (
        bench.benchmark,
        f"answers to {say.name(bench.benchmark)} are scored in {len(several)} ways ({names}); "
        f"only {kept} counts here, and {left:,} of {total:,} rows are left out: an average over "
        "all rows would count each answer several times",
        {"readings": to_plain(several)},
    )


def _lost(bench: BenchmarkFindings, checks: DataChecks, _: Thresholds) -> Iterator[Found]:
    for one in checks.lost:
        yield (
            one.model,
            f"{say.name(one.model)} scores {say.percent(one.score)} on "
            f"{say.name(bench.benchmark)} by the reading in use and "
            f"{say.percent(one.other_score)} by {say.name(one.reading)}, "
            f"{100 * one.gain:.1f} points more, where the usual model gains "
            f"{100 * one.usual:.1f}: the reading misses how this model writes its answers",
            {"model": one.model, "lost": to_plain(one)},
        )


def _shuffled(bench: BenchmarkFindings, checks: DataChecks, _: Thresholds) -> Iterator[Found]:
    found = checks.shuffled
    if found is None:
        return
    verb = "gives" if len(found.models) == 1 else "give"
    why = (
        "their options stand in another order under the same item ids"
        if found.how == "order"
        else "one of theirs stands for the same one of the others throughout, so options are named "
        "or numbered in another way"
    )
    yield (
        bench.benchmark,
        f"{say.names(found.models)} {verb} another letter than the other models on "
        f"{say.percent(found.differ)} of the {found.n:,} answers to {say.name(bench.benchmark)} "
        f"that are right for both: {why}, and letters cannot be compared",
        {"shuffled": to_plain(found)},
    )


def _not_at_random(bench: BenchmarkFindings, checks: DataChecks, _: Thresholds) -> Iterator[Found]:
    for one in checks.not_at_random:
        where = [f"{say.name(task)} ({gone:,} of {n:,})" for task, gone, n in one.tasks]
        at = f", most of them of {say.listed(where)}" if where else ""
        known = one.score_missing == one.score_missing
        how = (
            f"; the other models score {say.percent(one.score_missing)} on these items and "
            f"{say.percent(one.score_present)} on the rest"
            if known
            else ""
        )
        yield (
            one.model,
            f"the {one.missing:,} items of {say.name(bench.benchmark)} that "
            f"{say.name(one.model)} has no score on are not like the others{at}{how}: its score is "
            "over another mix of items",
            {"model": one.model, "missing": to_plain(one)},
        )


def _repeated(bench: BenchmarkFindings, checks: DataChecks, _: Thresholds) -> Iterator[Found]:
    for one in checks.repeated:
        how = (
            "were answered alike by every model, in answers too varied for chance"
            if one.by == "answers"
            else f"have the same {say.name(one.by)}"
        )
        yield (
            bench.benchmark,
            f"{say.number(one.items, 'item')} of {one.n_items:,} of {say.name(bench.benchmark)} "
            f"seem to repeat another under an id of their own: they {how}, for example "
            f"{say.names(one.groups[0])}",
            {"repeated": to_plain(one)},
        )


def _zeros(bench: BenchmarkFindings, checks: DataChecks, _: Thresholds) -> Iterator[Found]:
    for one in checks.zeros:
        beside = f", while {say.number(one.others, 'model')} has more" if one.others == 1 else ""
        beside = f", while {one.others:,} models have more" if one.others > 1 else beside
        yield (
            bench.benchmark,
            f"{one.column} is 0 in every row of {say.names(one.models)} on "
            f"{say.name(bench.benchmark)}{beside}: nothing costs nothing or takes no time, so 0 "
            "must mean unknown",
            {"zeros": to_plain(one)},
        )


def _alike(bench: BenchmarkFindings, checks: DataChecks, _: Thresholds) -> Iterator[Found]:
    if not checks.alike:
        return
    models = tuple(dict.fromkeys(m for one in checks.alike for m in (one.a, one.b)))
    yield (
        ", ".join(models) if len(models) == 2 else bench.benchmark,
        f"models on {say.name(bench.benchmark)} share their {checks.alike[0].what}: "
        f"{'; '.join(_sets(checks))}: one file may stand under several names",
        {"alike": to_plain(checks.alike)},
    )


def _sets(checks: DataChecks) -> Iterator[str]:
    """Say of each set of equal models, and of each pair that is nearly equal, how alike it is."""
    equal: dict[str, list[Alike]] = {}
    for one in checks.alike:
        if one.same == one.n:
            equal.setdefault(one.a, []).append(one)
    for first, others in list(equal.items())[:_SETS]:
        yield (
            f"{say.names([first, *(one.b for one in others)])} on all {others[0].n:,} items, "
            f"{others[0].both_wrong:,} wrong ones among them"
        )
    near = [one for one in checks.alike if one.same < one.n]
    for one in near[: max(0, _SETS - len(equal))]:
        yield (
            f"{say.name(one.a)} and {say.name(one.b)} on {one.same:,} of {one.n:,} items, with "
            f"the same wrong answer to {one.both_wrong:,}"
        )
    if len(equal) + len(near) > _SETS:
        yield f"and {len(equal) + len(near) - _SETS:,} more"


def _unmatched(bench: BenchmarkFindings, checks: DataChecks, _: Thresholds) -> Iterator[Found]:
    found = checks.unmatched
    if not found:
        return
    rows = [
        f"{say.name(one.model)}{f' on {say.name(one.task)}' if one.task else ''} "
        f"{say.percent(one.published)} (items: {say.percent(one.computed)})"
        for one in found
    ]
    yield (
        bench.benchmark,
        f"{len(found):,} of {say.number(checks.published, 'published score')} of "
        f"{say.name(bench.benchmark)} cannot be recomputed from the items by any usual reading: "
        f"{say.listed(rows)}",
        {"published": checks.published, "unmatched": to_plain(found)},
    )


def _contradicted(
    bench: BenchmarkFindings, checks: DataChecks, limits: Thresholds
) -> Iterator[Found]:
    bad = [
        one
        for one in checks.contradicted
        if one.right_scored_wrong + one.wrong_scored_right >= limits["share"] * one.n
    ]
    if not bad:
        return
    rows = [
        f"{say.name(one.model)} {one.right_scored_wrong + one.wrong_scored_right:,} of {one.n:,}"
        for one in bad
    ]
    yield (
        bad[0].model if len(bad) == 1 else bench.benchmark,
        f"scores of {say.name(bench.benchmark)} contradict prediction and target: "
        f"{say.listed(rows)} (right answers scored 0: "
        f"{sum(one.right_scored_wrong for one in bad):,}, other options scored 1: "
        f"{sum(one.wrong_scored_right for one in bad):,})",
        {"models": to_plain(bad)},
    )


def _breaks(bench: BenchmarkFindings, checks: DataChecks, limits: Thresholds) -> Iterator[Found]:
    for one in checks.breaks:
        # Both: leads shrink where items are easy for all, and lines are drawn through few models.
        if not min(one.gain, one.excess) >= limits["points"] / 100:
            continue
        yield (
            one.model,
            f"{say.name(one.model)} leads the other models by {100 * one.gain:.1f} points more "
            f"({100 * one.low:.1f} to {100 * one.high:.1f}) on {one.n:,} items of "
            f"{say.name(bench.benchmark)} it may have seen ({one.part}) than on the other "
            f"{one.n_rest:,}, and lies {100 * one.excess:.1f} points above what its score there "
            "leads to expect",
            {"model": one.model, "break": to_plain(one)},
        )


def _canaries(bench: BenchmarkFindings, checks: DataChecks, _: Thresholds) -> Iterator[Found]:
    for one in checks.canaries:
        yield (
            one.model,
            f"{say.number(one.answers, 'answer')} of {say.name(one.model)} to "
            f"{say.name(bench.benchmark)} {'holds' if one.answers == 1 else 'hold'} the canary "
            f"string of a benchmark (item {say.name(one.example)}): its files were in the training "
            "data",
            {"model": one.model, "answers": one.answers, "example": one.example},
        )


def _options(bench: BenchmarkFindings, checks: DataChecks, limits: Thresholds) -> Iterator[Found]:
    for one in checks.revised:
        many = one.items >= limits["share"] * one.n_items
        why = "ids may name other items for some models" if many else "they were revised"
        yield (
            bench.benchmark,
            f"{say.number(one.items, 'id')} of {one.n_items:,} of {say.name(bench.benchmark)} "
            f"{'stands' if one.items == 1 else 'stand'} for more than one content by "
            f"{say.name(one.by)}, e.g. {say.name(one.examples[0][0])}: {why}",
            {"revised": to_plain(one)},
            Severity.SERIOUS if many else Severity.NOTICE,
        )
    found = checks.options
    if found is None:
        return
    item, fewest, most = found.examples[0]
    yield (
        bench.benchmark,
        f"{say.number(found.items, 'item')} of {found.n_items:,} of {say.name(bench.benchmark)} "
        f"{'offers' if found.items == 1 else 'offer'} some models more options than others, e.g. "
        f"item {say.name(item)} ({fewest} or {most}): the item was revised between runs",
        {"items": found.items, "n_items": found.n_items, "examples": to_plain(found.examples)},
    )


def _flat(bench: BenchmarkFindings, checks: DataChecks, _: Thresholds) -> Iterator[Found]:
    found = checks.flat_cost
    if found is None:
        return
    tokens = (
        f", though output tokens differ {found.token_ratio:.1f} times"
        if found.token_ratio == found.token_ratio and found.token_ratio > found.ratio
        else ""
    )
    yield (
        bench.benchmark,
        f"the mean costs of all {found.models} models on {found.n:,} items of "
        f"{say.name(bench.benchmark)} lie within {found.ratio:.2f} times of each other{tokens}: "
        "they look like the cost of a judge or a flat rate, not of the models",
        {"flat": to_plain(found)},
    )


def _rule(
    code: str,
    title: str,
    severity: Severity,
    look: Callable[..., Iterator[Found]],
    remedy: str,
    **thresholds: float,
) -> Rule:
    return Rule(
        code=code,
        title=title,
        severity=severity,
        needs="responses",
        thresholds=thresholds,
        find=each(code, severity, remedy, look),
        blocked=skipped(code),
    )


RULES: tuple[Rule, ...] = (
    _rule(
        "DAT111",
        "one answer scored in several ways",
        Severity.NOTICE,
        _readings,
        "Choose which counts with `--metric` and `--filter`, name it beside the score, and do "
        "not average over rows.",
    ),
    _rule(
        "DAT112",
        "reading of answers misses one model's format",
        Severity.WARNING,
        _lost,
        "Read the answers that only the other reading finds; if they are right, use it "
        "(`--map prediction=COLUMN` or `--filter NAME`) for all models.",
    ),
    _rule(
        "DAT113",
        "options in another order under one id",
        Severity.SERIOUS,
        _shuffled,
        "Map letters back to the options of the original item before comparing answers, or "
        "compare right and wrong only.",
    ),
    _rule(
        "DAT114",
        "missing items are not like the rest",
        Severity.WARNING,
        _not_at_random,
        "Compare this model on the items that all models have (the scores on common items), or "
        "task by task.",
    ),
    _rule(
        "DAT115",
        "items repeated under other ids",
        Severity.NOTICE,
        _repeated,
        "Keep one of each group, or name the group in a column `cluster`: repeats are no "
        "independent items.",
    ),
    _rule(
        "DAT116",
        "zero that means unknown",
        Severity.WARNING,
        _zeros,
        "Set these cells to null: an unknown cost is not 0, and no ranking by cost or time "
        "should hold these models.",
    ),
    _rule(
        "DAT117",
        "two models with one file of answers",
        Severity.SERIOUS,
        _alike,
        "Check where both files come from; if one is a copy, leave it out.",
    ),
    _rule(
        "DAT118",
        "published score not met by the items",
        Severity.WARNING,
        _unmatched,
        "Ask for the items and the rule behind the published score (filter, missing items, "
        "averaging); quote the one that can be recomputed.",
    ),
    _rule(
        "DAT119",
        "scores contradict prediction and target",
        Severity.SERIOUS,
        _contradicted,
        "Find out which of score, prediction and target belongs to another run; score again "
        "from prediction and target by leaving the score out.",
        share=0.001,
    ),
    _rule(
        "DAT120",
        "better on items that may have been seen",
        Severity.WARNING,
        _breaks,
        "Quote the score on held-out or newer items; ask the maker what the model was trained on.",
        points=2.0,
    ),
    _rule(
        "DAT121",
        "canary string in answers",
        Severity.SERIOUS,
        _canaries,
        "Treat the score of this model on the benchmark as contaminated.",
    ),
    _rule(
        "DAT122",
        "items differ between models",
        Severity.NOTICE,
        _options,
        "Find out which revision each model was run on, and whether ids are row numbers; leave "
        "these items out, or use the hash as id (`--map item=COLUMN`).",
        share=0.1,
    ),
    _rule(
        "CST502",
        "costs do not look like the models'",
        Severity.WARNING,
        _flat,
        "Find out whose cost the column holds; keep a judge's cost in a column of its own and "
        "set `cost_usd` to null.",
    ),
)
