"""RNK: whether votes can be counted alike. Votes that share something, and who judged."""

import math
from collections.abc import Iterator, Sequence

from caveat.results.caveat import Caveat, Severity
from caveat.results.ranking import Dependence, Judge, Lead, Ranking
from caveat.results.report import Findings
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds

OWN_SHARE = 0.05
"""Share of the votes from which it matters that a judge is ranked, or that two are pooled."""


def lead_lost(board: Ranking) -> Dependence | None:
    """Return the clustering that costs a separable lead most; None where it stays separable."""
    if board.lead is None or not board.lead.separable:
        return None
    lost = [d for d in board.dependence if math.isfinite(d.z) and not d.separable]
    return min(lost, key=lambda d: d.z - d.critical, default=None)


def judges_ranked(board: Ranking, share: float = OWN_SHARE) -> bool:
    """Tell whether judges that are models on the board cast at least `share` of the votes."""
    return board.judges is not None and 0 < board.judges.ranked_share >= share


def together(found: Dependence) -> str:
    """Say what the lead is worth when votes of one cluster count together."""
    return (
        f"with the votes of one {found.column} counted together z is {found.z:.1f}, and "
        f"{found.critical:.1f} would be needed"
    )


def _dependent(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    board = findings.ranking
    if board is None or board.lead is None:
        return
    lost = lead_lost(board)
    larger = [d for d in board.dependence if d.error_ratio > limits["ratio"]]
    few = [d for d in board.dependence if d.n_clusters < limits["clusters"]]
    if lost is None and not larger and not few:
        return
    if lost:
        claim = _lost_claim(board.lead, lost, limits)
    elif larger:
        claim = _larger_claim(max(larger, key=lambda d: d.error_ratio), limits)
    else:
        claim = _few_claim(min(few, key=lambda d: d.n_clusters))
    yield Caveat(
        code="RNK206",
        severity=Severity.WARNING if lost else Severity.NOTICE,
        subject="first place" if lost else "votes",
        claim=claim,
        evidence={
            "z": board.lead.z,
            "critical": board.critical,
            "dependence": [_row(d) for d in board.dependence],
        },
        remedy="Count what is independent: report the lead with the clustered error, and collect "
        "votes on more items or from more voters, not more votes on the same ones.",
        sources=say.sources(board.provenance),
    )


def _lost_claim(lead: Lead, lost: Dependence, limits: Thresholds) -> str:
    return (
        f"the lead of {say.name(lead.leader)} over {say.name(lead.runner_up)} (z = {lead.z:.1f}) "
        f"takes every vote for independent: {together(lost)} ({_sizes(lost, limits)})"
    )


def _larger_claim(most: Dependence, limits: Thresholds) -> str:
    return (
        f"votes of one {most.column} go together: counted so, the error of the lead is "
        f"{most.error_ratio:.1f} times as large (z = {most.z:.1f}, {most.critical:.1f} is needed; "
        f"{_sizes(most, limits)})"
    )


def _few_claim(least: Dependence) -> str:
    return (
        f"all {least.n_votes:,} votes fall to {say.number(least.n_clusters, least.column)}, too "
        "few to say how far the ranks would hold for others"
    )


def _sizes(found: Dependence, limits: Thresholds) -> str:
    few = found.n_clusters < limits["clusters"]
    return (
        f"{say.number(found.n_clusters, found.column)}, {found.votes_per_cluster:,.0f} votes each "
        f"on average{', too few to lean on' if few else ''}"
    )


def _row(found: Dependence) -> dict[str, object]:
    return {
        "column": found.column,
        "n_clusters": found.n_clusters,
        "votes_per_cluster": found.votes_per_cluster,
        "largest": found.largest,
        "error_ratio": found.error_ratio,
        "z": found.z,
        "critical": found.critical,
        "separable": found.separable,
    }


def _pooled(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    board = findings.ranking
    if board is None or board.judges is None:
        return
    ranked = [judge for judge in board.judges.listed if judge.model is not None]
    several = [judge for judge in board.judges.listed if judge.share >= limits["share"]]
    if not ranked and len(several) < 2:
        return
    grave = judges_ranked(board, limits["share"])
    alone = _alone([judge for judge in several if judge.lead is not None])
    yield Caveat(
        code="RNK207",
        severity=Severity.WARNING if grave else Severity.NOTICE,
        subject="judges",
        claim=(_ranked_claim(board, ranked) if ranked else _several_claim(several)) + alone,
        evidence={
            "n_judges": board.judges.n_judges,
            "ranked_share": board.judges.ranked_share,
            "judges": [_judge_row(judge) for judge in board.judges.listed],
        },
        remedy="Rank by each kind of judge separately and say whose preference a board shows; "
        "leave out the verdicts of models on models they are ranked with.",
        sources=say.sources(board.provenance),
    )


def _ranked_claim(board: Ranking, ranked: Sequence[Judge]) -> str:
    judges = board.judges
    assert judges is not None  # noqa: S101 - the caller checked, this is for mypy
    one = len(ranked) == 1
    if judges.n_judges == 1:
        share = say.percent(judges.ranked_share)
        return (
            f"the only judge, {say.name(ranked[0].judge)} with {share} of the votes, is ranked on "
            "the same board"
        )
    return (
        f"{len(ranked):,} of {say.number(judges.n_judges, 'judge')} {'is' if one else 'are'} "
        f"ranked on the same board and cast{'s' if one else ''} "
        f"{say.percent(judges.ranked_share)} of the votes: "
        f"{say.names([judge.judge for judge in ranked])}"
    )


def _several_claim(several: Sequence[Judge]) -> str:
    shares = [f"{say.name(judge.judge)} {say.percent(judge.share)}" for judge in several]
    return f"votes of {say.number(len(several), 'judge')} are pooled: {say.listed(shares)}"


def _alone(judges: Sequence[Judge]) -> str:
    said = [
        f"{say.name(judge.judge)} puts {say.name(judge.lead.leader)} first ({_before(judge.lead)})"
        for judge in judges
        if judge.lead is not None
    ]
    return f"; alone, {say.listed(said, limit=3)}" if said else ""


def _before(lead: Lead) -> str:
    """Say whom the first is before, and how surely where an error is known."""
    joint = " before" if math.isfinite(lead.z) else ", before"
    return f"{say.z(lead.z)}{joint} {say.name(lead.runner_up)}"


def _judge_row(judge: Judge) -> dict[str, object]:
    lead = judge.lead
    return {
        "judge": judge.judge,
        "n_votes": judge.n_votes,
        "share": judge.share,
        "model": judge.model,
        "leader": lead.leader if lead else None,
        "runner_up": lead.runner_up if lead else None,
        "difference": lead.difference if lead else None,
        "z": lead.z if lead else None,
    }


def _all_ties(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    board = findings.ranking
    if board is None or not board.n_votes:
        return
    share = board.n_ties / board.n_votes
    if share < limits["share"]:
        return
    every = board.n_ties == board.n_votes
    yield Caveat(
        code="RNK218",
        severity=Severity.SERIOUS if every else Severity.NOTICE,
        subject="votes",
        claim=f"every one of {say.number(board.n_votes, 'vote')} is a tie, so nothing tells the "
        "models apart"
        if every
        else f"{say.percent(share)} of {say.number(board.n_votes, 'vote')} are ties: the order "
        f"rests on {say.number(board.n_votes - board.n_ties, 'decisive vote')}",
        evidence={"n_votes": board.n_votes, "n_ties": board.n_ties, "share": share},
        remedy="Ask voters for harder prompts or a finer scale, and check that ties are not what "
        "an importer made of votes it could not read.",
        sources=say.sources(board.provenance),
    )


RULES: tuple[Rule, ...] = (
    Rule(
        code="RNK206",
        title="votes are not independent",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"ratio": 1.2, "clusters": 20},
        find=_dependent,
    ),
    Rule(
        code="RNK207",
        title="judges pooled",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"share": OWN_SHARE},
        find=_pooled,
    ),
    Rule(
        code="RNK218",
        title="most votes are ties",
        severity=Severity.NOTICE,
        needs="votes",
        thresholds={"share": 0.8},
        find=_all_ties,
    ),
)
