"""Whether model judges may stand for people: the section on annotators."""

from collections.abc import Iterator

from caveat.reports.numbers import counted, percent
from caveat.reports.section import Section
from caveat.reports.tables.annotators import people_table, said, tests_table
from caveat.results.stress.annotators import Annotators
from caveat.results.stress.stress import Stress

LISTED = 4


def section(stress: Stress) -> Section | None:
    """Return the alternative-annotator test of each model judge."""
    found = stress.part(Annotators)
    if found is None:
        return None
    told = [test for test in found.tests if test.against]
    return Section(
        name="annotators",
        title="Annotators: may a model judge stand for people?",
        sentences=tuple(_sentences(found)),
        tables=(tests_table(found.tests), *(people_table(test) for test in told[:LISTED])),
        finding=_finding(found),
        codes=("RNK219",),
    )


def _sentences(found: Annotators) -> Iterator[str]:
    if found.people_agree == found.people_agree:
        yield (
            f"Two people who judged the same answers agree on {percent(found.people_agree)} of "
            f"{counted(found.n_comparisons, 'comparison')}."
        )
    for test in found.tests:
        yield said(test)
    if found.n_left_out:
        yield f"{counted(found.n_left_out, 'judge')} with fewer votes left out."


def _finding(found: Annotators) -> str:
    tested = [test for test in found.tests if test.passes is not None]
    if not tested:
        return "no judge could be held against people"
    good = sum(bool(test.passes) for test in tested)
    return f"{good} of {counted(len(tested), 'model judge')} may stand for people"
