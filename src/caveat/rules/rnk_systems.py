"""RNK: whether the order of models is that of the votes, or that of the rating system."""

from collections.abc import Iterator, Sequence

from caveat.results.caveat import Caveat, Severity
from caveat.results.ranking import Ranking
from caveat.results.report import Findings
from caveat.results.stress.systems import EloOrders, FirstPlace, RankSpan, SystemsDisagree
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds
from caveat.rules._stress import blocked, part


def _disagree(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, board = part(findings, SystemsDisagree), findings.ranking
    if found is None or board is None:
        return
    steady = {o.method for o in found.systems if o.adjusted and not o.order_dependent}
    tier = {model.model for model in board.models if model.tier == 1}
    others = [place for place in found.first_places[1:] if place.model not in tier]
    widest = _widest(found, steady)
    wide = widest is not None and widest.width >= max(
        limits["places"], limits["span"] * len(found.spans)
    )
    if not (others or wide):
        return
    apart = [place for place in others if steady & set(place.methods)]
    yield Caveat(
        code="RNK210",
        severity=Severity.WARNING if apart else Severity.NOTICE,
        subject="first place" if others else "board",
        claim="; ".join(_parts(found, others, widest if wide else None)),
        evidence={
            "board": found.board,
            "first_places": [
                {
                    "model": place.model,
                    "methods": list(place.methods),
                    "in_first_tier": place.model in tier,
                }
                for place in found.first_places
            ],
            "systems": [
                {"method": one.method, "first": one.first, "tau": one.tau, "adjusted": one.adjusted}
                for one in found.systems
            ],
            "widest": None
            if widest is None
            else {
                "model": widest.model,
                "board": widest.board,
                "low": widest.low,
                "high": widest.high,
            },
        },
        remedy="Say which rating system made the order and why; quote a place that all systems "
        "which allow for opponents agree on, or none.",
        sources=say.sources(board.provenance),
    )


def _widest(found: SystemsDisagree, steady: set[str]) -> RankSpan | None:
    """Find the model whose places differ most over these systems."""
    spans = []
    for one in found.spans:
        ranks = tuple(rank for rank in one.ranks if rank[0] in steady)
        places = [place for _, place in ranks]
        spans.append(
            RankSpan(
                model=one.model, board=one.board, low=min(places), high=max(places), ranks=ranks
            )
        )
    return max(spans, key=lambda one: one.width, default=None)


def _parts(
    found: SystemsDisagree, others: Sequence[FirstPlace], widest: RankSpan | None
) -> Iterator[str]:
    if others:
        leader = found.first_places[0]
        yield (
            f"{len(leader.methods):,} of {say.number(len(found.systems), 'rating system')} put "
            f"{say.name(leader.model)} first, but "
            + say.listed([_elsewhere(place, found) for place in others])
            + ", which the board sets apart from it"
        )
    if widest is not None:
        best = min(widest.ranks, key=lambda rank: rank[1])[0]
        worst = max(widest.ranks, key=lambda rank: rank[1])[0]
        yield (
            f"{say.name(widest.model)} is place {widest.low:,} by {found.title(best)} and place "
            f"{widest.high:,} by {found.title(worst)}"
        )


def _elsewhere(place: FirstPlace, found: SystemsDisagree) -> str:
    by = say.listed([found.title(method) for method in place.methods], limit=3)
    systems = [one for one in found.systems if one.method in place.methods]
    why = ""
    if not any(one.adjusted for one in systems):
        why = " (blind to who met whom)"
    elif all(one.order_dependent for one in systems if one.adjusted):
        why = " (by the order of votes)"
    return f"{by}{why} {'puts' if len(systems) == 1 else 'put'} {say.name(place.model)}"


def _orders(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, board = part(findings, SystemsDisagree), findings.ranking
    if found is None or board is None or found.elo is None:
        return
    elo = found.elo
    if len(elo.first) < 2 or elo.share > limits["share"]:
        return
    yield Caveat(
        code="RNK211",
        severity=Severity.WARNING if board.order_dependent else Severity.NOTICE,
        subject="first place",
        claim=_orders_claim(elo, board),
        evidence={
            "k": elo.k,
            "shuffles": elo.shuffles,
            "spread": elo.spread,
            "first": [{"model": model, "orders": n} for model, n in elo.first],
            "board": board.method,
        },
        remedy="Do not quote an Elo rating of one order of votes; fit Bradley-Terry or a model of "
        "ties, which give the same result for every order, or average Elo over many orders.",
        sources=say.sources(board.provenance),
    )


def _orders_claim(elo: EloOrders, board: Ranking) -> str:
    first = [f"{say.name(model)} in {n:,}" for model, n in elo.first]
    same = "" if board.order_dependent else "; the board's own method gives one for all of them"
    return (
        f"Elo (K = {elo.k:g}) names {len(elo.first):,} different first places over "
        f"{elo.shuffles:,} orders of the same {board.n_votes:,} votes: "
        f"{say.listed(first, limit=3)}{same}"
    )


RULES: tuple[Rule, ...] = (
    Rule(
        code="RNK210",
        title="order depends on the rating system",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"span": 0.25, "places": 3},
        find=_disagree,
        blocked=blocked("systems"),
    ),
    Rule(
        code="RNK211",
        title="Elo names several first places",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"share": 0.9},
        find=_orders,
        blocked=blocked("systems"),
    ),
)
