"""Are relatives more alike than their scores explain?"""

from collections.abc import Iterator

from caveat.reports.numbers import counted, one, percent, two, whole
from caveat.reports.section import Section
from caveat.reports.tables.relatives import families_table, p_value, proposal_table
from caveat.results.comparison.relatives import KinshipTest, Relatives
from caveat.results.report import BenchmarkFindings

_PROPOSED = (
    "No families are declared, so nothing was compared. The names of {n} suggest families: put "
    "them, corrected, into a table with columns model and family beside the responses."
)


def section(found: BenchmarkFindings) -> Section | None:
    """Say how much more alike relatives are; without families, what names suggest."""
    part = found.part(Relatives)
    if part is None:
        return None
    if part.test is None:
        said = _PROPOSED.format(n=counted(len(part.proposal), "model"))
        return Section(
            name="families",
            title="Families: are relatives more alike?",
            sentences=(said,),
            tables=(proposal_table(part),),
            finding="No families are declared; names suggest some",
            codes=("AGR312",),
        )
    return Section(
        name="families",
        title="Families: are relatives more alike?",
        sentences=tuple(_sentences(part, part.test)),
        tables=(families_table(part.test),),
        finding=_finding(part.test),
        codes=("AGR312",),
    )


def _finding(test: KinshipTest) -> str:
    points = one(100 * abs(test.disagree_less))
    how = "less" if test.disagree_less >= 0 else "more"
    return f"Relatives disagree {points} points {how} than scores explain (p {_p(test.p)})"


def _sentences(part: Relatives, test: KinshipTest) -> Iterator[str]:
    how = "less" if test.disagree_less >= 0 else "more"
    yield (
        f"{counted(test.pairs_within, 'pair')} of models of one {part.column} disagree on "
        f"{percent(test.disagree_within)} of the items, {whole(test.pairs_between)} others on "
        f"{percent(test.disagree_between)}; after what their scores explain, relatives disagree "
        f"{one(100 * abs(test.disagree_less))} points {how}."
    )
    yield (
        f"By {_measure(test)}, {two(test.within)} within and {two(test.between)} between "
        f"families, they are {two(abs(test.effect))} {'more' if test.effect >= 0 else 'less'} "
        f"alike than scores explain (p {_p(test.p)}, one-sided, {whole(test.shuffles)} shuffles of "
        f"family names); scores explain {percent(test.explained)} of its variance over pairs."
    )
    sure = [row for row in test.families if row.p_adjusted < 0.05]
    if sure:
        yield (
            "More alike than unrelated models, by themselves: "
            + "; ".join(f"{row.family} (p {_p(row.p_adjusted)})" for row in sure)
            + ", adjusted for the number of families."
        )
    if part.unplaced:
        yield f"{counted(part.unplaced, 'model')} without a {part.column} count as nobody's kin."


def _p(value: float) -> str:
    written = p_value(value)
    return written if written.startswith("<") else f"= {written}"


def _measure(test: KinshipTest) -> str:
    return {"capa": "CAPA", "kappa": "Cohen's kappa"}.get(test.measure, test.measure)
