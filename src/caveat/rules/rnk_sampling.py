"""RNK: whom the votes went to, and what they tie together."""

import math
from collections.abc import Iterator

from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings
from caveat.results.stress.connections import Comparison, Connections, WeakSplit
from caveat.results.stress.sampling import ModelSampling, ProviderSampling, Sampling
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds
from caveat.rules._stress import blocked, part


def _unequal(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, board = part(findings, Sampling), findings.ranking
    if found is None or board is None or len(found.models) < limits["board"]:
        return
    first = [found.of(model.model) for model in board.models if model.tier == 1]
    favoured = [one for one in first if one and one.relative >= limits["ratio"]]
    makers = [one for one in found.providers if one.relative >= limits["ratio"]]
    if not favoured and not makers and not _gini(found) >= limits["gini"]:
        return
    leading = {one.provider for one in first if one and one.provider}
    grave = bool(favoured) or any(one.provider in leading for one in makers)
    yield Caveat(
        code="RNK213",
        severity=Severity.WARNING if grave else Severity.NOTICE,
        subject=favoured[0].model if len(favoured) == 1 else "board",
        claim=_unequal_claim(found, favoured, makers),
        evidence={
            "gini": found.gini,
            "gini_relative": found.gini_relative,
            "top_models": found.top_models,
            "top_share": found.top_share,
            "median": found.median,
            "dated": found.dated,
            "first_tier": [_model_row(one) for one in first if one],
            "models": [_model_row(one) for one in found.models[:10]],
            "providers": [
                {
                    "provider": one.provider,
                    "n_models": one.n_models,
                    "n_votes": one.n_votes,
                    "share": one.share,
                    "relative": one.relative,
                }
                for one in found.providers
            ],
        },
        remedy="Publish how often each model is shown and why; show models of one age equally "
        "often, and read the ratings of rarely shown models with their intervals.",
        sources=say.sources(board.provenance),
    )


def _gini(found: Sampling) -> float:
    """Read what is left when time on the board is allowed for, where that is known."""
    return found.gini if math.isnan(found.gini_relative) else found.gini_relative


def _unequal_claim(
    found: Sampling, favoured: list[ModelSampling], makers: list[ProviderSampling]
) -> str:
    most = found.models[0]
    allowed = "; time on the board allowed for" if found.dated else ""
    models = "model" if found.top_models == 1 else f"{found.top_models:,} models"
    parts = [
        f"votes fell unequally: the {models} shown most, of {len(found.models):,}, "
        f"{'holds' if found.top_models == 1 else 'hold'} {say.percent(found.top_share)} of all "
        f"places (Gini {_gini(found):.2f}{allowed}), {say.name(most.model)} with {most.n_votes:,} "
        "the most"
    ]
    if favoured:
        had = [f"{say.name(one.model)} had {one.relative:.1f}" for one in favoured]
        parts.append(f"in the first tier {say.listed(had)} times an even share")
    if makers:
        held = [
            f"{say.name(one.provider)} {say.percent(one.share)}, {one.relative:.1f} times an even "
            "share"
            for one in makers
        ]
        parts.append(f"of the providers {say.listed(held, limit=3)}")
    return "; ".join(parts)


def _model_row(one: ModelSampling) -> dict[str, object]:
    return {
        "model": one.model,
        "provider": one.provider,
        "n_votes": one.n_votes,
        "share": one.share,
        "relative": one.relative,
        "first": one.first,
        "last": one.last,
    }


def _not_sampled(findings: Findings) -> Iterator[str]:
    found = part(findings, Sampling)
    if found is None:
        yield from blocked("sampling")(findings)
        return
    if not found.dated:
        yield "no times among the votes: sampling is judged over all of them, not over time"
    if not found.providers:
        yield "no table of models names a provider: votes per provider are unknown"


def _loose(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, board = part(findings, Connections), findings.ranking
    if found is None or board is None or found.n_models < limits["board"]:
        return
    split = found.split if found.split and found.split.share < limits["across"] else None
    apart = [one for one in found.comparisons if one.disjoint]
    lead = next((c for c in found.comparisons if (c.rank_above, c.rank_below) == (1, 2)), None)
    narrow = lead if lead and lead.through_share >= limits["through"] else None
    if not split and not apart and not found.holders and not narrow:
        return
    grave = narrow is not None or (lead is not None and lead.disjoint)
    yield Caveat(
        code="RNK212",
        severity=Severity.WARNING if grave else Severity.NOTICE,
        subject="first place" if grave else "board",
        claim="; ".join(_loose_parts(found, split, apart, narrow)),
        evidence={
            "split": {
                "models": list(found.split.models),
                "n_others": found.split.n_others,
                "across": found.split.across,
                "share": found.split.share,
            }
            if found.split
            else None,
            "holders": [{"model": one.model, "holds": list(one.holds)} for one in found.holders],
            "n_disjoint": found.n_disjoint,
            "comparisons": [_path_row(one) for one in found.comparisons[:10]],
            "disjoint": [_path_row(one) for one in apart[:10]],
        },
        remedy="Collect votes between the groups, or rank them apart; read an order that hangs on "
        "models in between as no firmer than the ratings of those, and rating by period where "
        "models changed.",
        sources=say.sources(board.provenance),
    )


def _loose_parts(
    found: Connections, split: WeakSplit | None, apart: list[Comparison], narrow: Comparison | None
) -> Iterator[str]:
    if narrow is not None and narrow.through is not None:
        yield (
            f"{say.percent(narrow.through_share)} of what the votes say about "
            f"{say.name(narrow.above)} against {say.name(narrow.below)} comes through one model, "
            f"{say.name(narrow.through)}"
        )
    if split is not None:
        yield (
            f"{len(split.models):,} of {found.n_models:,} models have only "
            f"{say.percent(split.share)} of their votes ({split.across:,}) with the other "
            f"{split.n_others:,}: {say.names(split.models, limit=3)}"
        )
    if found.holders:
        held = [
            f"{say.name(one.model)} alone ties {say.names(one.holds, limit=3)}"
            for one in found.holders
        ]
        yield f"{say.listed(held, limit=3)} to the rest"
    if apart:
        pairs = [f"{say.name(one.above)} and {say.name(one.below)}" for one in apart]
        was, are = ("was", "is") if len(apart) == 1 else ("were", "are")
        yield (
            f"{len(apart):,} of {say.number(len(found.comparisons), 'pair')} among the best "
            f"{found.top:,} {was} never on the board on the same day "
            f"({say.listed(pairs, limit=2)}), and {are} compared through others only"
        )


def _path_row(one: Comparison) -> dict[str, object]:
    return {
        "above": one.above,
        "below": one.below,
        "n_votes": one.n_votes,
        "direct": one.direct,
        "worth": one.worth,
        "through": one.through,
        "through_share": one.through_share,
        "together": one.together,
    }


def _not_connected(findings: Findings) -> Iterator[str]:
    found = part(findings, Connections)
    if found is None:
        yield from blocked("connections")(findings)
    elif found.n_disjoint is None:
        yield "no times among the votes: who was on the board together is unknown"


RULES: tuple[Rule, ...] = (
    Rule(
        code="RNK212",
        title="models tied together loosely",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"across": 0.1, "through": 0.5, "board": 4},
        find=_loose,
        blocked=_not_connected,
    ),
    Rule(
        code="RNK213",
        title="models shown unequally",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"gini": 0.4, "ratio": 2, "board": 4},
        find=_unequal,
        blocked=_not_sampled,
    ),
)
