"""The first two models, task by task."""

from dataclasses import replace

from caveat.reports.agree.compare import tasks_of
from caveat.reports.section import Section
from caveat.results.comparison.first_two import FirstTwo
from caveat.results.report import BenchmarkFindings


def section(found: BenchmarkFindings) -> Section | None:
    """Say whether the second is ahead of the first somewhere; None without tasks."""
    part = found.part(FirstTwo)
    made = None if part is None else tasks_of(part.pair)
    if made is None:
        return None
    return replace(
        made,
        name="first-two",
        title="The first two models by task",
        finding=made.sentences[0].rpartition(" (")[0],
    )
