"""Claims on a terminal: verdict, claim, and what it rests on."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from caveat.reports.numbers import counted, whole
from caveat.reports.printing import print_paragraph, say
from caveat.results.claims import Claims, JudgedClaim

if TYPE_CHECKING:
    from rich.console import Console

_STYLES: Mapping[str, str] = {
    "supported": "bold green",
    "contradicted": "bold red",
    "undecided": "bold yellow",
}
INDENT = 2


def print_claims(found: Claims, console: "Console") -> None:
    """Print each claim with its verdict, what has changed since a baseline, and the counts."""
    for one in found.claims:
        _print_claim(one, console)
    if found.changes is not None:
        _print_changes(found, console)
    counts = ", ".join(f"{whole(n)} {verdict}" for verdict, n in found.counts.items() if n)
    level = f"{100 * found.level:g}%"
    say(
        console,
        (f"{counted(len(found.claims), 'claim')}: {counts} (level {level}, all together)", "bold"),
    )


def _print_claim(one: JudgedClaim, console: "Console") -> None:
    where = f" [{one.claim.benchmark}]" if one.claim.benchmark else ""
    say(console, (f"{one.verdict}: ", _STYLES[one.verdict]), (f"{one.claim.says}{where}", ""))
    lines = [f"{one.why}."]
    if one.verdict == "undecided" and one.items_needed is not None:
        lines.append(f"About {whole(one.items_needed)} items would decide it at this estimate.")
    elif one.verdict == "undecided" and one.n > 1:
        lines.append("No number of items can be named that would decide it.")
    print_paragraph(tuple(lines), console, indent=INDENT)


def _print_changes(found: Claims, console: "Console") -> None:
    if not found.changes:
        say(console, ("Nothing has changed since the baseline.", ""))
    for change in found.changes or ():
        before, now = change.before or "not claimed", change.now or "not claimed"
        style = "bold red" if change.worse else "bold"
        word = "worse" if change.worse else "changed"
        say(
            console,
            (f"{word} since the baseline: ", style),
            (f"{change.says}: {before}, now {now}", ""),
        )
