"""What the analyst's choices do to the order: the section on choices."""

from collections.abc import Iterator

from caveat.reports.numbers import counted, fine_percent, percent, ranks, whole
from caveat.reports.plots.choices import choices_bump
from caveat.reports.section import Section
from caveat.reports.tables.choices import (
    NAMES,
    changes_words,
    choices_table,
    ranges_table,
    sets_table,
)
from caveat.results.comparison.choices import ChoiceFlip, Choices
from caveat.results.report import BenchmarkFindings

LISTED = 3


def section(found: BenchmarkFindings) -> Section | None:
    """Say whether the first place, or the order of a pair, hangs on a choice."""
    part = found.part(Choices)
    if part is None:
        return None
    flips = (part.first_place, *part.pairs)
    return Section(
        name="choices",
        title="Choices: does the order depend on the analyst?",
        sentences=tuple(_sentences(part)),
        tables=(
            choices_table(part),
            *(sets_table(flip) for flip in flips if flip.sets),
            ranges_table(part),
        ),
        plots=(choices_bump(part),) if part.singles else (),
        finding=_finding(part.first_place),
        codes=("AGR321",),
    )


def _finding(flip: ChoiceFlip) -> str:
    if flip.distance is None:
        return f"{flip.above} is first whatever is chosen"
    return (
        f"{counted(flip.distance, 'other choice')} "
        f"{'puts' if flip.distance == 1 else 'put'} {flip.sets[0].first} first"
    )


def _sentences(part: Choices) -> Iterator[str]:
    m = len(part.models)
    yield (
        f"{counted(part.combinations, 'combination')} of {counted(len(part.choices), 'choice')} "
        f"were tried on {counted(m, 'model')}."
    )
    yield from _flip(part.first_place, "another model stands above it")
    spans = [row.high - row.low for row in part.models]
    wide = max(part.models, key=lambda row: (row.high - row.low, -row.rank))
    fixed = sum(not span for span in spans)
    yield (
        f"{whole(fixed)} of {counted(m, 'model')} {'keeps' if fixed == 1 else 'keep'} the same "
        "rank in all combinations"
        + (
            f"; the widest range is that of {wide.model}, {ranks(wide.low, wide.high)}."
            if max(spans)
            else "."
        )
    )
    effects = sorted(part.choices, key=lambda row: -row.involved)
    if part.varying:
        told = ", ".join(
            f"{NAMES.get(row.name, row.name)} ({percent(row.involved)})" for row in effects[:LISTED]
        )
        yield (
            f"The order of {whole(part.varying)} of {whole(part.judged_pairs)} pairs varies; what "
            f"matters most, as the share of its variance that a choice has a part in: {told}."
        )
    for pair in part.pairs:
        yield from _flip(pair, f"{pair.below} stands above it")
    yield (
        "Combinations are neither equally sensible nor independent: a share of them is no "
        "probability."
    )


def _flip(flip: ChoiceFlip, then: str) -> Iterator[str]:
    who = f"{flip.above} is above {flip.below}" if flip.below else f"{flip.above} is first"
    if flip.distance is None:
        yield f"{who} under all of them."
        return
    yield (
        f"{who} by default; in {fine_percent(flip.share)} of the combinations {then}, and "
        f"{counted(flip.distance, 'choice')} {'is' if flip.distance == 1 else 'are'} enough."
    )
    told = [f"{changes_words(row.changes)} ({row.first})" for row in flip.sets[:LISTED]]
    more = flip.n_sets - len(told)
    yield (
        f"The smallest {'set' if flip.n_sets == 1 else 'sets'}: {' | '.join(told)}"
        f"{f' and {whole(more)} more' if more > 0 else ''}."
    )
