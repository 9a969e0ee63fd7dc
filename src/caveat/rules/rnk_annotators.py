"""RNK: whether a model judge may stand for people."""

from collections.abc import Iterator

from caveat.results.annotator_test import AnnotatorTest
from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.results.stress.annotators import Annotators
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds


def _fail(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    stress = findings.stress
    found = stress.part(Annotators) if stress else None
    if stress is None or found is None:
        return
    failed = [test for test in found.failed if len(test.against) >= limits["people"]]
    if not failed:
        return
    worse = [test for test in failed if test.surely_worse]
    yield Caveat(
        code="RNK219",
        severity=Severity.WARNING if worse else Severity.NOTICE,
        subject="judges",
        claim="; ".join(_one(test) for test in (worse or failed)[:3]),
        evidence={
            "people_agree": found.people_agree,
            "n_comparisons": found.n_comparisons,
            "judges": [_row(test) for test in found.tests],
            "epsilon": failed[0].epsilon,
            "q": failed[0].q,
        },
        remedy="Do not take the verdicts of this judge for those of people: rank by people's "
        "votes, or correct for the judge's errors on a sample that people judged.",
        sources=say.sources(stress.provenance),
    )


def _one(test: AnnotatorTest) -> str:
    wins = sum(row.won for row in test.against)
    people = len(test.against)
    text = (
        f"{say.name(test.judge)} does not pass for a person: it wins against {wins:,} of "
        f"{people:,} {'person' if people == 1 else 'people'}"
    )
    if test.surely_worse:
        text += (
            f", who agree with each other better than it does with them "
            f"(by {100 * test.difference:.1f} points, {100 * test.low:.1f} to "
            f"{100 * test.high:.1f})"
        )
    return text


def _row(test: AnnotatorTest) -> dict[str, object]:
    figures = ("winning_rate", "advantage", "difference", "low", "high")
    row: dict[str, object] = {"judge": test.judge, "passes": test.passes}
    for name in figures:
        value = getattr(test, name)
        row[name] = value if value == value else None
    return row | {
        "n_items": test.n_items,
        "n_tested": len(test.against),
        "passes_score": test.passes_score,
    }


def _untested(findings: Findings) -> Iterator[str]:
    stress = findings.stress
    found = stress.part(Annotators) if stress else None
    for test in found.tests if found else ():
        if test.passes is None:
            yield f"{say.name(test.judge)}: {test.reasons['winning_rate']}"
    for one in stress.untested if stress else ():
        if one.part == "annotators":
            yield one.why


RULES: tuple[Rule, ...] = (
    Rule(
        code="RNK219",
        title="a model judge does not pass for people",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"people": 2},
        find=_fail,
        blocked=_untested,
    ),
)
