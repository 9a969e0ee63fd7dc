"""All sections about the models of one benchmark, in order. A new one is added here."""

from collections.abc import Callable, Sequence

from caveat.reports.agree import (
    choices,
    crowd,
    data,
    disagreement,
    families,
    first_two,
    interchange,
    item_ranks,
    item_removal,
    items,
    judges,
    noise,
    scores,
    sensitivity,
)
from caveat.reports.section import Section
from caveat.results.caveat import Caveat
from caveat.results.report import BenchmarkFindings

BUILDERS: tuple[Callable[[BenchmarkFindings], Section | None], ...] = (
    data.section,
    scores.section,
    first_two.section,
    disagreement.section,
    noise.section,
    interchange.section,
    families.section,
    sensitivity.section,
    items.section,
    crowd.section,
    judges.section,
    item_ranks.section,
    item_removal.section,
    choices.section,
)


def agree_sections(found: BenchmarkFindings) -> tuple[Section, ...]:
    """Return the sections of the comparisons that were made."""
    return tuple(made for build in BUILDERS if (made := build(found)) is not None)


def caveats_about(found: BenchmarkFindings, caveats: Sequence[Caveat]) -> tuple[Caveat, ...]:
    """Return the caveats that are about this benchmark."""
    return tuple(
        caveat
        for caveat in caveats
        if caveat.evidence.get("benchmark", caveat.subject) == found.benchmark
    )
