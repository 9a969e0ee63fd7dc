"""How models of equal score disagree: over policies, tasks and groups."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.comparison.group_agreement import Bounded, GroupAgreement


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRange:
    """Disagreement of the pairs looked at when unparsed answers count in one way.

    Attributes
    ----------
    policy : str
    n_pairs : int
        Pairs with an item that counts.
    lowest, median, highest : float
        Share of items answered differently; nan without pairs.
    lowest_pair, highest_pair : tuple of str
        The two models of the pair at that end; empty without pairs.
    fewest, most : int
        Items that count for a pair.
    """

    policy: str
    n_pairs: int
    lowest: float
    median: float
    highest: float
    lowest_pair: tuple[str, ...]
    highest_pair: tuple[str, ...]
    fewest: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRange:
    """Disagreement of the pairs looked at on the items of one task.

    Attributes
    ----------
    task : str
    n_items : int
    n_pairs : int
        Pairs with enough items of the task.
    lowest, median, highest : float
        nan without pairs.
    share : float
        Of all differing answers of these pairs, those to items of the task.
    share_items : float
        Of all items that count for these pairs, those of the task.
    """

    task: str
    n_items: int
    n_pairs: int
    lowest: float
    median: float
    highest: float
    share: float
    share_items: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """Two models, most often of nearly the same score on the items that both have.

    Attributes
    ----------
    a, b : str
    n : int
        Items that count under the policy of the run.
    score_a, score_b : float
        On the items that both have a score on.
    right_a, right_b : float
        Shares right of the `n` items.
    disagree, low, high : float
    feasible_low, feasible_high, position : float
        Least and most disagreement given `right_a` and `right_b`, and where this lies, 0 to 1.
    one_right, both_wrong, same_wrong : float
    kappa, capa, error_consistency : Bounded
        With t intervals, clustered where items are.
    policies : mapping of str to float
        Disagreement under each policy for unparsed answers.
    tasks : mapping of str to float
        Disagreement on each task; nan where the pair has too few items of it.
    """

    a: str
    b: str
    n: int
    score_a: float
    score_b: float
    right_a: float
    right_b: float
    disagree: float
    low: float
    high: float
    feasible_low: float
    feasible_high: float
    position: float
    one_right: float
    both_wrong: float
    same_wrong: float
    kappa: Bounded
    capa: Bounded
    error_consistency: Bounded
    policies: Mapping[str, float] = field(default_factory=dict)
    tasks: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as plain data, policies and tasks as rows."""
        plain: dict[str, Any] = to_plain(self)
        for name, key in (("policies", "policy"), ("tasks", "task")):
            plain[name] = [{key: k, "disagree": value} for k, value in plain[name].items()]
        return plain


@dataclass(frozen=True, slots=True, kw_only=True)
class PairErrors:
    """Whether models make the same errors, over all pairs with enough items.

    Attributes
    ----------
    n_pairs, min_items : int
        Pairs, and common items each has at least.
    capa, error_consistency : tuple of float
        Lowest, median and highest of the pairs; nan where undefined for all.
    same_when_wrong : float
        Median share of the items both got wrong on which the wrong answer is the same.
    same_by_chance : float
        What that share would be if wrong answers were drawn evenly from the options; nan where
        the number of options is unknown.
    most_alike : tuple of PairRow
        The pairs of highest CAPA (without it, of highest error consistency), matched or not.
    """

    n_pairs: int
    min_items: int
    capa: tuple[float, float, float]
    error_consistency: tuple[float, float, float]
    same_when_wrong: float
    same_by_chance: float
    most_alike: tuple[PairRow, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain data."""
        plain: dict[str, Any] = to_plain(self)
        for name in ("capa", "error_consistency"):
            plain[name] = dict(zip(("lowest", "median", "highest"), plain[name], strict=True))
        return {**plain, "most_alike": [row.to_dict() for row in self.most_alike]}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreement:
    """Disagreement of the models of one benchmark beyond the single pair.

    Attributes
    ----------
    benchmark, policy : str
    level : float
    points : float
        Pairs are matched when their scores on common items are at most so far apart.
    min_items, min_task_items : int
        Common items a pair needs to be matched, and items of a task to be judged on it.
    n_pairs, n_matched : int
        Pairs with an item in common, and matched ones.
    over : str
        What `policies`, `tasks` and `pairs` are about: `matched` pairs, or `all` where none is
        matched.
    n_judged : int
        How many of them `tasks` and `pairs` are about: those of highest score where there are very
        many.
    policies : tuple of PolicyRange
    tasks : tuple of TaskRange
        Most disagreement (median) first; empty without tasks.
    pairs : tuple of PairRow
        Most disagreement first, at most 100.
    groups : tuple of GroupAgreement
    shared : PairErrors or None
        None where right and wrong are unknown.
    reasons : mapping of str to str
        Why something is not there.
    """

    benchmark: str
    policy: str
    level: float
    points: float
    min_items: int
    min_task_items: int
    n_pairs: int
    n_matched: int
    over: str
    n_judged: int
    policies: tuple[PolicyRange, ...]
    tasks: tuple[TaskRange, ...]
    pairs: tuple[PairRow, ...]
    groups: tuple[GroupAgreement, ...]
    shared: PairErrors | None
    reasons: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of a benchmark in `caveat agree --json`."""
        plain = {
            name: to_plain(getattr(self, name))
            for name in self.__slots__
            if name not in ("benchmark", "groups", "pairs", "shared")
        }
        plain["pairs"] = [row.to_dict() for row in self.pairs]
        plain["groups"] = [group.to_dict() for group in self.groups]
        plain["shared"] = self.shared.to_dict() if self.shared else None
        return {"disagreement": plain}
