"""Exit codes, and which caveats lead to them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from caveat.results.caveat import Caveat

FINE, CAVEATS, MISUSE = 0, 1, 2
INTERRUPTED, TERMINATED, PIPE_CLOSED = 130, 143, 141


def judged(caveats: "Sequence[Caveat]", fail_on: str) -> int:
    """Return 1 when a caveat is at least as severe as `fail_on` (`none`: never), else 0."""
    from caveat.results.caveat import Severity

    if fail_on == "none":
        return FINE
    least = Severity(fail_on).rank
    return CAVEATS if any(caveat.severity.rank >= least for caveat in caveats) else FINE
