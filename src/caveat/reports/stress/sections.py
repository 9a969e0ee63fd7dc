"""All sections about a board under stress, in order. A new one is added here."""

from collections.abc import Callable

from caveat.reports.section import Section
from caveat.reports.stress import (
    connections,
    fit,
    judging,
    position,
    removal,
    rigging,
    sampling,
    style,
    systems,
    variants,
)
from caveat.results.stress.stress import Stress

BUILDERS: tuple[Callable[[Stress], Section | None], ...] = (
    systems.section,
    position.section,
    style.section,
    judging.section,
    sampling.section,
    removal.section,
    variants.section,
    connections.section,
    fit.section,
    rigging.section,
)


def stress_sections(stress: Stress) -> tuple[Section, ...]:
    """Return the sections of the tests that ran."""
    return tuple(made for build in BUILDERS if (made := build(stress)) is not None)
