"""AGR: judges that turn with the order, do not pass for people, or are no better than chance."""

from collections.abc import Iterator

from caveat.results.annotator_test import AnnotatorTest
from caveat.results.caveat import Caveat, Severity
from caveat.results.comparison.judges import JudgesOfPairs, OrderTurned, PairJudge
from caveat.results.report import BenchmarkFindings, Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

_SHOWN = 10


def _parts(findings: Findings) -> Iterator[tuple[BenchmarkFindings, JudgesOfPairs]]:
    for bench in findings.benchmarks:
        part = bench.part(JudgesOfPairs)
        if part is not None:
            yield bench, part


def _turn(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench, part in _parts(findings):
        turned = [
            (judge, judge.order)
            for judge in part.judges
            if judge.order is not None and 1.0 - judge.order.high >= limits["share"]
        ]
        if not turned:
            continue
        turned.sort(key=lambda pair: (pair[1].consistent, pair[0].judge))
        judge, order = turned[0]
        share = 1.0 - order.consistent
        yield Caveat(
            code="AGR325",
            severity=Severity.WARNING if share >= limits["warning"] else Severity.NOTICE,
            subject=part.benchmark,
            claim=f"the verdict of {say.name(judge.judge)} depends on the order of the answers for "
            f"{say.percent(share)} of {say.number(order.n, 'pair')} of {say.name(part.benchmark)}"
            f"{_leaning(order, part.level)}{_others(len(turned), len(part.judges))}",
            evidence={
                "benchmark": part.benchmark,
                "n_judges": len(part.judges),
                "n_turned": len(turned),
                "judges": [_order_row(*one) for one in turned[:_SHOWN]],
            },
            remedy="Ask for each verdict in both orders, and count a pair whose verdict turns as a "
            "tie.",
            sources=say.sources(bench.scores.provenance),
        )


def _leaning(order: OrderTurned, level: float) -> str:
    if not order.p < 1.0 - level:
        return ""
    place = "first" if order.first_share > 0.5 else "second"
    share = max(order.first_share, 1.0 - order.first_share)
    return f", and goes to the answer shown {place} on {say.percent(share)} of these"


def _others(turned: int, judges: int) -> str:
    return "" if judges == 1 else f" ({turned:,} of {judges:,} judges turn surely)"


def _order_row(judge: PairJudge, order: OrderTurned) -> dict[str, object]:
    return {
        "judge": judge.judge,
        "n": order.n,
        "consistent": order.consistent,
        "low": order.low,
        "high": order.high,
        "first_both": order.first_both,
        "second_both": order.second_both,
        "p": order.p if order.p == order.p else None,
    }


def _fail(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench, part in _parts(findings):
        failed = [
            test
            for test in part.annotators
            if test.passes is False and len(test.against) >= limits["people"]
        ]
        if not failed:
            continue
        worse = [test for test in failed if test.surely_worse]
        yield Caveat(
            code="AGR326",
            severity=Severity.WARNING if worse else Severity.NOTICE,
            subject=part.benchmark,
            claim="; ".join(_failure(test) for test in (worse or failed)[:3])
            + f" (on {say.name(part.benchmark)})",
            evidence={
                "benchmark": part.benchmark,
                "epsilon": failed[0].epsilon,
                "q": failed[0].q,
                "people": list(part.people[:_SHOWN]),
                "judges": [_test_row(test) for test in part.annotators[:_SHOWN]],
            },
            remedy="Do not put the labels of this model in the place of people's: keep people, or "
            "correct for the model's errors on a sample that people labelled.",
            sources=say.sources(bench.scores.provenance),
        )


def _failure(test: AnnotatorTest) -> str:
    wins = sum(row.won for row in test.against)
    text = (
        f"{say.name(test.judge)} does not pass for a person: it wins against {wins:,} of "
        f"{len(test.against):,} people"
    )
    if test.surely_worse:
        text += f", who fit each other better by {100 * test.difference:.1f} points"
    return text


def _test_row(test: AnnotatorTest) -> dict[str, object]:
    row: dict[str, object] = {"judge": test.judge, "passes": test.passes}
    for name in ("winning_rate", "advantage", "difference", "low", "high"):
        value = getattr(test, name)
        row[name] = value if value == value else None
    return row | {"n_items": test.n_items, "n_tested": len(test.against)}


def _chance(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    for bench, part in _parts(findings):
        known = [j for j in part.judges if j.n >= limits["pairs"] and j.kappa == j.kappa]
        coins = [judge for judge in known if judge.kappa_low <= 0.0]
        if not coins:
            continue
        worst = min(coins, key=lambda judge: (judge.kappa, judge.judge))
        yield Caveat(
            code="AGR327",
            severity=Severity.WARNING if len(coins) == len(known) else Severity.NOTICE,
            subject=part.benchmark,
            claim=f"{len(coins):,} of {say.number(len(known), 'judge')} of "
            f"{say.name(part.benchmark)} {'is' if len(coins) == 1 else 'are'} not surely better "
            f"than chance; {say.name(worst.judge)} is right on {say.percent(worst.accuracy)} of "
            f"{say.number(worst.n, 'pair')} (kappa {worst.kappa:.2f}, {worst.kappa_low:.2f} to "
            f"{worst.kappa_high:.2f})",
            evidence={
                "benchmark": part.benchmark,
                "n_judges": len(known),
                "n_chance": len(coins),
                "judges": [
                    {
                        "judge": judge.judge,
                        "n": judge.n,
                        "accuracy": judge.accuracy,
                        "kappa": judge.kappa,
                        "kappa_low": judge.kappa_low,
                        "kappa_high": judge.kappa_high,
                    }
                    for judge in sorted(coins, key=lambda j: (j.kappa, j.judge))[:_SHOWN]
                ],
            },
            remedy="Rank nothing by the verdicts of these judges on pairs like these.",
            sources=say.sources(bench.scores.provenance),
        )


RULES: tuple[Rule, ...] = (
    Rule(
        code="AGR325",
        title="verdicts depend on the order of the answers",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"share": 0.1, "warning": 0.25},
        find=_turn,
    ),
    Rule(
        code="AGR326",
        title="a model does not pass for the people who label",
        severity=Severity.WARNING,
        needs="responses",
        thresholds={"people": 2},
        find=_fail,
    ),
    Rule(
        code="AGR327",
        title="judges no better than chance",
        severity=Severity.NOTICE,
        needs="responses",
        thresholds={"pairs": 30},
        find=_chance,
    ),
)
