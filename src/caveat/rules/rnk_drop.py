"""RNK: how few votes carry the first place."""

from collections.abc import Iterator

from caveat.results.caveat import Caveat, Severity
from caveat.results.ranking import Ranking
from caveat.results.report import Findings
from caveat.results.stress.drop import Drop, DropAFew, Flip, VotesTaken
from caveat.rules import _phrases as say
from caveat.rules._rule import Rule, Thresholds
from caveat.rules._stress import blocked, part


def _falls(findings: Findings, limits: Thresholds) -> Iterator[Caveat]:
    found, board = part(findings, DropAFew), findings.ranking
    first = found.first_place if found else None
    if found is None or first is None or board is None:
        return
    votes = first.by("votes")
    if votes is None or votes.number is None or not votes.share_of_board < limits["share"]:
        return
    yield Caveat(
        code="RNK209",
        severity=_severity(votes, board, limits),
        subject="first place",
        claim=_claim(first, votes, found.n_votes),
        evidence={
            **flip_row(votes),
            "z": first.z,
            "z_voters": first.z_voters,
            "n_votes": found.n_votes,
            "n_top": first.n_top,
            "disconnects": votes.disconnects,
            "fabricated": _number(first.by("fabricated")),
            "direct": first.direct,
            "voters": _number(first.by("voters")),
            "prompts": _number(first.by("prompts")),
            "boundaries": [
                {
                    "boundary": row.boundary,
                    "above": row.above,
                    "below": row.below,
                    "votes": _number(row.by("votes")),
                    "z": row.z,
                }
                for row in found.rows
                if row.boundary is not None
            ],
        },
        remedy="Do not announce a winner on this margin: name the models that a handful of votes "
        "would exchange, and collect votes between them from people who are not on the board yet.",
        sources=say.sources(board.provenance),
    )


def _severity(votes: Flip, board: Ranking, limits: Thresholds) -> Severity:
    """Grade by share; a lead that does not count anyway needs no more than a notice."""
    if board.lead is None or not board.lead.separable:
        return Severity.NOTICE
    if votes.share_of_board < limits["serious"]:
        return Severity.SERIOUS
    return Severity.WARNING if votes.share_of_board < limits["warning"] else Severity.NOTICE


def _claim(first: Drop, votes: Flip, n_votes: int) -> str:
    above, below = say.name(votes.above), say.name(votes.below)
    made_up = first.by("fabricated")
    or_else = ""
    if made_up is not None and made_up.number is not None:
        or_else = f", or when {made_up.number:,} {'is' if made_up.number == 1 else 'are'} made up"
        if (made_up.above, made_up.below) != (votes.above, votes.below):
            or_else += f" (for {say.name(made_up.below)})"
    what = "the board falls apart" if votes.disconnects else f"first place falls to {below}"
    board, top = say.small_percent(votes.share_of_board), say.small_percent(votes.share_of_top)
    return (
        f"{what} when at most {say.number(votes.votes or 0, 'vote')} of {n_votes:,} "
        f"{'goes' if votes.votes == 1 else 'go'} ({board} of the board; "
        f"{top} of the {first.n_top:,} of {above}; {say.z(first.z)})"
        f"{or_else}"
    )


def flip_row(flip: Flip) -> dict[str, object]:
    """Return what it takes as evidence."""
    return {
        "above": flip.above,
        "below": flip.below,
        "number": flip.number,
        "of": flip.of,
        "votes": flip.votes,
        "share_of_board": flip.share_of_board,
        "share_of_top": flip.share_of_top,
        "one_step": flip.one_step,
        "taken": [_kind(kind) for kind in flip.kinds],
        "n_kinds": flip.n_kinds,
    }


def _kind(kind: VotesTaken) -> str:
    """Say which votes: `281 of 281 wins of A over B`."""
    of = "" if kind.of is None else f" of {kind.of:,.0f}"
    what = f"ties of {kind.model} and" if kind.tie else f"wins of {kind.model} over"
    return f"{kind.number:,.0f}{of} {what} {kind.over}"


def _number(flip: Flip | None) -> int | None:
    return flip.number if flip else None


RULES: tuple[Rule, ...] = (
    Rule(
        code="RNK209",
        title="first place falls when few votes go",
        severity=Severity.WARNING,
        needs="votes",
        thresholds={"share": 0.01, "warning": 0.001, "serious": 0.0001},
        find=_falls,
        blocked=blocked("drop"),
    ),
)
