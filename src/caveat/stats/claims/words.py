"""What is said of a claim, figures included."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from caveat.results.claims import Claim, Figure
from caveat.results.comparison.interchange import PairVerdict

if TYPE_CHECKING:
    from caveat.stats.claims.ground import Bound

CRITERIA: Mapping[str, str] = {
    "score": "difference of scores",
    "disagreement": "disagreement beyond the noise floor",
    "tasks": "spread of the difference over tasks",
}


def points(value: float) -> str:
    """Write a difference of shares in points."""
    return f"{100 * value:+.1f}"


def percent(value: float) -> str:
    """Write a share."""
    return f"{100 * value:.1f}%"


def lead(claim: Claim, figure: Figure) -> str:
    """Say how far one model is ahead of another."""
    wanted = f"; claimed: more than {points(claim.limit)}" if claim.limit else ""
    word = "trails" if figure.estimate < 0 else "leads"
    return (
        f"{claim.a} {word} {claim.b} by {100 * abs(figure.estimate):.1f} points "
        f"(difference {points(figure.low)} to {points(figure.high)}) on {figure.n:,} common items"
        f"{wanted}"
    )


def score(claim: Claim, figure: Figure) -> str:
    """Say how well a model scores."""
    return (
        f"{claim.a} scores {percent(figure.estimate)} ({percent(figure.low)} to "
        f"{percent(figure.high)}) on {figure.n:,} items; claimed: at least {percent(claim.limit)}"
    )


def differ(claim: Claim, figure: Figure) -> str:
    """Say how often two models answer differently."""
    return (
        f"{claim.a} and {claim.b} differ on {percent(figure.estimate)} ({percent(figure.low)} to "
        f"{percent(figure.high)}) of {figure.n:,} common items; claimed: at most "
        f"{percent(claim.limit)}"
    )


def cost(claim: Claim, bounds: "Sequence[Bound]") -> str:
    """Say what one model costs beside another, and at which score."""
    figure = bounds[0].figure
    text = (
        f"{claim.a} costs {figure.estimate:.2f} times as much as {claim.b} ({figure.low:.2f} to "
        f"{figure.high:.2f}) on {figure.n:,} items; claimed: at most {claim.limit:g} times"
    )
    for one in bounds[1:]:
        text += (
            f"; its score differs by {points(one.figure.estimate)} points "
            f"({points(one.figure.low)} to {points(one.figure.high)}), allowed: "
            f"{points(-claim.margin)}"
        )
    return text


def top(claim: Claim, figure: Figure, models: int) -> str:
    """Say which ranks a model may have."""
    span = f"{figure.low:.0f}"
    if figure.high != figure.low:
        span += f" to {figure.high:.0f}"
    return (
        f"{claim.a} is number {figure.estimate:.0f} of {models} by the differences on common "
        f"items; ranks that cannot be ruled out: {span}"
    )


def interchange(found: PairVerdict) -> str:
    """Say which criteria two models meet."""
    parts = []
    for one in found.criteria:
        name = CRITERIA[one.name]
        if one.state == "untested":
            parts.append(f"{name}: not tested ({one.reason})")
            continue
        span = f" ({percent(one.low)} to {percent(one.high)})" if one.low == one.low else ""
        limit = f", limit {percent(one.limit)}" if one.limit == one.limit else ""
        why = f"; {one.reason}" if one.reason else ""
        parts.append(f"{name} {percent(one.estimate)}{span}{limit}: {one.state}{why}")
    return f"on {found.n:,} common items: " + ". ".join(parts)
