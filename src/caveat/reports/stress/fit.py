"""Whether one number per model explains the votes."""

import math
from collections.abc import Iterator

from caveat.reports.numbers import counted, decimal, one, percent, two, whole
from caveat.reports.plots.misfit import misfit
from caveat.reports.section import Section
from caveat.reports.tables.fit import cycle_table, model_fit_table, pair_fit_table
from caveat.reports.tables.quality import probability
from caveat.results.stress.fit import Cycles, Fit
from caveat.results.stress.stress import Stress

_SPARSE = 0.2
"""Share of sparse pairs from which the chi-squared p value is not worth showing."""


def section(stress: Stress) -> Section | None:
    """Say how far the votes stray from the ratings, for whom most, and whether they go round."""
    found = stress.part(Fit)
    if found is None:
        return None
    tables = [model_fit_table(found), pair_fit_table(found)]
    if found.cycles.listed:
        tables.append(cycle_table(found.cycles))
    return Section(
        name="fit",
        title="Fit: does one number per model explain the votes?",
        sentences=tuple(_sentences(found)),
        tables=tuple(tables),
        plots=(misfit(found),),
        finding=_finding(found),
        codes=("RNK216",),
    )


def _finding(found: Fit) -> str:
    said = f"Win shares stray from the ratings by {_points(found.tau)} points"
    lead = found.lead
    if lead is not None and lead.z > lead.critical:
        said += f"; with that as noise the lead has z = {one(lead.z_departing)}"
    return said


def _sentences(found: Fit) -> Iterator[str]:
    yield (
        f"Noise left out, win shares of pairs stray from what the ratings say by "
        f"{_points(found.tau)} points ({_points(found.low)} to {_points(found.high)}): sum of "
        f"squared residuals {whole(found.pearson)} on {whole(found.df)} degrees of freedom, p = "
        f"{probability(found.p)} by {whole(found.replicates)} boards drawn from the fit."
    )
    if found.sparse >= _SPARSE:
        yield (
            f"{percent(found.sparse)} of the {counted(found.n_pairs, 'pair')} have too few votes "
            "for a chi-squared distribution, so that p is the one to read."
        )
    lead = found.lead
    if lead is not None and lead.z > lead.critical:
        yield (
            f"With such departures counted as noise, the lead of {lead.leader} has z = "
            f"{one(lead.z_departing)} instead of {one(lead.z)} ({one(lead.critical)} is needed)."
        )
    worst = [m.model for m in found.models if m.p_adjusted < 1 - found.level]
    if worst:
        named = ", ".join(worst[:3]) + (f" and {whole(len(worst) - 3)} more" if worst[3:] else "")
        verb = "fits" if len(worst) == 1 else "fit"
        yield f"{named} {verb} worse than noise allows, all models considered."
    if found.shared is not None:
        yield (
            f"Votes of one pair that share {_article(found.shared.column)} agree beyond chance "
            f"(intraclass correlation {two(found.shared.rho)}); what noise makes is reckoned with "
            f"{two(found.shared.inflation)} times the variance of independent votes."
        )
    yield from _cycles(found.cycles)


def _cycles(cycles: Cycles) -> Iterator[str]:
    if not cycles.n_triples:
        return
    said = (
        f"{whole(cycles.n_cyclic)} of {counted(cycles.n_triples, 'triple')} of models beat each "
        f"other in a circle; the ratings expect {whole(cycles.expected)} ({whole(cycles.low)} to "
        f"{whole(cycles.high)}, p = {probability(cycles.p)})"
    )
    if math.isfinite(cycles.zeta):
        said += f", Kendall's coefficient of consistence is {two(cycles.zeta)}"
    yield said + "."
    if cycles.n_beyond_doubt:
        verb = "is" if cycles.n_beyond_doubt == 1 else "are"
        yield f"{whole(cycles.n_beyond_doubt)} of them {verb} beyond chance in every pair."


def _article(column: str) -> str:
    return f"{'an' if column[0] in 'aeiou' else 'a'} {column}"


def _points(share: float) -> str:
    return decimal(100 * share, 1)
