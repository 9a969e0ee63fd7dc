"""AGR: how firm an order of scores is: items that go, choices, ranks, the luck of the leader."""

from collections.abc import Callable, Iterator
from typing import Any

from caveat.results.caveat import Caveat, Severity
from caveat.results.comparison.choices import Choices, ChoiceSet, RankRange
from caveat.results.comparison.item_removal import ItemRemoval, OrderFlip
from caveat.results.comparison.paired import PairedTests
from caveat.results.comparison.rank_intervals import RankIntervals
from caveat.results.comparison.winner import WinnersCurse
from caveat.results.parts import Part
from caveat.results.report import BenchmarkFindings, Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

_SHOWN = 10
_NAMES = {
    "missing": "items a model lacks",
    "unparsed": "answers without a reading",
    "reading": "reading of answers",
    "weights": "weights of items",
}


def _separable(bench: BenchmarkFindings, above: str, below: str) -> bool:
    """Whether paired tests tell two models apart; unknown counts as no."""
    tests = bench.part(PairedTests)
    if tests is None or not {above, below} <= set(tests.models):
        return False
    return {above, below} - set(tests.first_tier()) != set()


def _few_items(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        part = bench.part(ItemRemoval)
        first = part.first_place() if part else None
        if part is None or first is None or not first.number:
            continue
        if not first.share < limits["share"]:
            continue
        firm = _separable(bench, first.above, first.below)
        yield Caveat(
            code="AGR320",
            severity=Severity.WARNING if firm else Severity.NOTICE,
            subject=part.benchmark,
            claim=f"first place on {say.name(part.benchmark)} falls to {say.name(first.below)} "
            f"when {say.number(first.number, 'item')} of {first.of:,} "
            f"{'goes' if first.number == 1 else 'go'} ({say.small_percent(first.share)})"
            f"{_chance(first)}{_tasks(part)}",
            evidence={
                "benchmark": part.benchmark,
                **_flip(first),
                "separable": firm,
                "others": [_flip(flip) for flip in part.first if flip is not first],
            },
            remedy="Do not announce a winner on this margin: name the models that a handful of "
            "items would exchange, and look at these items.",
            sources=say.sources(bench.scores.provenance),
        )


def _chance(first: OrderFlip) -> str:
    if first.equal is None or first.number is None or first.number >= first.equal:
        return ""
    return f", and two equal models often take up to {first.equal:,}"


def _tasks(part: ItemRemoval) -> str:
    tasks = part.first_place("tasks")
    if tasks is None or not tasks.number:
        return ""
    return f"; or without {tasks.number:,} of {say.number(tasks.of, 'task')}"


def _flip(flip: OrderFlip) -> dict[str, Any]:
    return {
        "unit": flip.unit,
        "mean": flip.mean,
        "above": flip.above,
        "below": flip.below,
        "number": flip.number,
        "of": flip.of,
        "share": flip.share if flip.number is not None else None,
        "exact": flip.exact,
        "equal": flip.equal,
        "at_random": flip.at_random,
        "pool": flip.pool,
        "removed": list(flip.removed[:_SHOWN]),
    }


def _choices(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        part = bench.part(Choices)
        if part is None:
            continue
        flip = part.first_place
        moved = [row for row in part.models if _moved(row) >= limits["places"]]
        turns = flip.distance is not None and flip.distance <= limits["choices"]
        many = len(moved) > limits["share"] * len(part.models)
        if not (turns or many):
            continue
        firm = turns and _separable(bench, flip.above, flip.sets[0].first)
        yield Caveat(
            code="AGR321",
            severity=Severity.WARNING if firm else Severity.NOTICE,
            subject=part.benchmark,
            claim=_choices_claim(part, moved=len(moved), turns=turns, places=limits["places"]),
            evidence={
                "benchmark": part.benchmark,
                "combinations": part.combinations,
                "above": flip.above,
                "distance": flip.distance,
                "share": flip.share,
                "sets": [_set(one) for one in flip.sets],
                "n_sets": flip.n_sets,
                "moved": len(moved),
                "models": [
                    {
                        "model": row.model,
                        "rank": row.rank,
                        "low": row.low,
                        "high": row.high,
                        "moved": _moved(row),
                    }
                    for row in part.models[:_SHOWN]
                ],
                "choices": [
                    {
                        "choice": row.name,
                        "alone": _known(row.alone),
                        "involved": _known(row.involved),
                    }
                    for row in part.choices
                ],
            },
            remedy="Fix these choices before looking at scores, say why, and report the order "
            "under the others beside it.",
            sources=say.sources(bench.scores.provenance),
        )


def _choices_claim(part: Choices, *, moved: int, turns: bool, places: float) -> str:
    name, flip = say.name(part.benchmark), part.first_place
    if turns:
        one = flip.sets[0]
        more = flip.n_sets - 1
        other = f"; {more:,} more {'way' if more == 1 else 'ways'} with as few"
        head = (
            f"first place on {name} goes from {say.name(flip.above)} to {say.name(one.first)} by "
            f"{say.number(len(one.changes), 'other choice')} ({_words(one)}{other if more else ''}"
            f"), and is lost in {say.percent(flip.share)} of {part.combinations:,} combinations"
        )
        return head
    return (
        f"{moved:,} of the {len(part.models):,} models of {name} move {places:g} places or more "
        f"by one other choice (of {len(part.singles):,})"
    )


def _moved(row: RankRange) -> int:
    """Places that a model moves by one other choice, at most."""
    return max((abs(place - row.rank) for place in row.single), default=0)


def _words(one: ChoiceSet) -> str:
    return ", ".join(f"{_NAMES.get(name, name)}: {say.name(level)}" for name, level in one.changes)


def _set(one: ChoiceSet) -> dict[str, Any]:
    return {
        "changes": [{"choice": name, "level": level} for name, level in one.changes],
        "first": one.first,
    }


def _known(value: float) -> float | None:
    return None if value != value else value


def _ranks(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        part = bench.part(RankIntervals)
        if part is None or len(part.models) < limits["models"]:
            continue
        certain = sum(row.low == row.high for row in part.models)
        if part.critical != part.critical or certain >= limits["share"] * len(part.models):
            continue  # without any difference DAT107 speaks
        best = part.best
        who = (
            f"only {say.name(best[0])} may be"
            if len(best) == 1
            else f"{len(best):,} of them cannot be ruled out as"
        )
        named = "" if len(best) == 1 else f" ({say.names(best)})"
        yield Caveat(
            code="AGR322",
            severity=Severity.NOTICE,
            subject=part.benchmark,
            claim=f"the items of {say.name(part.benchmark)} fix the ranks of {certain:,} of its "
            f"{len(part.models):,} models, and {who} the best{named}",
            evidence={
                "benchmark": part.benchmark,
                "level": part.level,
                "n_items": part.n_items,
                "certain": certain,
                "of": len(part.models),
                "best": list(best),
                "models": [
                    {
                        "model": row.model,
                        "rank": row.rank,
                        "low": row.low,
                        "high": row.high,
                        "plain_low": row.plain_low,
                        "plain_high": row.plain_high,
                    }
                    for row in part.models[:_SHOWN]
                ],
            },
            remedy="Give ranks as ranges that hold together, and name all models that may be the "
            "best.",
            sources=say.sources(bench.scores.provenance),
        )


def _luck(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench in findings.benchmarks:
        part = bench.part(WinnersCurse)
        if part is None or not 100 * part.curse >= limits["points"]:
            continue
        yield Caveat(
            code="AGR323",
            severity=Severity.NOTICE,
            subject=part.benchmark,
            claim=f"the best score on {say.name(part.benchmark)}, {say.percent(part.score)} of "
            f"{say.name(part.model)}, is probably {100 * part.curse:.1f} points too high, being "
            f"the highest of {part.n_models:,}",
            evidence={
                "benchmark": part.benchmark,
                "model": part.model,
                "models": part.n_models,
                "n_items": part.n_items,
                "score": part.score,
                "curse": part.curse,
                "corrected": part.corrected,
                "shrunk": part.shrunk,
                "median": part.median,
                "low": part.hybrid_low,
                "high": part.hybrid_high,
                "level": part.level,
            },
            remedy="Quote the corrected score with the interval that is right whoever leads, or "
            "score the leader on new items.",
            sources=say.sources(bench.scores.provenance),
        )


def _untested(part: str, kind: type[Part]) -> Callable[[Findings], Iterator[str]]:
    """Say why a comparison could not be made."""

    def blocked(findings: Findings) -> Iterator[str]:
        for bench in findings.benchmarks:
            if bench.part(kind) is None:
                yield from (one.why for one in bench.untested if one.part == part)

    return blocked


RULES: tuple[Rule, ...] = (
    Rule(
        code="AGR320",
        title="first place falls when few items go",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"share": 0.01},
        find=_few_items,
        blocked=_untested("item_removal", ItemRemoval),
    ),
    Rule(
        code="AGR321",
        title="order depends on the analyst's choices",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"choices": 1, "places": 5, "share": 0.5},
        find=_choices,
        blocked=_untested("choices", Choices),
    ),
    Rule(
        code="AGR322",
        title="ranks that the items do not fix",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"share": 0.5, "models": 3},
        find=_ranks,
        blocked=_untested("rank_intervals", RankIntervals),
    ),
    Rule(
        code="AGR323",
        title="best score probably too high",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"points": 0.5},
        find=_luck,
        blocked=_untested("winner", WinnersCurse),
    ),
)
