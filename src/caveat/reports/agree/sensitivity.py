"""Does the order of models depend on prompt, parser, run or seed?"""

from collections.abc import Iterator

from caveat.reports.numbers import counted, one, percent, two, whole
from caveat.reports.plots.variant_bump import variant_bump
from caveat.reports.section import Section
from caveat.reports.tables.relatives import p_value
from caveat.reports.tables.sensitivity import KINDS, spans_table, variants_table
from caveat.results.comparison.sensitivity import ModelSpan, Sensitivity, VariantSensitivity
from caveat.results.report import BenchmarkFindings


def section(found: BenchmarkFindings) -> Section | None:
    """Say what each kind of variant does to scores and places."""
    part = found.part(Sensitivity)
    if part is None:
        return None
    return Section(
        name="sensitivity",
        title="Prompt, parser, seed: does the order depend on them?",
        sentences=tuple(said for source in part.sources for said in _sentences(source)),
        tables=tuple(
            table
            for source in part.sources
            for table in (variants_table(source), spans_table(source))
        ),
        plots=tuple(variant_bump(source) for source in part.sources),
        finding="; ".join(_finding(source) for source in part.sources),
        codes=("AGR313",),
    )


def _finding(found: VariantSensitivity) -> str:
    what, n = KINDS[found.source], found.firsts
    firsts = "one first place" if n == 1 else f"{whole(n)} first places"
    return f"By {what}: {firsts}, tau {two(found.tau)} (by chance {two(found.tau_expected)})"


def _sentences(found: VariantSensitivity) -> Iterator[str]:
    what = KINDS[found.source]
    first, *others = found.variants
    elsewhere = [row for row in others if row.first != first.first]
    if elsewhere:
        named = "; ".join(f"{row.first} under {row.variant}" for row in elsewhere)
        yield (
            f"{first.first} is first under {first.variant}, {named} ({what}); sampling of items "
            f"alone would change the first place in {percent(found.first_changes_expected)} of "
            "such comparisons."
        )
    else:
        n = counted(len(found.variants), "variant")
        yield f"{first.first} is first under all {n} of the {what}."
    yield (
        f"Orders by {what} agree with a mean tau of {two(found.tau)}; were there one order, "
        f"sampling of the {counted(found.n_items, 'item')} would leave {two(found.tau_expected)}. "
        f"That differences between models are the same under each {what}: p {_p(found.p)}."
    )
    mover = max(found.models, key=lambda row: row.moved)
    yield (
        f"{mover.model} moves most: from {percent(min(mover.scores))} to "
        f"{percent(max(mover.scores))}, {_places(mover)}."
    )
    if found.share_items == found.share_items:
        yield (
            f"Of the variance of a score, {percent(found.share_items)} is sampling of items "
            f"(standard deviation {one(100 * found.sd_items)} points), "
            f"{percent(found.share_common)} the {what} in all models alike "
            f"({one(100 * found.sd_common)}) and {percent(found.share_own)} the {what} in each "
            f"model differently ({one(100 * found.sd_own)}), which changes orders."
        )


def _places(one: ModelSpan) -> str:
    low, high = min(one.ranks), max(one.ranks)
    return f"always place {whole(low)}" if low == high else f"place {whole(low)} to {whole(high)}"


def _p(value: float) -> str:
    written = p_value(value)
    return written if written.startswith("<") else f"= {written}"
