"""How much of the disagreement is not between models."""

from collections.abc import Iterator

from caveat.reports.numbers import between, counted, percent, whole
from caveat.reports.plots.noise_floor import noise_plot
from caveat.reports.section import Section
from caveat.reports.tables.noise import SOURCES, noise_table, pairs_table
from caveat.results.comparison.noise import NoiseFloor, NoiseSource
from caveat.results.report import BenchmarkFindings


def section(found: BenchmarkFindings) -> Section | None:
    """Say how often one model disagrees with itself, and which pairs disagree no more."""
    noise = found.part(NoiseFloor)
    if noise is None:
        return None
    return Section(
        name="noise",
        title="Noise floor: one model run twice",
        sentences=tuple(_sentences(noise)),
        tables=(noise_table(noise), pairs_table(noise)),
        plots=(noise_plot(noise),),
        finding=_finding(noise),
        codes=("AGR310",),
    )


def _finding(noise: NoiseFloor) -> str:
    first = noise.sources[0]
    if not noise.second_run:
        return f"Other readings of the same text change {percent(first.disagree)} of the answers"
    said = f"One model run twice ({SOURCES[first.source]}) disagrees with itself on "
    said += percent(first.disagree)
    own = noise.matched - noise.borrowed
    if own:
        within = noise.matched_within - noise.borrowed_within
        said += f"; {whole(within)} of {whole(own)} matched pairs no more"
    elif noise.matched:
        said += "; no matched pair has a floor of its own"
    return said


def _sentences(noise: NoiseFloor) -> Iterator[str]:
    yield from (_source(source) for source in noise.sources)
    first = noise.sources[0]
    own = sum(pair.own in ("both", "itself") for pair in noise.pairs)
    if not noise.second_run:
        yield (
            "Two readings of one text are no second run: what a model answers when it runs again "
            "is not known."
        )
        own = len(noise.pairs)
    if own < len(noise.pairs):
        yield (
            f"Pairs are set against {SOURCES[first.source]}. The noise of both models is known "
            f"for {whole(own)} of {counted(len(noise.pairs), 'pair')}; for the others, the mean "
            "of what is known stands in."
        )
    if noise.matched and noise.second_run:
        yield from _matched(noise)
    for column, why in noise.left_out.items():
        yield f"The column {column} is not taken for a second reading: {why}."


def _matched(noise: NoiseFloor) -> Iterator[str]:
    """Pairs of like score, those set against their own floor apart from the others."""
    near = f"within {100 * noise.points:g} points of score"
    own, others = noise.matched - noise.borrowed, noise.borrowed_within
    if own:
        within = noise.matched_within - others
        known = ", the noise of both being known" if noise.borrowed else ""
        yield (
            f"Of {counted(own, 'pair')} {near}{known}, {whole(within)} "
            f"{'disagrees' if within == 1 else 'disagree'} no more than one model does with "
            "itself, as far as these items tell."
        )
    if noise.borrowed:
        more = "other pairs" if own else "pairs"
        yield (
            f"Of {whole(noise.borrowed)} {more} {near}, {whole(others)} "
            f"{'disagrees' if others == 1 else 'disagree'} no more than a floor borrowed from "
            "other models; how often these models disagree with themselves is not known."
        )


def _source(source: NoiseSource) -> str:
    n = len(source.models)
    noisiest, calmest = source.models[0], source.models[-1]
    who = "One model" if n == 1 else f"A model (mean of {whole(n)})"
    said = (
        f"{who}, run again with other {SOURCES[source.source]}, disagrees with itself on "
        f"{percent(source.disagree)} of the items ({between(source.low, source.high, percent)})"
    )
    if source.source == "host":
        said = said.replace("run again with other hosts", "run under another name")
    if source.source == "filter":
        said = (
            f"Another reading of the same text changes {percent(source.disagree)} of a model's "
            f"answers ({between(source.low, source.high, percent)})"
        )
    if n > 1:
        said += (
            f": from {percent(calmest.disagree)} for {calmest.model} to "
            f"{percent(noisiest.disagree)} for {noisiest.model}"
        )
    return said + "."
