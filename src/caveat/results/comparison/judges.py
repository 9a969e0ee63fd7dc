"""Models that judge pairs of answers: against gold, in both orders, and among themselves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from caveat.results._plain import to_plain
from caveat.results.annotator_test import AnnotatorTest

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderTurned:
    """Verdicts of one judge on the same two answers in both orders.

    Attributes
    ----------
    n : int
        Pairs judged in both orders.
    consistent, low, high : float
        Share with the same verdict.
    first_both, second_both : int
        Pairs in which the answer shown first, or second, won both times.
    first_share : float
        The first of these of both; nan where no verdict turns.
    p : float
        Exact sign test of no leaning to either place; nan where no verdict turns.
    n_right_both : int
        Pairs judged right in both orders, of `n_gold` with a right answer.
    n_gold : int
    """

    n: int
    consistent: float
    low: float
    high: float
    first_both: int
    second_both: int
    first_share: float
    p: float
    n_right_both: int
    n_gold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What a judge gives to one kind of answer, beside what the right answers give to it.

    Attributes
    ----------
    kind : str
        `own` or `longer`.
    by : tuple of str
        Authors taken for its own, or the columns of length.
    n : int
        Pairs of which one answer is of this kind.
    share, reference_share : float
        Share of the verdicts, and of the right answers, for that answer.
    difference, low, high : float
        The first less the second.
    """

    kind: str
    by: tuple[str, ...]
    n: int
    share: float
    reference_share: float
    difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairJudge:
    """One judge.

    Attributes
    ----------
    judge : str
    n, n_unread : int
        Pairs with a right answer that it judged; and those whose verdict could not be read.
    accuracy, low, high : float
        Share judged right, of those that could be read.
    kappa, kappa_low, kappa_high : float
        Cohen's kappa with the right answers.
    order : OrderTurned or None
    own, longer : Preference or None
    reasons : mapping of str to str
        Why a figure is missing.
    """

    judge: str
    n: int
    n_unread: int
    accuracy: float
    low: float
    high: float
    kappa: float
    kappa_low: float
    kappa_high: float
    order: OrderTurned | None
    own: Preference | None
    longer: Preference | None
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoJudges:
    """Agreement of two judges on the pairs that both judged."""

    a: str
    b: str
    n: int
    agree: float
    kappa: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgesOfPairs:
    """The models of one benchmark as judges.

    Attributes
    ----------
    benchmark : str
    judges : tuple of PairJudge
        Best kappa with the right answers first.
    pairs : tuple of TwoJudges
        All pairs of the first `MOST` judges.
    n_pairs_left_out : int
        Pairs of judges not shown.
    sides : tuple of (str, str)
        The labels of the first and the second answer; empty where answers are no such verdicts.
    annotators : tuple of AnnotatorTest
        Of each model, where several of the annotators are declared to be people.
    people : tuple of str
        Models declared to be people.
    level : float
    reasons : mapping of str to str
        Why `order`, `own`, `longer` or `annotators` is missing for all.
    """

    benchmark: str
    judges: tuple[PairJudge, ...]
    pairs: tuple[TwoJudges, ...]
    n_pairs_left_out: int
    sides: tuple[str, ...]
    annotators: tuple[AnnotatorTest, ...]
    people: tuple[str, ...]
    level: float
    reasons: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return what it adds to its benchmark in the JSON of `caveat agree`."""
        plain: dict[str, Any] = to_plain(self)
        del plain["benchmark"]
        return {"judges": plain}

    def to_arrow(self) -> "pa.Table":
        """Return one row for each judge."""
        import pyarrow as pa

        flat = ("judge", "n", "n_unread", "accuracy", "low", "high", "kappa")
        return pa.Table.from_pylist(
            [{name: getattr(row, name) for name in flat} for row in self.judges]
        )
