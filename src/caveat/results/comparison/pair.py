"""Everything about two models on one benchmark."""

from dataclasses import dataclass
from typing import Any, Literal

from caveat.results._plain import to_plain
from caveat.results.agreement import ScoreEstimate
from caveat.results.comparison.paired import PairTest

Verdict = Literal["a is better", "b is better", "equivalent", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDifference:
    """The two models on one task; nan where undefined.

    Attributes
    ----------
    task : str
    n : int
        Items both have a score for.
    score_a, score_b, difference, low, high, p, p_holm : float
        As in `PairTest`; Holm's adjustment is over the tasks.
    reason : str
        Why figures are undefined.
    """

    task: str
    n: int
    score_a: float
    score_b: float
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferingItem:
    """An item on which the two models differ.

    Attributes
    ----------
    item : str
    task, answer_a, answer_b, target : str or None
        None where unknown, or where there is no readable answer.
    score_a, score_b : float
        nan where there is no score.
    """

    item: str
    task: str | None
    answer_a: str | None
    answer_b: str | None
    target: str | None
    score_a: float
    score_b: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """How often the two answer differently, over items both have a readable answer to.

    Attributes
    ----------
    n : int
    disagree, low, high : float
        Share of different answers, with its Wilson interval.
    both_wrong, same_wrong : float
        Items both get wrong, and the part of them with one and the same wrong answer, as shares of
        `n`; nan where scores are other than 0 and 1 or absent.
    """

    n: int
    disagree: float
    low: float
    high: float
    both_wrong: float
    same_wrong: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskVariation:
    """Whether the difference is the same on all tasks (Welch's test).

    Attributes
    ----------
    f, df, df_within, p : float
        nan with fewer than two tasks whose differences have an error.
    n_tasks : int
        Tasks in the test.
    left_out : int
        Tasks without an error: one item, or all differences equal.
    a_ahead, b_ahead : int
        Tasks on which one is shown to be ahead (Holm's adjustment over the tasks).
    """

    f: float
    df: float
    df_within: float
    p: float
    n_tasks: int
    left_out: int
    a_ahead: int
    b_ahead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairComparison:
    """Two models on the items both have.

    Attributes
    ----------
    benchmark, a, b : str
    own_a, own_b : ScoreEstimate
        Scores over all items of each, for the reading beside the common one.
    test : PairTest
        Difference, interval, test, effect and equivalence on common items; the family is this one
        pair, so adjusted p values are p.
    method : str
        As `PairedTests.test`.
    both_right, neither_right : float
        Of the common items, beside `test.only_a` and `test.only_b`; nan for scores other than 0, 1.
    p_mid, log10_p : float
        McNemar's mid-p, and the logarithm of his exact p, however small; nan likewise.
    odds_ratio : float
        `only_a / only_b`; infinite where only_b is 0 (null in JSON), nan where both are.
    verdict : str
        `a is better` or `b is better` where the test says so at `level`; else `equivalent` where
        the difference is shown to be under `margin`; else `undecided`.
    within_margin : bool
        Whether the difference is shown to be under `margin`, be it real or not.
    needed_equivalent : float
        Items needed to show that, were the true difference the observed one; nan where that is at
        or beyond the margin.
    answers : Answers or None
        None without answers, or none in common.
    tasks : tuple of TaskDifference
        Largest advantage of a first; empty where the source names fewer than two tasks.
    variation : TaskVariation or None
        None without tasks.
    items : tuple of DifferingItem
        Items with different scores first (the most different first), then those with different
        answers of one score; at most as many as were asked for.
    n_differing, n_same_score : int
        All items that differ, and those of them with one score (or none).
    level, power, margin : float
    """

    benchmark: str
    a: str
    b: str
    own_a: ScoreEstimate
    own_b: ScoreEstimate
    test: PairTest
    method: str
    both_right: float
    neither_right: float
    p_mid: float
    log10_p: float
    odds_ratio: float
    verdict: Verdict
    within_margin: bool
    needed_equivalent: float
    answers: Answers | None
    tasks: tuple[TaskDifference, ...]
    variation: TaskVariation | None
    items: tuple[DifferingItem, ...]
    n_differing: int
    n_same_score: int
    level: float
    power: float
    margin: float

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison in the shape of `caveat compare --json`."""
        plain: dict[str, Any] = to_plain(self)
        return plain
