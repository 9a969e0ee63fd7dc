"""How models of equal score disagree, and what the figure depends on."""

from collections.abc import Iterator

from caveat.reports.numbers import between, counted, percent, two, whole
from caveat.reports.plots.feasible_band import feasible_band
from caveat.reports.section import Section
from caveat.reports.tables.disagreement import (
    POLICIES,
    alike_table,
    group_table,
    pair_rows,
    pair_task_table,
    pairs_of,
    policy_table,
    task_range_table,
)
from caveat.results.comparison.disagreement import Disagreement, PairErrors, PolicyRange
from caveat.results.comparison.noise import NoiseFloor
from caveat.results.report import BenchmarkFindings


def section(found: BenchmarkFindings) -> Section | None:
    """Say how far equal models disagree, under which policy, on which tasks and in which groups."""
    part, agreement = found.part(Disagreement), found.agreement
    if part is None or agreement is None:
        return None
    plot = feasible_band(part, agreement, found.part(NoiseFloor))
    tables = [policy_table(part), pair_rows(part, agreement.reasons)]
    tables += [task_range_table(part)] if part.tasks else []
    tables += [table for table in (pair_task_table(part), alike_table(part)) if table]
    return Section(
        name="disagreement",
        title="Disagreement of models of equal score",
        sentences=tuple(_sentences(part)),
        tables=(*tables, group_table(part)),
        plots=(plot,) if plot else (),
        finding=_finding(part),
        codes=("AGR301", "AGR302", "AGR306", "AGR307", "AGR308"),
    )


def _here(part: Disagreement) -> PolicyRange:
    return next(row for row in part.policies if row.policy == part.policy)


def _finding(part: Disagreement) -> str:
    row = _here(part)
    if not row.n_pairs:
        return "No pair has an item that counts for both"
    what = (
        f"{counted(row.n_pairs, 'pair')} of equal score"
        if part.over == "matched"
        else ("No two are matched by score; " + counted(row.n_pairs, "pair"))
    )
    return f"{what} {_verb(row, 'disagree')} on {_span(row)}"


def _verb(row: PolicyRange, verb: str) -> str:
    return f"{verb}s" if row.n_pairs == 1 else verb


def _span(row: PolicyRange) -> str:
    low, high = percent(row.lowest), percent(row.highest)
    return low if low == high else f"{low} to {high}"


def _sentences(part: Disagreement) -> Iterator[str]:
    if part.over != "matched":
        yield (
            f"No pair is matched by score ({part.reasons.get('matched', 'none is near')}), so "
            "these figures are about all pairs."
        )
    yield from _ranges(part)
    yield from _room(part)
    yield from _by_task(part)
    if part.shared is not None and part.shared.n_pairs:
        yield _errors(part.shared)
    everyone = part.groups[0]
    if everyone.alpha.value == everyone.alpha.value:
        yield (
            f"All {whole(len(everyone.models))} models together: two answers to an item are the "
            f"same in {percent(everyone.observed.value)}; Krippendorff's alpha is "
            f"{two(everyone.alpha.value)}."
        )


def _ranges(part: Disagreement) -> Iterator[str]:
    here = _here(part)
    if here.n_pairs:
        yield (
            f"{counted(here.n_pairs, 'pair')} "
            + (f"within {100 * part.points:g} points of score " if part.over == "matched" else "")
            + f"{_verb(here, 'disagree')} on {_span(here)} of their items (median "
            f"{percent(here.median)}), unparsed answers {POLICIES[here.policy]}."
        )
    others = [row for row in part.policies if row.policy != part.policy and row.n_pairs]
    if others and any(_span(row) != _span(here) for row in others):
        yield (
            "With unparsed answers "
            + ", and ".join(f"{POLICIES[row.policy]} it is {_span(row)}" for row in others)
            + "."
        )


def _room(part: Disagreement) -> Iterator[str]:
    """Say what the scores allow, of the pair that disagrees most."""
    row = next((row for row in part.pairs if row.position == row.position), None)
    if row is None:
        return
    yield (
        f"{row.a} and {row.b} disagree on {percent(row.disagree)}; two models that are right on "
        f"{percent(row.right_a)} and {percent(row.right_b)} of these items can disagree on "
        f"{between(row.feasible_low, row.feasible_high, percent)}, so this lies "
        f"{percent(row.position)} of the way up."
    )


def _by_task(part: Disagreement) -> Iterator[str]:
    known = [row for row in part.tasks if row.n_pairs]
    if len(known) < 2:
        return
    most, least = known[0], known[-1]
    yield (
        f"By task, the median of {pairs_of(part)} goes from {percent(least.median)} ({least.task}) "
        f"to {percent(most.median)} ({most.task})."
    )


def _errors(shared: PairErrors) -> str:
    said = f"Over {counted(shared.n_pairs, 'pair')} of at least {whole(shared.min_items)} items, "
    low, middle, high = shared.error_consistency
    said += f"error consistency is {two(low)} to {two(high)} (median {two(middle)})"
    low, middle, high = shared.capa
    if middle == middle:
        said += f", CAPA {two(low)} to {two(high)} (median {two(middle)})"
    if shared.same_when_wrong == shared.same_when_wrong:
        said += (
            f"; where both of a pair are wrong, they give the same wrong answer in "
            f"{percent(shared.same_when_wrong)} (median)"
        )
        if shared.same_by_chance == shared.same_by_chance:
            said += f", against {percent(shared.same_by_chance)} if options were drawn evenly"
    return said + "."
