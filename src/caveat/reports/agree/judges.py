"""Models that judge pairs of answers: the section on judges."""

from collections.abc import Iterator, Sequence

from caveat.reports.numbers import between, counted, one, percent, two, whole
from caveat.reports.plots.judge_kappas import judge_kappas
from caveat.reports.section import Section
from caveat.reports.tables.annotators import people_table, said, tests_table
from caveat.reports.tables.pair_judges import kappas_table, pair_judges_table
from caveat.reports.tables.table import Table
from caveat.results.comparison.judges import JudgesOfPairs, PairJudge, Preference
from caveat.results.report import BenchmarkFindings

LISTED = 3


def section(found: BenchmarkFindings) -> Section | None:
    """Return what the judges are worth."""
    part = found.part(JudgesOfPairs)
    if part is None:
        return None
    plot = judge_kappas(part) if part.judges else None
    return Section(
        name="judges",
        title="Judges: right, steady, and alike?",
        sentences=tuple(_sentences(part)),
        tables=tuple(_tables(part)),
        plots=() if plot is None else (plot,),
        finding=_finding(part),
        codes=("AGR325", "AGR326", "AGR327"),
    )


def _tables(part: JudgesOfPairs) -> Iterator[Table]:
    if part.judges:
        yield pair_judges_table(part)
        if part.pairs:
            yield kappas_table(part)
    if part.annotators:
        yield tests_table(part.annotators)
        for test in part.annotators[:LISTED]:
            if test.against:
                yield people_table(test)


def _sentences(part: JudgesOfPairs) -> Iterator[str]:
    if part.judges:
        yield from _right(part)
        yield from _steady(part)
        yield from _leanings([(j, j.own) for j in part.judges])
        yield from _leanings([(j, j.longer) for j in part.judges])
    for test in part.annotators:
        yield said(test)
    if part.judges:
        names = {"order": "Both orders", "own": "Own kind", "longer": "Length"}
        for name, title in names.items():
            if name in part.reasons:
                yield f"{title} untested: {part.reasons[name]}."


def _right(part: JudgesOfPairs) -> Iterator[str]:
    known = [judge for judge in part.judges if judge.accuracy == judge.accuracy]
    if not known:
        yield f"Nobody can be called right: {part.reasons.get('gold', 'no verdict could be read')}."
        return
    best, worst = known[0], known[-1]
    yield (
        f"{best.judge} agrees best with the right verdicts: on {percent(best.accuracy)} of "
        f"{counted(best.n, 'pair')} ({between(best.low, best.high, percent)}), kappa "
        f"{two(best.kappa)}."
    )
    if len(known) > 1:
        yield (
            f"{worst.judge} agrees least: on {percent(worst.accuracy)} of "
            f"{counted(worst.n, 'pair')} ({between(worst.low, worst.high, percent)})."
        )
    coins = sum(judge.kappa_low <= 0.0 for judge in known)
    if coins:
        yield (
            f"{counted(coins, 'judge')} of {whole(len(known))} "
            f"{'is' if coins == 1 else 'are'} not surely better than chance."
        )


def _steady(part: JudgesOfPairs) -> Iterator[str]:
    turned = [(judge, judge.order) for judge in part.judges if judge.order is not None]
    if not turned:
        return
    turned.sort(key=lambda pair: (pair[1].consistent, pair[0].judge))
    (worst, low), (best, high) = turned[0], turned[-1]
    yield (
        f"In both orders {best.judge} gives the same verdict on {percent(high.consistent)} of "
        f"{counted(high.n, 'pair')} ({between(high.low, high.high, percent)})"
        + (
            f", {worst.judge} on {percent(low.consistent)} ({between(low.low, low.high, percent)})."
            if worst is not best
            else "."
        )
    )
    lean = [(judge, order) for judge, order in turned if order.p < 1.0 - part.level]
    first = sum(order.first_share > 0.5 for _, order in lean)
    if lean:
        yield (
            f"Where verdicts turn with the order, {counted(first, 'judge')} surely "
            f"{'favours' if first == 1 else 'favour'} the answer shown first and "
            f"{whole(len(lean) - first)} the second, each by itself."
        )


def _leanings(found: Sequence[tuple[PairJudge, Preference | None]]) -> Iterator[str]:
    """Tell of the judges that surely favour a kind of answer, most of all first."""
    surely = [(judge, one) for judge, one in found if one is not None and one.low > 0.0]
    for judge, one_kind in sorted(surely, key=lambda pair: (-pair[1].difference, pair[0].judge))[
        :LISTED
    ]:
        yield _leans(judge, one_kind)


def _leans(judge: PairJudge, found: Preference) -> str:
    what = (
        f"answers of its own kind ({', '.join(found.by[:LISTED])})"
        if found.kind == "own"
        else "the longer answer"
    )
    return (
        f"{judge.judge} gives {what} {percent(found.share)} of the points, the right verdicts "
        f"{percent(found.reference_share)} on the same {counted(found.n, 'pair')}: a difference "
        f"of {one(100 * found.difference)} percentage points "
        f"({one(100 * found.low)} to {one(100 * found.high)})."
    )


def _finding(part: JudgesOfPairs) -> str:
    phrases = []
    known = [judge for judge in part.judges if judge.accuracy == judge.accuracy]
    if known:
        phrases.append(
            f"{known[0].judge} agrees best with the right verdicts: {percent(known[0].accuracy)}"
        )
    steady = [judge.order.consistent for judge in part.judges if judge.order is not None]
    if steady:
        phrases.append(
            f"verdicts hold in both orders on {percent(min(steady))} to {percent(max(steady))}"
        )
    tested = [test for test in part.annotators if test.passes is not None]
    if tested:
        good = sum(bool(test.passes) for test in tested)
        phrases.append(f"{good} of {counted(len(tested), 'model')} may stand for people")
    return "; ".join(phrases) or "judges could not be tested"
