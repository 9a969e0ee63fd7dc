"""All sections about a board under stress, in order. A new one is added here."""

from collections.abc import Callable
from dataclasses import replace

from caveat.reports.section import Section
from caveat.reports.shortening import long_names, replaced
from caveat.reports.stress import (
    annotators,
    connections,
    drop,
    fit,
    judging,
    position,
    removal,
    rigging,
    sampling,
    style,
    systems,
    variants,
    voters,
)
from caveat.results.stress.stress import Stress

BUILDERS: tuple[Callable[[Stress], Section | None], ...] = (
    drop.section,
    systems.section,
    position.section,
    style.section,
    judging.section,
    annotators.section,
    sampling.section,
    removal.section,
    variants.section,
    connections.section,
    fit.section,
    rigging.section,
    voters.section,
)


def stress_sections(stress: Stress) -> tuple[Section, ...]:
    """Return the sections of the tests that ran, long names of models cut in their sentences."""
    made = tuple(made for build in BUILDERS if (made := build(stress)) is not None)
    cuts = long_names(model.model for model in stress.board.models)
    if not cuts:
        return made
    return tuple(
        replace(
            section,
            sentences=tuple(replaced(sentence, cuts) for sentence in section.sentences),
            finding=replaced(section.finding, cuts),
        )
        for section in made
    )
