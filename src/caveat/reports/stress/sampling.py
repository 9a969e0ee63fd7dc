"""Whom the votes went to."""

import math
from collections.abc import Iterator

from caveat.reports.numbers import counted, decimal, percent, two, whole
from caveat.reports.plots.plot import Plot
from caveat.reports.plots.provider_sampling import provider_sampling
from caveat.reports.plots.sampling_over_time import sampling_over_time
from caveat.reports.section import Section
from caveat.reports.tables.sampling import provider_table, sampling_table
from caveat.results.stress.sampling import Sampling
from caveat.results.stress.stress import Stress


def section(stress: Stress) -> Section | None:
    """Say how unequally models were shown."""
    found = stress.part(Sampling)
    if found is None:
        return None
    plots: tuple[Plot, ...] = (sampling_over_time(found),)
    if found.months and found.providers:
        plots = (*plots, provider_sampling(found))
    return Section(
        name="sampling",
        title="Sampling: whom the votes went to",
        sentences=tuple(_sentences(found, stress)),
        tables=(provider_table(found),) if found.providers else (sampling_table(found),),
        plots=plots,
        finding=(
            f"{whole(found.top_models)} of {counted(len(found.models), 'model')} "
            f"{'holds' if found.top_models == 1 else 'hold'} "
            f"{percent(found.top_share)} of all places (Gini {two(found.gini)})"
        ),
        codes=("RNK213",),
    )


def _sentences(found: Sampling, stress: Stress) -> Iterator[str]:
    most, least = found.models[0], found.models[-1]
    one = found.top_models == 1
    top = "model shown most holds" if one else f"{whole(found.top_models)} models shown most hold"
    yield (
        f"Votes per model range from {whole(least.n_votes)} ({least.model}) to "
        f"{whole(most.n_votes)} ({most.model}), with a Gini coefficient of {two(found.gini)}; the "
        f"{top} {percent(found.top_share)} of all places."
    )
    lead = stress.board.lead
    leader = found.of(lead.leader) if lead else None
    if leader is not None and math.isfinite(leader.relative):
        yield (
            f"The leader, {leader.model}, was shown {decimal(leader.relative, 1)} times as often "
            "as it would have been evenly."
        )
    if found.dated and math.isfinite(found.gini_relative):
        yield (
            f"With time on the board allowed for, the coefficient is {two(found.gini_relative)}."
        )
    elif not found.dated:
        yield (
            "The votes hold no times, so a model that was on the board for longer counts here as "
            "one shown more."
        )
    if not found.providers:
        yield "No table of models names providers, so votes per provider are unknown."
