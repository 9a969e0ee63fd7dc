"""Whether the differences between scores are real, and which reading of the scores they are."""

from collections.abc import Iterator

from caveat.reports.numbers import UNDEFINED, between, counted, percent, whole
from caveat.reports.plots.tier_forest import tier_forest
from caveat.reports.section import Section
from caveat.reports.tables.paired import p_value, pair_tests_table, points, tiers_table
from caveat.results.agreement import Scores
from caveat.results.comparison.paired import PairedTests
from caveat.results.report import BenchmarkFindings

SHOWN = 5


def section(found: BenchmarkFindings) -> Section | None:
    """Say who is told apart from whom, and whether the reading of the scores matters."""
    tests = found.part(PairedTests)
    if tests is None:
        return None
    return Section(
        name="paired",
        title="Scores: which differences are real?",
        sentences=tuple(_sentences(found.scores, tests)),
        tables=(tiers_table(found.scores, tests), pair_tests_table(tests)),
        plots=(tier_forest(found.scores, tests),),
        finding=_finding(tests),
        codes=("AGR303", "AGR304", "AGR305"),
    )


def _finding(tests: PairedTests) -> str:
    first = tests.first_tier()
    if len(first) == 1:
        return f"{first[0]} is ahead of all others"
    return f"The first tier holds {whole(len(first))} of {whole(len(tests.models))} models"


def _sentences(scores: Scores, tests: PairedTests) -> Iterator[str]:
    first, n = tests.first_tier(), len(tests.models)
    family = (
        f"{counted(tests.n_tests, 'paired test')} on common items ({tests.test}), adjusted by "
        "Holm's method"
    )
    if len(first) == 1:
        yield f"{first[0]} is shown to be better than each of the others: {family}."
    else:
        yield (
            f"{whole(len(first))} of {whole(n)} models are not shown to be worse than "
            f"{first[0]}, which has the best score on common items: {family}."
        )
    yield from _second(tests)
    yield from _equivalent(tests)
    yield from _readings(scores)
    if tests.clustered_among is not None:
        yield (
            f"Errors by cluster are made for the best {whole(tests.clustered_among)} models only; "
            "the others are not tested."
        )


def _second(tests: PairedTests) -> Iterator[str]:
    if len(tests.models) < 2:
        return
    pair = tests.at(0, 1)
    if pair.p != pair.p:
        yield f"Nothing can be said of {pair.a} and {pair.b}: {pair.reason}."
        return
    yield (
        f"{pair.a} is {points(pair.difference)} points ahead of {pair.b} on the "
        f"{counted(pair.n, 'item')} both have ({percent(tests.level).replace('.0', '')} interval "
        f"{between(pair.low, pair.high, points)}, p = {p_value(pair.p)}, adjusted "
        f"{p_value(pair.p_holm)})".replace("= under", "under")
        + "."
    )
    if points(pair.detectable) != UNDEFINED:
        needed = (
            f"; the one observed would take {counted(int(pair.needed), 'item')}"
            if whole(pair.needed) != UNDEFINED
            else ""
        )
        yield (
            f"A true difference of {points(pair.detectable)} points would be detected on "
            f"{counted(pair.n, 'item')} {percent(tests.power).replace('.0', '')} of the "
            f"time{needed}."
        )


def _equivalent(tests: PairedTests) -> Iterator[str]:
    alike = tests.equivalent_pairs
    if alike:
        yield (
            f"{counted(alike, 'pair')} of models {'is' if alike == 1 else 'are'} shown to be less "
            f"than {points(tests.margin)} points apart (two one-sided tests, not adjusted)."
        )


def _readings(scores: Scores) -> Iterator[str]:
    common = scores.common
    if common is not None and not common.n:
        yield "No item has a score of two models."
    elif common is not None and common.left_out:
        left = len(common.left_out)
        names = ", ".join(common.left_out[:SHOWN]) + (" and others" if left > SHOWN else "")
        yield (
            f"The common items are the {whole(common.n)} that all but {counted(left, 'model')} "
            f"have a score for; left out: {names}."
        )
    elif common is not None and not common.all_items:
        yield f"All models have a score on {whole(common.n)} of {whole(scores.n_items)} items."
    if scores.macro_differs:
        yield (
            "The mean of the tasks, each counting alike, is not the mean over items; the table "
            "has both."
        )
