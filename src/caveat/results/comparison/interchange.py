"""May one model stand for another?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from caveat.results._plain import to_plain

State = Literal["met", "failed", "open", "untested"]
Verdict = Literal["interchangeable", "different", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One thing that interchangeable models share.

    Attributes
    ----------
    name : str
        `score`, `disagreement` or `tasks`.
    state : str
        `met` or `failed` beyond doubt, `open`, or `untested`, with the reason.
    estimate : float
        Difference of scores (a less b); disagreement beyond the floor, or disagreement where a
        largest one was stated and no floor is known; standard deviation of the difference of
        scores over tasks.
    low, high : float
        What decides: met where the whole of it is within the limit. Lower and upper one-sided
        bounds of the level; nan where there are none.
    limit : float
    items : int or None
        Items that would decide it if the estimate stayed; None where it is decided, cannot be
        told, or would take over a million.
    reason : str
        Why it is untested, or open whatever the items.
    """

    name: Literal["score", "disagreement", "tasks"]
    state: State
    estimate: float
    low: float
    high: float
    limit: float
    items: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairVerdict:
    """Two models, and whether one may stand for the other.

    Attributes
    ----------
    a, b : str
    verdict : str
        `interchangeable`: all criteria that apply are met; `different`: one fails beyond doubt;
        else `undecided`.
    n : int
        Items both have a score for.
    disagree : float
        Share of common items answered differently.
    equal_within : float
        The least margin at which the scores would count as equal.
    same_weights : bool
        Whether the two were declared to be one model.
    criteria : tuple of Criterion
    items : int or None
        Items that would decide all that is open; None where nothing is, or cannot be told.
    """

    a: str
    b: str
    verdict: Verdict
    n: int
    disagree: float
    equal_within: float
    same_weights: bool
    criteria: tuple[Criterion, ...]
    items: int | None

    def criterion(self, name: str) -> Criterion:
        """Return one criterion by name."""
        return next(one for one in self.criteria if one.name == name)

    @property
    def failed(self) -> tuple[str, ...]:
        """Criteria that fail beyond doubt."""
        return tuple(one.name for one in self.criteria if one.state == "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Models of which each pair is interchangeable.

    Attributes
    ----------
    models : tuple of str
        Best score first.
    most_disagree : float
        Largest disagreement of a pair of them.
    """

    models: tuple[str, ...]
    most_disagree: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Interchange:
    """Verdicts on all pairs considered, and clusters of interchangeable models.

    Attributes
    ----------
    pairs : tuple of PairVerdict
        Nearest to interchangeable first: by verdict, then by `equal_within`.
    clusters : tuple of Cluster
        Largest first.
    counts : mapping of str to int
        Pairs by verdict.
    floor : str
        Source of the noise floor; empty where none is known.
    considered, n_models : int
    limits : mapping of str to float
        By criterion; nan where none was stated.
    tasks : int
        Tasks that the source names.
    level : float
        Of each verdict by itself.
    settings : mapping
    """

    pairs: tuple[PairVerdict, ...]
    clusters: tuple[Cluster, ...]
    counts: Mapping[str, int]
    floor: str
    considered: int
    n_models: int
    limits: Mapping[str, float]
    tasks: int
    level: float
    settings: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as `interchangeable` of the benchmark's entry."""
        return {"interchangeable": to_plain(self)}
