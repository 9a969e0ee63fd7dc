"""The sentence a report opens with."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from caveat.results.caveat import Caveat, Severity
from caveat.results.ranking import Ranking, RatedModel
from caveat.results.report import BenchmarkFindings, Findings
from caveat.results.stress.drop import DropAFew
from caveat.rules import _phrases as say
from caveat.rules._stress import part
from caveat.rules.rnk_votes import judges_ranked, lead_lost, together

_FEW_VOTES = 30
"""Votes below which a lead is not called real, whatever its z: normal theory is not reached."""
_SLIVER = 0.01
"""Share of the votes below which it is worth saying that leaving them out changes first place."""


def verdict(findings: Findings, caveats: Sequence[Caveat]) -> str:
    """Say in one plain sentence what the evidence supports.

    Votes come first, then the answers, then how many caveats stand against it all. Ranks are
    read from the findings, so that the sentence does not change when a rule is ignored.

    Examples
    --------
    >>> verdict(Findings(), ())
    'Nothing could be ranked or scored from these sources.'
    """
    parts = []
    if findings.ranking is not None:
        parts.append(_of_votes(findings.ranking, part(findings, DropAFew)))
    if findings.benchmarks:
        parts.append(_of_answers(findings.benchmarks, caveats))
    if not parts:
        parts.append("Nothing could be ranked or scored from these sources")
    if tail := _of_caveats(caveats, checked=bool(findings.ranking or findings.benchmarks)):
        parts.append(tail)
    return "; ".join([parts[0], *map(_lower_first, parts[1:])]) + "."


def _of_votes(board: Ranking, drop: DropAFew | None) -> str:
    lead = board.lead
    if lead is None:
        return f"No two models can be ranked by {say.number(board.n_votes, 'vote')}"
    rated = [model for model in board.models if model.tier is not None]
    first = [model.model for model in rated if model.tier == 1]
    scope = ""
    if len(rated) < len(board.models):
        scope = f" among the {len(rated):,} of {len(board.models):,} models that can be rated"
    if len(first) > 1:
        return f"No first place can be named{scope}: {say.names(first)} are not separable"
    if doubts := list(_doubts(board)):
        return (
            f"{say.name(lead.leader)} leads {say.name(lead.runner_up)} by {lead.difference:.0f} "
            f"points{scope} (z = {lead.z:.1f}) if every vote counts alike, but "
            f"{' and '.join(doubts)}"
        )
    reserves = [text for text in (_toppled(drop), _unsettled(rated)) if text]
    return (
        f"First place is real{scope}: {say.name(lead.leader)} leads {say.name(lead.runner_up)} by "
        f"{lead.difference:.0f} points (z = {lead.z:.1f})"
        + (f", but {', and '.join(reserves)}" if reserves else "")
    )


def _toppled(drop: DropAFew | None) -> str:
    """Say what would put another model first, where it is a sliver of the votes."""
    if drop is None or drop.first_place is None:
        return ""
    flip = drop.first_place.by("votes")
    if flip is None or flip.number is None or flip.share_of_board >= _SLIVER:
        return ""
    share = say.small_percent(flip.share_of_board)
    return (
        f"without {say.number(flip.number, 'vote')} of {drop.n_votes:,} "
        f"({share}) {say.name(flip.below)} would be first"
    )


def _unsettled(rated: Sequence[RatedModel]) -> str:
    ranks = _first_shared_tier(rated)
    return f"ranks {ranks} are not separable" if ranks else ""


def _doubts(board: Ranking) -> Iterator[str]:
    """Say why the votes should not be taken at their word."""
    ends = (board.lead.leader, board.lead.runner_up) if board.lead else ()
    fewest = min((m.n_votes for m in board.models if m.model in ends), default=_FEW_VOTES)
    if fewest < _FEW_VOTES:
        yield f"one of the two has only {say.number(fewest, 'vote')}"
    if board.judges is not None and judges_ranked(board):
        share = say.percent(board.judges.ranked_share)
        yield f"judges that are ranked themselves cast {share} of them"
    if lost := lead_lost(board):
        yield together(lost)


def _first_shared_tier(rated: Sequence[RatedModel]) -> str:
    """Ranks of the best tier below the first that several neighbours share, as `3-9`."""
    for start, model in enumerate(rated):
        end = start
        while end + 1 < len(rated) and rated[end + 1].tier == model.tier:
            end += 1
        if end > start:
            return f"{start + 1:,}-{end + 1:,}"
    return ""


def _of_answers(benchmarks: Sequence[BenchmarkFindings], caveats: Sequence[Caveat]) -> str:
    apart = [caveat.evidence for caveat in caveats if caveat.code == "AGR301"]
    if apart:
        most = max(apart, key=lambda evidence: evidence["pairs"])
        where = f" on {say.name(most['benchmark'])}" if len(benchmarks) > 1 else ""
        verb = "disagrees" if most["pairs"] == 1 else "disagree"
        return (
            f"Models with the same score give different answers: "
            f"{_of_matched(most)} within {most['points']:g} points{where} {verb} on "
            f"{say.span(most['disagree_min'], most['disagree_max'])} of items"
        )
    return next(_best_scores(benchmarks), _unscored(benchmarks[0]))


def _of_matched(evidence: Mapping[str, Any]) -> str:
    """Say how many pairs are beyond the limit, and of how many where some are not."""
    beyond, judged = evidence["pairs"], evidence.get("matched", evidence["pairs"])
    if beyond == judged:
        return say.number(beyond, "pair")
    return f"{beyond:,} of {say.number(judged, 'pair')}"


def _best_scores(benchmarks: Sequence[BenchmarkFindings]) -> Iterator[str]:
    for bench in benchmarks:
        scored = [m for m in bench.scores.models if math.isfinite(m.overall.score)]
        if scored:
            best = max(scored, key=lambda model: model.overall.score)
            top = [m.model for m in scored if m.overall.score == best.overall.score]
            name, benchmark = say.names(top), say.name(bench.benchmark)
            share = say.percent(best.overall.score)
            if len(scored) == 1:
                yield f"The score of {name} on {benchmark} is {share}"
            else:
                yield f"The highest of {len(scored):,} scores on {benchmark} is {share}, by {name}"


def _unscored(bench: BenchmarkFindings) -> str:
    models = say.number(len(bench.scores.models), "model")
    if bench.agreement is None:
        return f"Nothing about {models} on {say.name(bench.benchmark)} could be scored or compared"
    return (
        f"The answers of {models} to {say.name(bench.benchmark)} carry no scores, so they can be "
        "compared with each other but not called right or wrong"
    )


def _of_caveats(caveats: Sequence[Caveat], *, checked: bool) -> str:
    for severity, word in ((Severity.SERIOUS, "serious caveat"), (Severity.WARNING, "warning")):
        if n := sum(caveat.severity is severity for caveat in caveats):
            return say.number(n, word)
    if not checked:
        return ""
    return "no serious caveats or warnings" if caveats else "no caveats"


def _lower_first(part: str) -> str:
    """Continue a sentence: each part opens with a word of ours, never with a name."""
    return part[0].lower() + part[1:]
