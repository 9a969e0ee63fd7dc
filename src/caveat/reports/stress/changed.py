"""How two boards side by side are put into words."""

import math

from caveat.reports.numbers import counted, one, two, whole, z_value
from caveat.results.board_change import BoardChange
from caveat.results.ranking import Lead

LISTED = 5


def lead_words(lead: Lead, critical: float) -> str:
    """Say who leads whom by how much, and whether it counts."""
    counts = "counts" if lead.separable else "does not count"
    known = math.isfinite(lead.z) and math.isfinite(critical)
    needed = f", which {counts}: {one(critical)} is needed" if known else ""
    return (
        f"{lead.leader} leads {lead.runner_up} by {counted(round(lead.difference), 'point')} "
        f"({z_value(lead.z)}{needed})"
    )


def first_words(change: BoardChange) -> str:
    """Say in a few words who is first after the change."""
    if change.first_changes:
        return f"{change.lead_after.leader} is first instead of {change.lead.leader}"
    if change.separation_lost:
        return f"{change.lead.leader} stays first, but no longer for certain"
    return f"{change.lead.leader} stays first"


def change_sentences(change: BoardChange, *, before: str, after: str) -> list[str]:
    """Say what happens to the first place, the first tier and the order.

    `before` and `after` begin a sentence: `As voted`, `At equal style`.
    """
    said = [
        f"{before}, {lead_words(change.lead, change.critical)}.",
        f"{after}, {lead_words(change.lead_after, change.critical_after)}.",
    ]
    tier = [
        f"{_names(names)} {verb if len(names) != 1 else verb + 's'} it"
        for names, verb in ((change.entered, "join"), (change.left, "leave"))
        if names
    ]
    count = counted(len(change.first_tier), "model")
    said.append(
        f"The first tier holds {count} before and {whole(len(change.first_tier_after))} after"
        + (f": {'; '.join(tier)}." if tier else ".")
    )
    moves = change.moves
    listed = ", ".join(
        f"{m.model} (from {whole(m.rank)} to {whole(m.rank_after)})" for m in moves[:LISTED]
    )
    largest = f", most of all {listed}" if moves else ""
    verb = "is" if len(moves) == 1 else "are"
    tau = f" (Kendall's tau {two(change.tau)})" if math.isfinite(change.tau) else ""
    said.append(
        f"{whole(len(moves))} of {counted(len(change.models), 'model')} {verb} in another place"
        f"{largest}{tau}."
    )
    return said


def _names(names: tuple[str, ...]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {whole(more)} more" if more > 0 else "")
