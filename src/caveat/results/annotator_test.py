"""Whether a judge may stand for the people who label: the alternative-annotator test."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from caveat.results._plain import to_plain

if TYPE_CHECKING:
    import pyarrow as pa

Fit = Literal["same", "distance"]
MarginTest = Literal["t", "score"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstPerson:
    """A judge against one of the people, by how well either fits the others.

    Attributes
    ----------
    person : str
    n : int
        Items that this person, another one, and the judge labelled.
    judge_share : float
        Share of them on which the judge fits the others at least as well as the person does.
    person_share : float
        Share on which the person fits them at least as well as the judge does.
    difference : float
        The second less the first: by how much the judge is worse.
    p, p_adjusted : float
        Of the hypothesis that the judge is worse by epsilon or more; adjusted for all people.
    won : bool
        Whether that is rejected: the judge may be worse, but by less than epsilon.
    p_score, p_score_adjusted : float
        By the other test, whose level holds where differences are few.
    """

    person: str
    n: int
    judge_share: float
    person_share: float
    difference: float
    p: float
    p_adjusted: float
    won: bool
    p_score: float
    p_score_adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorTest:
    """The alternative-annotator test of one judge.

    Attributes
    ----------
    judge : str
    winning_rate : float
        Share of the people tested against whom the judge won; nan where nobody is tested.
    advantage : float
        Mean share of the items on which it fits the others at least as well as a person does.
    passes : bool or None
        Whether the winning rate is one half or more; None where nobody is tested.
    difference, low, high : float
        Mean of `difference` over the people tested, each counting alike; t interval over people,
        nan for one.
    winning_rate_score, passes_score : float, bool or None
        The same by the score test.
    n_people, n_few : int
        People who labelled anything, and those of them with fewer than `min_items` items.
    n_items : int
        Items with labels of two people or more and of the judge.
    n_single, n_unanswered : int
        Items left out: with one person only; and with more, without the judge.
    against : tuple of AgainstPerson
        People tested, those against whom it does worst first.
    epsilon : float
        By how much the judge may be worse, for what it saves.
    q : float
        Rate of false discoveries among the wins.
    min_items : int
    level : float
        Of the interval.
    fit : str
        `same`: the share of the same label; `distance`: minus the root mean squared distance.
    reasons : mapping of str to str
    """

    judge: str
    winning_rate: float
    advantage: float
    passes: bool | None
    difference: float
    low: float
    high: float
    winning_rate_score: float
    passes_score: bool | None
    n_people: int
    n_few: int
    n_items: int
    n_single: int
    n_unanswered: int
    against: tuple[AgainstPerson, ...]
    epsilon: float
    q: float
    min_items: int
    level: float
    fit: Fit
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def surely_worse(self) -> bool:
        """Whether the judge fits people less well than these fit each other, beyond chance."""
        return self.low > 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        plain: dict[str, Any] = to_plain(self)
        return plain

    def to_arrow(self) -> "pa.Table":
        """Return one row for each person tested."""
        import pyarrow as pa

        return pa.Table.from_pylist([to_plain(row) for row in self.against])
