"""Claims about models, and whether the responses support them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from caveat.results._plain import to_plain
from caveat.results.provenance import Provenance

Kind = Literal["beats", "interchangeable", "top", "costs", "scores", "disagree"]
KINDS: tuple[Kind, ...] = ("beats", "interchangeable", "top", "costs", "scores", "disagree")
Verdict = Literal["supported", "contradicted", "undecided"]
VERDICTS: tuple[Verdict, ...] = ("supported", "contradicted", "undecided")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim, as typed.

    Attributes
    ----------
    says : str
        The claim in words.
    kind : str
    a : str
        The model it is about.
    b : str
        The other one; empty where there is none.
    benchmark, task : str
        Where it is to hold; empty for the only benchmark, and for all tasks.
    limit : float
        `beats`: least lead in score; `interchangeable`: largest difference of scores; `top`: k;
        `costs`: largest ratio of costs; `scores`: least score; `disagree`: largest share.
    margin : float
        `costs`: largest difference of scores; nan where the score does not matter.
    disagree : float
        `interchangeable`: largest share of items answered differently; nan where none is stated.
    """

    says: str
    kind: Kind
    a: str
    b: str = ""
    benchmark: str = ""
    task: str = ""
    limit: float = 0.0
    margin: float = float("nan")
    disagree: float = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure that a claim rests on.

    Attributes
    ----------
    name : str
        What is estimated.
    estimate : float
    low, high : float
        One-sided bounds, each at the level of the claim; nan where there is none.
    limit : float
        What it is held against.
    n : int
        Items it is estimated from.
    """

    name: str
    estimate: float
    low: float
    high: float
    limit: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedClaim:
    """A claim with its verdict.

    Attributes
    ----------
    claim : Claim
    verdict : str
        `supported`, `contradicted`, or `undecided`.
    why : str
        In words, figures included.
    figures : tuple of Figure
    n : int
        Items that all models of the claim have.
    items_needed : int or None
        Items that would decide it if the estimate stayed; None where it is decided or no number
        would.
    """

    claim: Claim
    verdict: Verdict
    why: str
    figures: tuple[Figure, ...] = ()
    n: int = 0
    items_needed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimChange:
    """A claim that stands otherwise than it did.

    Attributes
    ----------
    says : str
    before, now : str
        Verdict; empty where the claim was not there.
    worse : bool
        Whether it was supported and no longer is, or is contradicted now and was not.
    """

    says: str
    before: str
    now: str
    worse: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """All claims of a file.

    Attributes
    ----------
    claims : tuple of JudgedClaim
    level : float
        With which no verdict, of all claims together, is wrong.
    each : float
        The level of each claim by itself that follows.
    changes : tuple of ClaimChange or None
        Against a baseline; None where there is none.
    """

    claims: tuple[JudgedClaim, ...]
    level: float
    each: float
    changes: tuple[ClaimChange, ...] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)

    @property
    def counts(self) -> dict[str, int]:
        """Claims by verdict."""
        return {one: sum(c.verdict == one for c in self.claims) for one in VERDICTS}

    @property
    def worse(self) -> tuple[ClaimChange, ...]:
        """Claims that stand worse than in the baseline."""
        return tuple(change for change in self.changes or () if change.worse)

    def to_dict(self) -> dict[str, Any]:
        """Return the shape of `caveat claim --json`."""
        return {
            "claims": [
                {
                    **to_plain(one.claim),
                    "verdict": one.verdict,
                    "why": one.why,
                    "figures": to_plain(one.figures),
                    "n": one.n,
                    "items_needed": one.items_needed,
                }
                for one in self.claims
            ],
            "counts": self.counts,
            "level": self.level,
            "each": self.each,
            "changes": None if self.changes is None else to_plain(self.changes),
        }
