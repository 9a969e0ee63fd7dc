"""RNK: whether judges agree, and what each of them favours."""

from collections.abc import Iterator

from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.results.stress.judging import JudgePair, JudgeView, Judging, OwnPreference
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds


def _differ(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    stress = findings.stress
    found = stress.part(Judging) if stress else None
    if stress is None or found is None:
        return
    apart = [pair for pair in found.pairs if pair.boards_differ]
    own = [j for j in found.judges if j.own and _own_matters(j.own, limits)]
    phrases = [
        *(_apart(pair, found) for pair in apart),
        *(_own(judge) for judge in own),
        *_position(found, limits),
        *_length(found, limits),
        *_agreement(found, limits),
    ]
    if not phrases:
        return
    yield Caveat(
        code="RNK217",
        severity=Severity.WARNING if apart or own else Severity.NOTICE,
        subject="judges",
        claim="; ".join(phrases[:5]),
        evidence={
            "matched_on": list(found.matched_on),
            "judges": [_judge_row(judge) for judge in found.judges],
            "pairs": [_pair_row(pair) for pair in found.pairs],
        },
        remedy="Say whose judgement the board shows; show answers in both orders, take judges from "
        "other families than the models they judge, and check them against people on these items.",
        sources=say.sources(stress.provenance),
    )


def _own_matters(own: OwnPreference, limits: Thresholds) -> bool:
    return own.low > 0.0 and own.difference >= limits["own"]


def _apart(pair: JudgePair, found: Judging) -> str:
    first, second = pair.a, pair.b
    if not (pair.a_first_tier is not None and pair.a_first_tier > 1):
        first, second = second, first
    leader = next(j.models[0].model for j in found.judges if j.judge == first)
    return (
        f"{say.name(leader)}, first for {say.name(first)}, is not in the first tier of "
        f"{say.name(second)}"
    )


def _own(judge: JudgeView) -> str:
    own = judge.own
    assert own is not None  # noqa: S101 - the caller checked, this is for mypy
    return (
        f"{say.name(judge.judge)} gives its own kind ({say.names(own.models, limit=3)}) "
        f"{say.percent(own.share)} of the points where {say.name(own.reference)} "
        f"{'give' if own.reference in ('people', 'the other judges') else 'gives'} "
        f"{say.percent(own.reference_share)}, on the same {say.number(own.n, 'comparison')}"
    )


def _position(found: Judging, limits: Thresholds) -> Iterator[str]:
    lean = [
        (judge.judge, judge.position.advantage)
        for judge in found.judges
        if judge.position is not None
        and judge.prefers_position
        and abs(judge.position.advantage) >= limits["points"]
    ]
    lean.sort(key=lambda one: -abs(one[1]))
    if lean:
        words = [
            f"the {'first' if points > 0 else 'second'} by {abs(points):.0f} points "
            f"({say.name(judge)})"
            for judge, points in lean
        ]
        yield f"judges favour one position: {say.listed(words, limit=3)}"


def _length(found: Judging, limits: Thresholds) -> Iterator[str]:
    lean = [
        (judge.judge, judge.length.twice, judge.length_column)
        for judge in found.judges
        if judge.length is not None
        and judge.prefers_longer
        and judge.length.twice >= limits["points"]
    ]
    if lean:
        words = [
            f"{points:.0f} points for twice the {say.name(column)} ({say.name(judge)})"
            for judge, points, column in lean
        ]
        yield f"judges favour longer answers: {say.listed(words, limit=3)}"


def _agreement(found: Judging, limits: Thresholds) -> Iterator[str]:
    low = [pair for pair in found.pairs if pair.kappa_high < limits["kappa"]]
    if low:
        worst = min(low, key=lambda pair: pair.kappa)
        yield (
            f"{say.name(worst.a)} and {say.name(worst.b)} agree on {say.percent(worst.agree)} of "
            f"{say.number(worst.n, 'comparison')} (kappa {worst.kappa:.2f})"
        )


def _judge_row(judge: JudgeView) -> dict[str, object]:
    own, length, position = judge.own, judge.length, judge.position
    return {
        "judge": judge.judge,
        "n_votes": judge.n_votes,
        "people": judge.people,
        "model": judge.model,
        "leader": judge.lead.leader if judge.lead else None,
        "z": judge.lead.z if judge.lead else None,
        "position": None
        if position is None
        else {"advantage": position.advantage, "low": position.low, "high": position.high},
        "length": None
        if length is None
        else {"name": length.name, "twice": length.twice, "z": length.z},
        "own": None
        if own is None
        else {
            "models": list(own.models),
            "how": own.how,
            "reference": own.reference,
            "n": own.n,
            "share": own.share,
            "reference_share": own.reference_share,
            "low": own.low,
            "high": own.high,
        },
    }


def _pair_row(pair: JudgePair) -> dict[str, object]:
    names = ("a", "b", "n", "agree", "kappa", "kappa_low", "kappa_high", "n_items", "tau")
    return {name: getattr(pair, name) for name in names}


RULES: tuple[Rule, ...] = (
    Rule(
        code="RNK217",
        title="judges differ or favour",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"own": 0.05, "points": 10.0, "kappa": 0.4},
        find=_differ,
    ),
)
