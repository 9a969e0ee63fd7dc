"""What the responses seem to be and are not: the section on the state of the data."""

from collections.abc import Iterator

from caveat.reports.numbers import counted, decimal, one, percent, whole
from caveat.reports.section import Section
from caveat.reports.tables.data_checks import data_tables
from caveat.results.data_checks import DataChecks
from caveat.results.report import BenchmarkFindings

_CODES = (*(f"DAT{number}" for number in range(111, 123)), "CST502")


def section(found: BenchmarkFindings) -> Section | None:
    """Say what the checks of the data found; nothing where they found nothing."""
    checks = found.part(DataChecks)
    if checks is None:
        return None
    sentences = tuple(_sentences(checks))
    if not sentences:
        return None
    return Section(
        name="data",
        title="State of the data",
        sentences=sentences,
        tables=data_tables(checks),
        finding=sentences[0].removesuffix(".") if len(sentences) == 1 else _several(sentences),
        codes=_CODES,
    )


def _several(sentences: tuple[str, ...]) -> str:
    return f"{len(sentences)} signs that the responses are not what they seem"


def _sentences(checks: DataChecks) -> Iterator[str]:
    yield from _about_answers(checks)
    yield from _about_items(checks)
    yield from _about_scores(checks)
    yield from _about_costs(checks)


def _about_answers(checks: DataChecks) -> Iterator[str]:
    if checks.shuffled is not None:
        found = checks.shuffled
        why = "stand in another order" if found.how == "order" else "are named otherwise"
        yield (
            f"Options {why} for {counted(len(found.models), 'model')}: of {whole(found.n)} answers "
            f"right for one of them and for another model, {percent(found.differ)} carry different "
            "letters."
        )
    if checks.alike:
        yield (
            f"{counted(len(checks.alike), 'pair')} of models "
            f"{'has' if len(checks.alike) == 1 else 'have'} one file of answers, or nearly."
        )
    for lost in checks.lost[:1]:
        yield (
            f"The reading in use misses the format of {counted(len(checks.lost), 'model')}, most "
            f"of {lost.model}: {percent(lost.score)} by it, {percent(lost.other_score)} by "
            f"{lost.reading}."
        )
    for canary in checks.canaries[:1]:
        number = sum(each.answers for each in checks.canaries)
        yield (
            f"{counted(number, 'answer')} {'holds' if number == 1 else 'hold'} the canary string "
            f"of a benchmark, for example item {canary.example} of {canary.model}."
        )


def _about_items(checks: DataChecks) -> Iterator[str]:
    for gap in checks.not_at_random[:1]:
        yield (
            f"Items without a score are not like the others for "
            f"{counted(len(checks.not_at_random), 'model')}; {gap.model} lacks most, "
            f"{whole(gap.missing)} of {whole(gap.items)}."
        )
    for kind in checks.repeated:
        yield (
            f"{counted(kind.items, 'item')} of {whole(kind.n_items)} "
            f"{'repeats' if kind.items == 1 else 'repeat'} another under an id of "
            f"{'its' if kind.items == 1 else 'their'} own."
        )
    if checks.options is not None:
        yield (
            f"{counted(checks.options.items, 'item')} of {whole(checks.options.n_items)} "
            f"{'offers' if checks.options.items == 1 else 'offer'} some models more options than "
            "others."
        )
    for other in checks.revised:
        yield (
            f"{counted(other.items, 'id')} of {whole(other.n_items)} "
            f"{'stands' if other.items == 1 else 'stand'} for more than one content ({other.by})."
        )


def _about_scores(checks: DataChecks) -> Iterator[str]:
    left = sum(read.rows - read.used for read in checks.readings)
    if len(checks.readings) > 1 and left:
        yield (
            f"Answers are scored in {len(checks.readings)} ways, of which one counts: "
            f"{counted(left, 'row')} of {whole(sum(read.rows for read in checks.readings))} "
            f"{'is' if left == 1 else 'are'} left out."
        )
    if checks.contradicted:
        number = sum(c.right_scored_wrong + c.wrong_scored_right for c in checks.contradicted)
        yield (
            f"{counted(number, 'score')} of {counted(len(checks.contradicted), 'model')} "
            f"{'contradicts' if number == 1 else 'contradict'} prediction and target."
        )
    if checks.unmatched:
        yield (
            f"{whole(len(checks.unmatched))} of {counted(checks.published, 'published score')} "
            "cannot be recomputed from the items."
        )
    above = [row for row in checks.breaks if row.gain > 0 and row.excess > 0]
    for row in above[:1]:
        yield (
            f"{counted(len(above), 'model')} {'does' if len(above) == 1 else 'do'} better than the "
            f"others on items that may have been seen, first of all {row.model}: "
            f"{one(100 * row.gain)} points of lead more than on the rest."
        )


def _about_costs(checks: DataChecks) -> Iterator[str]:
    for zero in checks.zeros:
        yield (
            f"The column {zero.column} is 0 in every row of "
            f"{counted(len(zero.models), 'model')}: unknown, not free."
        )
    if checks.flat_cost is not None:
        flat = checks.flat_cost
        yield (
            f"The mean costs of {counted(flat.models, 'model')} lie within "
            f"{decimal(flat.ratio, 2)} times of each other: hardly the models' own."
        )
