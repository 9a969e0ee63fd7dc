"""What picking the best of several variants adds."""

from collections.abc import Iterator

from caveat.reports.numbers import UNDEFINED, decimal, one, two, whole
from caveat.reports.section import Section
from caveat.reports.tables.table import Cell, Column, Table, figure
from caveat.results.stress.stress import Stress
from caveat.results.stress.variants import LuckyLead, VariantModel, Variants

_SOME = 1_000_000


def section(stress: Stress) -> Section | None:
    """Say what luck adds to models picked from several variants, and to the lead."""
    found = stress.part(Variants)
    if found is None:
        return None
    return Section(
        name="variants",
        title="Variants: the best of several, picked in private",
        sentences=tuple(_sentences(found)),
        tables=(_table(found),) if found.models else (),
        finding=_finding(found),
        codes=("GOV801",),
    )


def _finding(found: Variants) -> str:
    if found.models:
        first = found.models[0]
        return (
            f"{first.model} is the best of {whole(first.n_variants)} variants: luck adds "
            f"{one(first.inflation)} points"
        )
    if not found.lead.enough <= _SOME:
        return "No registry; luck alone would hardly make the lead"
    return f"No registry; the best of {whole(found.lead.enough)} equals would lead by as much"


def _sentences(found: Variants) -> Iterator[str]:
    lead = found.lead
    if found.models:
        first = found.models[0]
        yield (
            f"{first.model} is declared the best of {whole(first.n_variants)} variants, which by "
            f"luck alone is expected to add {one(first.inflation)} points to its rating "
            f"({two(first.expected_maximum)} standard errors of {one(first.sigma)}, "
            f"{_votes(first)})."
        )
    else:
        yield "No registry says how many variants were tested in private before one was shown."
    yield _enough(lead)


def _votes(model: VariantModel) -> str:
    if model.votes_declared:
        return f"at {whole(model.votes)} votes a variant"
    return f"at the {whole(model.votes)} votes of the model itself"


def _enough(lead: LuckyLead) -> str:
    gap = f"{lead.leader} leads {lead.runner_up} by {one(lead.difference)} points"
    if not lead.sigma > 0:
        return f"{gap}; no error of its rating is known."
    if lead.enough > _SOME:
        return (
            f"{gap}, {one(lead.difference / lead.sigma)} errors of its own rating: more than a "
            "million equal variants would be needed to make that by luck alone."
        )
    return (
        f"{gap}: the best of {whole(lead.enough)} variants as good as the runner-up would be "
        "expected to lead by as much through luck alone."
    )


def _table(found: Variants) -> Table:
    return Table(
        caption="Models picked from variants",
        columns=(
            Column("Model", text=True),
            Column("Variants"),
            Column("Says", text=True),
            Column("Votes each"),
            Column("Error", help="Standard error of a variant's rating, points"),
            Column("Spread", help="Of the variants' true ratings, points, as declared"),
            Column("Luck", help="Expected excess of the best variant's rating, points"),
            Column("Left", help="What of it is in the rating today, points"),
        ),
        rows=tuple(
            (
                Cell(model.model),
                Cell(whole(model.n_variants)),
                Cell(model.source),
                Cell(whole(model.votes) if model.votes_declared else UNDEFINED),
                figure(decimal(model.sigma, 1)),
                Cell(decimal(model.spread, 1)),
                figure(decimal(model.inflation, 1)),
                figure(decimal(model.carried, 1)),
            )
            for model in found.models
        ),
    )
