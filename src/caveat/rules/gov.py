"""GOV: governance. What was tested in private, and what was taken off."""

from collections.abc import Iterator

from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.results.stress.removal import GoneModel, Refit, Removal
from caveat.results.stress.variants import VariantModel, Variants
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds
from caveat.rules._stress import blocked, part


def _picked(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, board = part(findings, Variants), findings.ranking
    if found is None or board is None:
        return
    picked = [one for one in found.models if one.n_variants >= limits["variants"]]
    if not picked:
        return
    lead = found.lead
    grave = lead.difference > 0 and lead.inflation >= limits["share"] * lead.difference
    leads = [one for one in picked if one.model == lead.leader]
    yield Caveat(
        code="GOV801",
        severity=Severity.WARNING if grave else Severity.NOTICE,
        subject=leads[0].model if leads else picked[0].model,
        claim=_picked_claim(found, leads or picked[:1], len(picked)),
        evidence={
            "leader": lead.leader,
            "runner_up": lead.runner_up,
            "difference": lead.difference,
            "inflation": lead.inflation,
            "models": [_variant_row(one) for one in picked],
        },
        remedy="Rate only votes cast after a model was chosen, or give every provider the same "
        "number of trials; publish how many variants were tested and their ratings.",
        sources=say.sources(board.provenance),
    )


def _picked_claim(found: Variants, shown: list[VariantModel], number: int) -> str:
    one, lead = shown[0], found.lead
    more = (
        f"; {number - 1:,} more {'was' if number == 2 else 'were'} picked so" if number > 1 else ""
    )
    since = "" if one.carried == one.inflation else f", of which {one.carried:.1f} are left today"
    claim = (
        f"{say.name(one.model)} is the best of {one.n_variants:,} variants tested in private: by "
        f"luck alone that adds {one.inflation:.1f} points to its rating "
        f"({one.expected_maximum:.2f} standard errors of {one.sigma:.1f}{since})"
    )
    if one.model == lead.leader:
        claim += f", and it leads {say.name(lead.runner_up)} by {lead.difference:.1f}"
    return claim + more


def _variant_row(one: VariantModel) -> dict[str, object]:
    return {
        "model": one.model,
        "n_variants": one.n_variants,
        "source": one.source,
        "votes": one.votes,
        "votes_declared": one.votes_declared,
        "sigma": one.sigma,
        "expected_maximum": one.expected_maximum,
        "inflation": one.inflation,
        "carried": one.carried,
    }


def _unregistered(findings: Findings) -> Iterator[str]:
    found = part(findings, Variants)
    if found is None:
        yield from blocked("variants")(findings)
    elif not found.models:
        enough = found.lead.enough
        words = f"{enough:,.0f} equal variants would do" if enough <= 1e9 else "no number would do"
        yield (
            "no registry of variants tested in private (column variants_tested of a table of "
            "models, or [variants] in the settings); to make the lead of "
            f"{say.name(found.lead.leader)} by luck alone, {words}"
        )
    for name in found.unmatched if found else ():
        yield f"[variants] names {say.name(name)}, which is no rated model and no provider of one"


def _removed(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, board = part(findings, Removal), findings.ranking
    if found is None or board is None or len(found.silent) < max(limits["models"], 1):
        return
    refit = found.refit
    changes = refit is not None and (
        refit.leader_before != refit.leader_after or refit.swapped_separable > 0
    )
    yield Caveat(
        code="GOV802",
        severity=Severity.WARNING if changes else Severity.NOTICE,
        subject=found.silent[0].model if len(found.silent) == 1 else "board",
        claim=_removed_claim(found),
        evidence={
            "end": found.end,
            "n_models": found.n_models,
            "declared": found.declared,
            "models": [_gone_row(one) for one in found.silent[:50]],
            "refit": _refit_row(refit) if refit else None,
        },
        remedy="State for every model whether it is still shown, since when not, and why; rank "
        "without those that are gone, or say that ratings rest on them.",
        sources=say.sources(board.provenance),
    )


def _removed_claim(found: Removal) -> str:
    gone = found.silent
    shown = [f"{say.name(one.model)} (last {one.last})" for one in gone]
    unsaid = "though nothing declares them retired" if found.declared else "and no table says why"
    claim = (
        f"{len(gone):,} of {say.number(found.n_models, 'model')} stopped appearing, {unsaid}: "
        f"{say.listed(shown, limit=3)}"
    )
    return f"{claim}; {_without(found.refit)}" if found.refit else claim


def _without(refit: Refit) -> str:
    """Say what the board is without the models that are gone."""
    if not refit.swapped and refit.leader_before == refit.leader_after:
        return f"without all that are gone the order of the other {refit.n_models:,} stays"
    pairs = refit.n_models * (refit.n_models - 1) // 2
    said = (
        f"without all that are gone {refit.swapped:,} of {pairs:,} pairs of the others change "
        f"places ({refit.swapped_separable:,} that seemed certain)"
    )
    if refit.leader_before != refit.leader_after:
        now, then = say.name(refit.leader_after), say.name(refit.leader_before)
        said += f" and {now} leads instead of {then}"
    return said


def _gone_row(one: GoneModel) -> dict[str, object]:
    return {
        "model": one.model,
        "provider": one.provider,
        "status": one.status,
        "last": one.last,
        "days_silent": one.days_silent,
        "expected": one.expected,
        "n_votes": one.n_votes,
        "rank": one.rank,
    }


def _refit_row(refit: Refit) -> dict[str, object]:
    return {
        "n_models": refit.n_models,
        "n_votes": refit.n_votes,
        "n_lost": refit.n_lost,
        "tau": refit.tau,
        "swapped": refit.swapped,
        "swapped_separable": refit.swapped_separable,
        "leader_before": refit.leader_before,
        "leader_after": refit.leader_after,
    }


def _untimed(findings: Findings) -> Iterator[str]:
    found = part(findings, Removal)
    if found is None:
        yield from blocked("removal")(findings)
    elif found.end is None:
        yield "no times among the votes: models that stopped appearing cannot be found"


RULES: tuple[Rule, ...] = (
    Rule(
        code="GOV801",
        title="best of several private variants shown",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"variants": 2, "share": 0.25},
        find=_picked,
        blocked=_unregistered,
    ),
    Rule(
        code="GOV802",
        title="models removed silently",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"models": 1},
        find=_removed,
        blocked=_untimed,
    ),
)
