"""RNK: rankings from votes. Which ranks are real, and what holds the board together."""

import math
from collections.abc import Iterator, Sequence

from caveat.results.caveat import Caveat, Severity
from caveat.results.ranking import Group, Lead, Ranking, RatedModel
from caveat.results.report import Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

_RELATIONS = {
    "unbeaten": ("was never beaten or tied by the rest", "were never beaten or tied by the rest"),
    "winless": ("never beat or tied the rest", "never beat or tied the rest"),
    "isolated": ("never met the rest", "never met the rest"),
    "between": (
        "beat some and lost to others but never both ways",
        "beat some and lost to others but never both ways",
    ),
}


def _few_rated(findings: Findings) -> Iterator[str]:
    if findings.ranking and findings.ranking.lead is None:
        yield "fewer than two models could be rated"


def _not_separable(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    board = findings.ranking
    if board is None or board.lead is None:
        return
    first = [model for model in board.models if model.tier == 1]
    if len(first) <= limits["models"]:
        return
    rated = [model for model in board.models if model.tier is not None]
    certain = sum(model.rank_low == model.rank_high for model in rated)
    yield Caveat(
        code="RNK201",
        severity=Severity.WARNING,
        subject="first place",
        claim=_tier_claim(board, first, certain=certain, of=len(rated)),
        evidence={
            "models": [_rank_row(model) for model in first],
            "difference": board.lead.difference,
            "z": board.lead.z,
            "critical": board.critical,
            "level": board.level,
            "ranks_certain": certain,
            "ranks": len(rated),
        },
        remedy="Quote the tier, not the rank; choose within it by cost, speed or task, or collect "
        "more votes between these models.",
        sources=say.sources(board.provenance),
    )


def _tier_claim(board: Ranking, first: Sequence[RatedModel], *, certain: int, of: int) -> str:
    lead = board.lead
    assert lead is not None  # noqa: S101 - the caller checked, this is for mypy
    top = all(model.tier == 1 for model in board.models[: len(first)])
    what = f"ranks 1-{len(first):,} are" if top else "first place is"
    verb = "is" if certain == 1 else "are"
    return (
        f"{what} not separable: {say.names([m.model for m in first])} share the first tier "
        f"({_between(lead, board.critical)}); {certain:,} of {of:,} ranks {verb} certain"
    )


def _between(lead: Lead, critical: float) -> str:
    if not math.isfinite(lead.z):
        return "no error is known for the distance of the first two"
    between = f"z = {lead.z:.1f} between the first two"
    if lead.separable:
        return f"{between}, but others are less certain"
    return f"{between}, {critical:.1f} would be needed"


def _rank_row(model: RatedModel) -> dict[str, object]:
    return {
        "model": model.model,
        "rating": model.rating,
        "low": model.low,
        "high": model.high,
        "rank_low": model.rank_low,
        "rank_high": model.rank_high,
        "n_votes": model.n_votes,
    }


def _disconnected(findings: Findings, _: Thresholds) -> Iterator[Caveat]:
    board = findings.ranking
    if board is None or len(board.groups) < 2:
        return
    main = [group for group in board.groups if group.relation == "main"]
    apart = [group for group in board.groups if group.relation != "main"]
    held = sum(len(group.models) for group in main)
    head = f"the votes tie {held:,} of {len(board.models):,} models into one board"
    if held < 2:
        head = f"the votes tie no two of {say.number(len(board.models), 'model')} into one board"
    yield Caveat(
        code="RNK202",
        severity=Severity.SERIOUS,
        subject="board",
        claim=f"{head}, the others have no rating: {'; '.join(_apart(apart))}",
        evidence={
            "groups": [
                {"models": list(g.models), "relation": g.relation, "n_votes": g.n_votes}
                for g in board.groups
            ]
        },
        remedy="Collect votes between these models and the rest, in both directions; until then "
        "place them in words and do not print a rating for them.",
        sources=say.sources(board.provenance),
    )


def _apart(groups: Sequence[Group]) -> Iterator[str]:
    for relation in dict.fromkeys(group.relation for group in groups):
        models = [m for group in groups if group.relation == relation for m in group.models]
        one, many = _RELATIONS.get(relation, ("stands apart", "stand apart"))
        yield f"{say.names(models)} {one if len(models) == 1 else many}"


def _thin(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    board = findings.ranking
    if board is None or sum(m.tier is not None for m in board.models) < limits["board"]:
        return
    thin = [
        (model, max(row, default=0.0))
        for model, row in zip(board.models, board.votes.tolist(), strict=True)
        if model.tier is not None and _rests_on_one(model, row, limits)
    ]
    if not thin:
        return
    verb = "rests" if len(thin) == 1 else "rest"
    top = any(model.tier == 1 for model, _ in thin)
    yield Caveat(
        code="RNK203",
        severity=Severity.WARNING if top else Severity.NOTICE,
        subject=thin[0][0].model if len(thin) == 1 else "board",
        claim=f"the {'rating' if len(thin) == 1 else 'ratings'} of "
        f"{say.names([model.model for model, _ in thin])} {verb} almost wholly on votes against "
        f"one opponent, on a board of {len(board.models):,} models",
        evidence={
            "models": [
                {
                    "model": model.model,
                    "n_opponents": model.n_opponents,
                    "n_votes": model.n_votes,
                    "n_votes_main_opponent": round(most),
                }
                for model, most in thin
            ]
        },
        remedy="Collect votes against more opponents: through one opponent alone, a rating says "
        "how the pair compares and borrows everything else.",
        sources=say.sources(board.provenance),
    )


def _rests_on_one(model: RatedModel, row: Sequence[float], limits: Thresholds) -> bool:
    few = model.n_opponents <= limits["opponents"]
    return few or max(row, default=0.0) > limits["one_opponent"] * sum(row)


def _too_few_votes(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    board = findings.ranking
    if board is None:
        return
    rated = [model for model in board.models if model.tier is not None]
    weak = sorted(
        (m for m in rated if _is_weak(m, limits, board.unit)), key=lambda m: (m.n_votes, m.model)
    )
    if not weak:
        return
    graver = any(m.tier == 1 for m in weak) or 2 * len(weak) >= len(rated)
    figures = [
        f"{say.name(m.model)} ({say.number(m.n_votes, 'vote')}{_plus_minus(m, board.unit)})"
        for m in weak
    ]
    yield Caveat(
        code="RNK204",
        severity=Severity.WARNING if graver else Severity.NOTICE,
        subject=weak[0].model if len(weak) == 1 else "board",
        claim=f"{len(weak):,} of {len(rated):,} rated models "
        f"{'has' if len(weak) == 1 else 'have'} too few votes for a useful rating: "
        f"{say.listed(figures)}",
        evidence={"models": [_rank_row(m) for m in weak]},
        remedy="Collect more votes for these models, or leave them off the board until they have "
        f"at least {limits['min_votes']:g} votes"
        + (
            f" and an interval of at most +/-{limits['half_width']:g} points."
            if board.unit == "points"
            else "."
        ),
        sources=say.sources(board.provenance),
    )


def _half_width(model: RatedModel) -> float:
    return (model.high - model.low) / 2


def _plus_minus(model: RatedModel, unit: str) -> str:
    half = _half_width(model)
    if not math.isfinite(half):
        return ", no interval"
    if unit == "points":
        return f", +/-{half:.0f} points"
    return f", +/-{say.percent(half)}" if unit == "share" else f", +/-{half:.2f}"


def _is_weak(model: RatedModel, limits: Thresholds, unit: str) -> bool:
    """Few votes, or an interval that is too wide (in points) or undefined for want of votes.

    With ten times the votes that are enough, a wide interval comes from one-sided results.
    """
    half = _half_width(model)
    wide = (
        unit == "points"
        and half > limits["half_width"]
        and model.n_votes < 10 * limits["min_votes"]
    )
    return model.n_votes < limits["min_votes"] or wide or math.isnan(half)


def _order_lost(findings: Findings, _: Thresholds) -> Iterator[Caveat]:
    board = findings.ranking
    if board is None or board.order_known:
        return
    yield Caveat(
        code="RNK205",
        severity=Severity.INFO,
        subject="votes",
        claim=f"the source of the {board.n_votes:,} votes does not say which answer was shown "
        "first, so position bias cannot be checked",
        evidence={"n_votes": board.n_votes, "order_known": False},
        remedy="Ask the source for votes with the order of display, or for how often the first "
        "answer won.",
        sources=say.sources(board.provenance),
    )


def _not_converged(findings: Findings, _: Thresholds) -> Iterator[Caveat]:
    board = findings.ranking
    if board is None or (board.converged and not board.n_bootstrap_failed):
        return
    failed = f"{board.n_bootstrap_failed:,} of {board.n_bootstrap:,} bootstrap replicates"
    claim = f"{failed} fell apart into groups and have no ratings"
    remedy = (
        "Single votes hold this board together: quote the sandwich intervals, and collect more "
        "votes of the models that are nearly unbeaten or nearly winless."
    )
    if not board.converged:
        claim = (
            f"the ratings had not converged after {say.number(board.iterations, 'step')}, so no "
            "rating, error or rank can be relied on"
        )
        remedy = (
            "Do not quote this board: look for models with next to no losses or next to no wins, "
            "leave them out and fit again."
        )
    yield Caveat(
        code="RNK208",
        severity=Severity.NOTICE if board.converged else Severity.SERIOUS,
        subject="board",
        claim=claim,
        evidence={
            "converged": board.converged,
            "iterations": board.iterations,
            "n_bootstrap": board.n_bootstrap,
            "n_bootstrap_failed": board.n_bootstrap_failed,
        },
        remedy=remedy,
        sources=say.sources(board.provenance),
    )


RULES: tuple[Rule, ...] = (
    Rule(
        code="RNK201",
        title="first place not separable",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"models": 1},
        find=_not_separable,
        blocked=_few_rated,
    ),
    Rule(
        code="RNK202",
        title="board falls into groups",
        severity=Severity.SERIOUS,
        needs="votes",
        find=_disconnected,
    ),
    Rule(
        code="RNK203",
        title="rating rests on one opponent",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"opponents": 1, "one_opponent": 0.9, "board": 4},
        find=_thin,
    ),
    Rule(
        code="RNK204",
        title="too few votes for a rating",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"min_votes": 100, "half_width": 50},
        find=_too_few_votes,
    ),
    Rule(
        code="RNK205",
        title="order of display unknown",
        severity=Severity.INFO,
        needs="votes",
        find=_order_lost,
    ),
    Rule(
        code="RNK208",
        title="fit did not converge",
        severity=Severity.SERIOUS,
        needs="votes",
        find=_not_converged,
    ),
)
