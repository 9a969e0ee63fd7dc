"""What the page says, in the order it says it: results turned into sections of written text."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from caveat.reports.agree.sections import agree_sections, caveats_about
from caveat.reports.html.evidence import Evidence, evidence_of
from caveat.reports.html.figure import Figure
from caveat.reports.html.footer import Footer, footer_of
from caveat.reports.html.placed import placed_caveats
from caveat.reports.html.tested import TestedBlock, tested_block
from caveat.reports.lead import lead_sentence
from caveat.reports.methods import interval_words, system_name
from caveat.reports.moment import moment
from caveat.reports.numbers import counted, whole
from caveat.reports.plots.accuracy_bars import accuracy_bars
from caveat.reports.plots.disagreement_map import disagreement_map
from caveat.reports.plots.plot import Plot
from caveat.reports.plots.rank_intervals import rank_intervals
from caveat.reports.plots.same_score import same_score
from caveat.reports.plots.win_chances import win_chances
from caveat.reports.plots.win_matrix import win_matrix
from caveat.reports.shortening import cut
from caveat.reports.stress.sections import stress_sections
from caveat.reports.tables.board_extras import board_extras
from caveat.reports.tables.pairs import pair_table
from caveat.reports.tables.quality import degenerate_sentence, quality_tables
from caveat.reports.tables.scores import task_table
from caveat.reports.tables.table import Table
from caveat.reports.tables.votes import vote_tables
from caveat.reports.unrun import by_reason
from caveat.results.agreement import Agreement
from caveat.results.caveat import Caveat, Severity
from caveat.results.families import FAMILIES
from caveat.results.quality import Duplicates
from caveat.results.ranking import Group, Ranking
from caveat.results.report import BenchmarkFindings, NotRun, Report
from caveat.results.stress.stress import Stress

MAX_GROUPS = 8
"""Groups of models told one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaveatEntry:
    """One caveat with its evidence laid out."""

    id: str
    caveat: Caveat
    place: str
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Caveats of one family within a severity."""

    code: str
    about: str
    entries: tuple[CaveatEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeverityGroup:
    """Caveats of one severity, by family."""

    severity: Severity
    count: int
    word: str
    families: tuple[Family, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingSection:
    """The board: the lead in words, what holds the votes together, figures, who voted on what."""

    lead: str
    about: str
    groups: tuple[str, ...]
    figures: tuple[Figure, ...]
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSection:
    """One benchmark: scores, agreement, state of the data."""

    id: str
    name: str
    about: str
    scores: Figure
    tasks: Table | None
    agreement: tuple[Figure, ...]
    agreement_note: str
    compared: TestedBlock
    quality: tuple[Table, ...]
    quality_notes: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything the template shows."""

    title: str
    verdict: str
    created: str
    when: str
    groups: tuple[SeverityGroup, ...]
    ranking: RankingSection | None
    stress: TestedBlock | None
    benchmarks: tuple[BenchmarkSection, ...]
    duplicates: tuple[Duplicates, ...]
    not_run: tuple[NotRun, ...]
    footer: Footer

    @property
    def reasons(self) -> tuple[tuple[str, str], ...]:
        """What could not be checked, and why."""
        return tuple((item.check, item.why) for item in self.not_run)

    @property
    def plots(self) -> tuple[Plot, ...]:
        """All plots, in the order they appear."""
        figures = list(self.ranking.figures) if self.ranking else []
        for test in self.stress.sections if self.stress else ():
            figures += test.figures
        for section in self.benchmarks:
            figures += [section.scores, *section.agreement]
            for test in section.compared.sections:
                figures += test.figures
        return tuple(figure.plot for figure in figures)


def page_of(report: Report) -> Page:
    """Lay a report out."""
    found = report.findings
    return Page(
        title=report.title,
        verdict=report.verdict,
        created=report.created,
        when=moment(report.created),
        groups=severity_groups(report.caveats),
        ranking=_ranking(found.ranking) if found.ranking else None,
        stress=_stress(found.stress, report.caveats) if found.stress else None,
        benchmarks=tuple(
            _benchmark(b, i, report.caveats) for i, b in enumerate(found.benchmarks, start=1)
        ),
        duplicates=found.duplicates,
        not_run=by_reason(report.not_run),
        footer=footer_of(report),
    )


def severity_groups(caveats: Sequence[Caveat]) -> tuple[SeverityGroup, ...]:
    """Group caveats by severity, gravest first, and by family within."""
    groups = []
    placed = placed_caveats(caveats)
    for severity in reversed(Severity):
        chosen = [one for one in placed if one.caveat.severity is severity]
        codes = list(dict.fromkeys(one.caveat.code[:3] for one in chosen))
        families = tuple(
            Family(
                code=code,
                about=FAMILIES.get(code, ""),
                entries=tuple(
                    CaveatEntry(
                        id=one.id,
                        caveat=one.caveat,
                        place=place_of(one.caveat),
                        evidence=evidence_of(one.caveat.evidence),
                    )
                    for one in chosen
                    if one.caveat.code[:3] == code
                ),
            )
            for code in codes
        )
        if chosen:
            groups.append(
                SeverityGroup(
                    severity=severity,
                    count=len(chosen),
                    word=severity_word(severity, len(chosen)),
                    families=families,
                )
            )
    return tuple(groups)


def place_of(caveat: Caveat) -> str:
    """Return where a caveat belongs, file names without their folders."""
    names = tuple(name.rstrip("/").rsplit("/", 1)[-1] for name in caveat.sources)
    return replace(caveat, sources=names).place


def severity_word(severity: Severity, count: int) -> str:
    """Return the severity as it stands after its count."""
    countable = severity in (Severity.NOTICE, Severity.WARNING)
    return f"{severity.value}s" if countable and count != 1 else severity.value


def _stress(stress: Stress, caveats: Sequence[Caveat]) -> TestedBlock:
    return tested_block(
        stress_sections(stress), caveats, stress.untested, prefix="stress", evidence="votes"
    )


def _ranking(ranking: Ranking) -> RankingSection:
    figures = [Figure(plot=rank_intervals(ranking), table_open=True)]
    if len(ranking.models) > 1 and ranking.n_votes:
        figures.append(Figure(plot=win_matrix(ranking), table_open=False))
    if (chances := win_chances(ranking)) is not None and len(ranking.models) > 1:
        figures.append(Figure(plot=chances, table_open=False))
    return RankingSection(
        lead=lead_sentence(ranking),
        about=(
            f"{counted(ranking.n_votes, 'vote')} on {counted(len(ranking.models), 'model')}; "
            f"ratings by {system_name(ranking.method)}, {interval_words(ranking)}."
            + ("" if ranking.converged else " The fit did not converge: read no figure off it.")
        ),
        groups=_groups(ranking.groups) if len(ranking.groups) > 1 else (),
        figures=tuple(figures),
        tables=(*board_extras(ranking), *vote_tables(ranking)),
    )


_RELATIONS: Mapping[str, str] = {
    "main": "rated together",
    "unbeaten": "never beaten or tied by anyone outside, so no rating is defined",
    "winless": "never beat or tied anyone outside, so no rating is defined",
    "between": "beaten by some and winning against others only one way, so no rating is defined",
    "isolated": "never met the rest, so no rating on the same scale is defined",
}


def _groups(groups: Sequence[Group]) -> tuple[str, ...]:
    """Say what holds each group apart; of many, the first ones."""
    more = groups[MAX_GROUPS:]
    said = [_group(group) for group in groups[:MAX_GROUPS]]
    if more:
        models = counted(sum(len(group.models) for group in more), "model")
        said.append(f"{counted(len(more), 'more group')} of {models} in all.")
    return tuple(said)


def _group(group: Group) -> str:
    names = ", ".join(map(cut, group.models[:5]))
    more = f" and {whole(len(group.models) - 5)} more" if len(group.models) > 5 else ""
    relation = _RELATIONS.get(group.relation, group.relation)
    return f"{names}{more}: {relation} ({counted(group.n_votes, 'vote')})."


def _benchmark(
    found: BenchmarkFindings, number: int, caveats: Sequence[Caveat]
) -> BenchmarkSection:
    quality, identity = found.quality, f"benchmark-{number}"
    sections = agree_sections(found)
    drawn = {section.name for section in sections if section.plots}
    sentence = degenerate_sentence(quality)
    return BenchmarkSection(
        id=identity,
        name=found.benchmark,
        about=(
            f"{counted(len(found.scores.models), 'model')}, "
            f"{counted(found.scores.n_items, 'item')}."
        ),
        scores=Figure(
            plot=accuracy_bars(found.scores, name=f"{identity}-scores"),
            table_open="paired" not in drawn,
        ),
        tasks=task_table(found.scores),
        agreement=_agreement(found.agreement, identity, drawn) if found.agreement else (),
        agreement_note=_policy(found.agreement)
        if found.agreement
        else "Answers of two models could not be compared on this benchmark.",
        compared=tested_block(
            sections,
            caveats_about(found, caveats),
            found.untested,
            prefix=identity,
            evidence="responses",
        ),
        quality=quality_tables(quality),
        quality_notes=(sentence,) if sentence else (),
        skipped=quality.skipped,
    )


_POLICIES: Mapping[str, str] = {
    "drop": "Items where either answer is unparsed are left out of a pair.",
    "as-disagreement": "An unparsed answer counts as different from any other.",
    "as-option": "Unparsed answers count as one more option, equal to each other.",
}


def _policy(agreement: Agreement) -> str:
    return _POLICIES.get(agreement.policy, f"Unparsed answers: {agreement.policy}.")


def _agreement(agreement: Agreement, identity: str, drawn: Collection[str]) -> tuple[Figure, ...]:
    """Draw pairs; the section on disagreement, where it is drawn, has the scatter with more."""
    if len(agreement.models) < 2:
        return ()
    table = pair_table(agreement)
    scatter = same_score(agreement, name=f"{identity}-same-score", table=table)
    heat = disagreement_map(agreement, name=f"{identity}-pairs", table=table)
    figures = [Figure(plot=heat, table_open=False)]
    if scatter is not None and "disagreement" not in drawn:
        figures.insert(0, Figure(plot=scatter, table_open=False, with_table=False))
    return tuple(figures)
