"""What a rule is. A rule reads results and raises caveats; it never computes a statistic."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from caveat.results.caveat import Caveat, Severity
from caveat.results.report import Findings

Thresholds = Mapping[str, float]
Needs = Literal["votes", "responses", "any"]


def _never(_: Findings) -> Iterator[str]:
    yield from ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One check.

    Attributes
    ----------
    code : str
        Three letters of the family and three digits, e.g. `"RNK201"`; never reused.
    title : str
        What the caveat says, in a few words, without figures.
    severity : Severity
        The usual grade; a rule may raise a milder or graver caveat, as its page says.
    needs : str
        Evidence it reads; without it the check is listed among those that could not run.
    thresholds : mapping of str to float
        Names and defaults of what a user can change under `[rules.CODE]` in `caveat.toml`.
    find : callable
        Yields the caveats of some findings under the thresholds in force.
    blocked : callable
        Yields why the check, or a part of it, has nothing to judge although the evidence it
        `needs` is there, e.g. responses without scores.
    """

    code: str
    title: str
    severity: Severity
    needs: Needs
    thresholds: Thresholds = field(default_factory=dict)
    find: Callable[[Findings, Thresholds], Iterator[Caveat]]
    blocked: Callable[[Findings], Iterator[str]] = _never

    @property
    def family(self) -> str:
        """Three letters: DAT, AGR, RNK, ..."""
        return self.code[:3]
