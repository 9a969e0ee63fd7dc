"""Is a claim about models supported, contradicted, or undecided?"""

from collections.abc import Callable, Mapping

import numpy as np

from caveat import _validate
from caveat.data.item_clusters import item_clusters
from caveat.data.matrix import taken
from caveat.errors import InputError
from caveat.kernels.pair_excess import pair_differ
from caveat.kernels.paired_scores import paired_scores
from caveat.kernels.paired_tests import paired_tests
from caveat.results.claims import Claim, Figure, JudgedClaim, Kind, Verdict
from caveat.results.comparison.interchange import PairVerdict
from caveat.stats.claims import words
from caveat.stats.claims.ground import Bound, Ground, mean_figure, nothing_said, settled
from caveat.stats.claims.top import judge_top
from caveat.stats.comparison.codes import answer_codes
from caveat.stats.comparison.interchange import MOST_MODELS, Limits, interchange


def judge_claim(claim: Claim, ground: Ground, *, level: float) -> JudgedClaim:
    """Hold one claim against the responses.

    A claim is supported where the data reject that it is false, contradicted where they reject
    that it is true, each by one-sided tests with error 1 - `level`: since a claim is either true
    or false, a wrong verdict has at most that chance. Models are compared on the items they
    share; one item supports nothing.

    Parameters
    ----------
    claim : Claim
    ground : Ground
    level : float
        In (0.5, 1).

    Returns
    -------
    JudgedClaim

    Raises
    ------
    InputError
        When the claim names a model, a task or a column that the responses lack.
    """
    _validate.probability("level", level)
    if level <= 0.5:
        raise InputError(f"level must be above 0.5, got {level!r}")
    for model in filter(None, (claim.a, claim.b)):
        if model not in ground.matrix.models:
            raise InputError(
                f"claim {claim.says!r}: model must be one of those of {ground.matrix.benchmark}, "
                f"got {model!r}"
            )
    return _JUDGES[claim.kind](claim, ground, level)


def _beats(claim: Claim, ground: Ground, level: float) -> JudgedClaim:
    figure = lead_figure(claim, ground, level=level, limit=claim.limit)
    if figure.n < 2:
        return nothing_said(claim, figure.n)
    return settled(
        claim, [Bound(figure=figure, above=True)], why=words.lead(claim, figure), n=figure.n
    )


def lead_figure(claim: Claim, ground: Ground, *, level: float, limit: float) -> Figure:
    """Difference of the scores of the claim's two models on the items both have."""
    part = ground.part(claim, claim.a, claim.b)
    pairs = paired_scores(part.score, cluster=item_clusters(part))
    tests = paired_tests(pairs, level=2.0 * level - 1.0, margin=0.5)
    return Figure(
        name="difference of scores",
        estimate=float(pairs.difference[0, 1]),
        low=float(tests.low[0, 1]),
        high=float(tests.high[0, 1]),
        limit=limit,
        n=int(pairs.n[0, 1]),
    )


def _scores(claim: Claim, ground: Ground, level: float) -> JudgedClaim:
    part = ground.part(claim, claim.a)
    figure = mean_figure("score", part.score[:, 0], part, limit=claim.limit, level=level)
    if figure.n < 2:
        return nothing_said(claim, figure.n, "scored items")
    return settled(
        claim, [Bound(figure=figure, above=True)], why=words.score(claim, figure), n=figure.n
    )


def _disagree(claim: Claim, ground: Ground, level: float) -> JudgedClaim:
    part = ground.part(claim, claim.a, claim.b)
    if not part.has_answers:
        raise InputError(f"claim {claim.says!r}: the responses must hold answers, got scores only")
    codes = answer_codes(part, ground.policy)
    differ = pair_differ(codes, np.array([0]), np.array([1]))[:, 0]
    figure = mean_figure("share answered differently", differ, part, limit=claim.limit, level=level)
    if figure.n < 2:
        return nothing_said(claim, figure.n, "items both answered")
    return settled(
        claim, [Bound(figure=figure, above=False)], why=words.differ(claim, figure), n=figure.n
    )


def _costs(claim: Claim, ground: Ground, level: float) -> JudgedClaim:
    """Judge costs by A - ratio x B, whose mean is at most 0: a test that needs no division."""
    part = ground.part(claim, claim.a, claim.b)
    cost = ground.values("cost_usd")[ground.items(claim)]
    a, b = (cost[:, ground.place(model)] for model in (claim.a, claim.b))
    both = np.isfinite(a) & np.isfinite(b)
    n = int(both.sum())
    if n < 2:
        return nothing_said(claim, n, "items with a known cost of both models (unknown is not 0)")
    a, b = np.where(both, a, np.nan), np.where(both, b, np.nan)
    mean_b = float(np.nanmean(b))
    if not mean_b > 0:
        return nothing_said(claim, n, f"items on which {claim.b} costs nothing")
    values = a - claim.limit * b
    ratio = float(np.nanmean(a)) / mean_b

    def bounds(level: float) -> list[Bound]:
        excess = mean_figure("", values, part, limit=0.0, level=level)
        figure = Figure(
            name="ratio of costs",
            estimate=ratio,
            low=claim.limit + excess.low / mean_b,
            high=claim.limit + excess.high / mean_b,
            limit=claim.limit,
            n=n,
        )
        found = [Bound(figure=figure, above=False)]
        if claim.margin == claim.margin:
            lead = lead_figure(claim, ground, level=level, limit=-claim.margin)
            found.append(Bound(figure=lead, above=True))
        return found

    made = bounds(level)
    least = min(one.figure.n for one in made)
    if least < 2:
        return nothing_said(claim, least)
    wider = bounds((1.0 + level) / 2.0) if len(made) > 1 else made
    return settled(claim, made, why=words.cost(claim, made), n=least, wider=wider)


def _interchangeable(claim: Claim, ground: Ground, level: float) -> JudgedClaim:
    part = ground.part(claim, claim.a, claim.b)
    shared = int(np.isfinite(part.score).all(axis=1).sum())
    if shared < 2:
        return nothing_said(claim, shared)
    among = _with_known_noise(claim, ground)
    limit = None if claim.disagree != claim.disagree else claim.disagree
    found = interchange(
        taken(ground.matrix, items=ground.items(claim), models=among),
        [one.narrowed(ground.items(claim), among) for one in ground.floors],
        limits=Limits(score=claim.limit, disagree=limit),
        policy=ground.policy,
        level=level,
    )
    pair = next(one for one in found.pairs if {one.a, one.b} == {claim.a, claim.b})
    return JudgedClaim(
        claim=claim,
        verdict=_VERDICTS[pair.verdict],
        why=words.interchange(pair),
        figures=_figures(pair),
        n=pair.n,
        items_needed=pair.items,
    )


def _with_known_noise(claim: Claim, ground: Ground) -> list[int]:
    """Return the two models, and those of known noise: noise of the two may be borrowed."""
    two = [ground.place(claim.a), ground.place(claim.b)]
    known = np.zeros(len(ground.matrix.models), dtype=bool)
    for one in ground.floors:
        known |= one.known
    others = [j for j in np.flatnonzero(known).tolist() if j not in two]
    return [*two, *others[: MOST_MODELS - 2]]


def _figures(found: PairVerdict) -> tuple[Figure, ...]:
    return tuple(
        Figure(
            name=words.CRITERIA[one.name],
            estimate=one.estimate,
            low=one.low,
            high=one.high,
            limit=one.limit,
            n=found.n,
        )
        for one in found.criteria
        if one.state != "untested"
    )


_VERDICTS: Mapping[str, Verdict] = {
    "interchangeable": "supported",
    "different": "contradicted",
    "undecided": "undecided",
}
_JUDGES: Mapping[Kind, Callable[[Claim, Ground, float], JudgedClaim]] = {
    "beats": _beats,
    "interchangeable": _interchangeable,
    "top": judge_top,
    "costs": _costs,
    "scores": _scores,
    "disagree": _disagree,
}
