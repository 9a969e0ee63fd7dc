"""Signs that the responses of a benchmark are not what they seem."""

from dataclasses import dataclass
from typing import Any, Literal

from caveat.results._plain import to_plain
from caveat.results.quality import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffled:
    """Models whose letters mean other options than those of most models.

    Attributes
    ----------
    models : tuple of str
        Those whose right answers carry other letters than the right answers of the others.
    n : int
        Items right for one of them and for one of the others, over all such pairs.
    differ : float
        Share of these where the two letters differ; near 0 where letters mean the same.
    others_differ : float
        The same share among the other models.
    how : str
        `order`: options stand in another order from item to item. `names`: a letter of theirs
        nearly always stands for the same letter of the others (1 for A, a for A).
    """

    models: tuple[str, ...]
    n: int
    differ: float
    others_differ: float
    how: Literal["order", "names"] = "order"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """Two models with the same file of answers, or nearly.

    Attributes
    ----------
    a, b : str
    n : int
        Items both have.
    same : int
        Items with the same answer (an unreadable one is like another), or the same score.
    both_wrong : int
        Items that both did not get fully right; of models that are nearly alike, those with the
        same wrong answer.
    what : str
        `answers`, or `scores` where the source has no answers.
    """

    a: str
    b: str
    n: int
    same: int
    both_wrong: int
    what: Literal["answers", "scores"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradicted:
    """Scores of one model that its prediction and target contradict.

    Attributes
    ----------
    model : str
    n : int
        Rows with prediction, target and a score of 0 or 1.
    right_scored_wrong : int
        The prediction is the target, the score 0.
    wrong_scored_right : int
        The prediction is another option than the target, the score 1; counted for single
        letters and digits only, for texts may be right in other words.
    """

    model: str
    n: int
    right_scored_wrong: int
    wrong_scored_right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Zeros:
    """A column that is 0 throughout for some models.

    Attributes
    ----------
    column : str
    models : tuple of str
    n : int
        Rows of these models.
    others : int
        Models with values above 0.
    """

    column: str
    models: tuple[str, ...]
    n: int
    others: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatCost:
    """Costs that hardly differ between models.

    Attributes
    ----------
    models : int
    ratio : float
        Largest by smallest mean cost per item, over the items whose cost is known for all.
    n : int
        Those items.
    token_ratio : float
        The same ratio of output tokens; nan unknown.
    """

    models: int
    ratio: float
    n: int
    token_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LostFormat:
    """A model whose answers the reading in use misses and another reading finds.

    Attributes
    ----------
    model : str
    reading : str
        The other reading.
    n : int
    score, other_score : float
        By the reading in use and by the other, unread answers wrong.
    gain, usual : float
        Difference of the two for this model, and the median of it over models.
    """

    model: str
    reading: str
    n: int
    score: float
    other_score: float
    gain: float
    usual: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NotAtRandom:
    """Items missing for one model that are not like the others.

    Attributes
    ----------
    model : str
    missing, items : int
    score_missing, score_present : float
        Mean score of the other models on the items it has no score on, and on the others.
    z : float
        Welch's t of the difference of the two; infinite where each side has one score throughout.
    tasks : tuple of (str, int, int)
        Tasks with more missing items than expected, most first: task, missing, items.
    p_tasks : float
        That missing items are spread over tasks by chance (chi-square, or the largest excess where
        tasks are small); nan without tasks.
    """

    model: str
    missing: int
    items: int
    score_missing: float
    score_present: float
    z: float
    tasks: tuple[tuple[str, int, int], ...]
    p_tasks: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """Items that stand under several ids.

    Attributes
    ----------
    by : str
        Column whose values agree, or `answers`.
    groups : tuple of tuple of str
        Ids of one item each; the first few.
    items : int
        Items beyond the first of each group.
    n_items : int
    """

    by: str
    groups: tuple[tuple[str, ...], ...]
    items: int
    n_items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmatched:
    """A published score that the items do not give.

    Attributes
    ----------
    model, task, metric : str
        Empty for the whole benchmark, and where no metric was named.
    published : float
        0..1.
    computed, low, high : float
        Closest of the readings below, and the range over them.
    reading : str
        What the closest one is.
    n : int
        Items.
    source : str
    """

    model: str
    task: str
    metric: str
    published: float
    computed: float
    low: float
    high: float
    reading: str
    n: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """One model does better on a part of the items than the other models do.

    Attributes
    ----------
    model : str
    column : str
        Column that parts the items, or `released` for items from before its release.
    part : str
        The part it does better on.
    n, n_rest : int
        Items in the part, and outside.
    gain : float
        Its lead over the other models' mean on the part less that on the rest.
    low, high : float
    p, p_adjusted : float
        Two-sided; adjusted by Holm over models.
    excess : float
        Its score on the part less what its score on the rest leads to expect, by the line through
        the scores of the other models on both; 0 where it is no farther from the line than models
        usually are, nan where there is no line.
    """

    model: str
    column: str
    part: str
    n: int
    n_rest: int
    gain: float
    low: float
    high: float
    p: float
    p_adjusted: float
    excess: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """Answers that hold the canary string of a benchmark.

    Attributes
    ----------
    model : str
    answers : int
    example : str
        Item of the first.
    """

    model: str
    answers: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionsDiffer:
    """Items that offer some models more options than others.

    Attributes
    ----------
    items, n_items : int
    examples : tuple of (str, int, int)
        Item, fewest and most options.
    """

    items: int
    n_items: int
    examples: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Revised:
    """Ids under which different content stands.

    Attributes
    ----------
    by : str
        Column that tells what an item asks.
    items, n_items : int
        Such ids, of those whose content is known.
    examples : tuple of (str, int)
        Id and number of contents.
    """

    by: str
    items: int
    n_items: int
    examples: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataChecks:
    """All of it, for one benchmark; empty where nothing was found.

    Attributes
    ----------
    readings : tuple of Reading
        Metrics and filters of the answers; one counts in each task.
    published : int
        Published scores that were compared.
    skipped : tuple of (str, str)
        Checks that could not run, by the code of their caveat and title, and why.
    """

    readings: tuple[Reading, ...] = ()
    shuffled: Shuffled | None = None
    options: OptionsDiffer | None = None
    revised: tuple[Revised, ...] = ()
    alike: tuple[Alike, ...] = ()
    contradicted: tuple[Contradicted, ...] = ()
    zeros: tuple[Zeros, ...] = ()
    flat_cost: FlatCost | None = None
    lost: tuple[LostFormat, ...] = ()
    not_at_random: tuple[NotAtRandom, ...] = ()
    repeated: tuple[Repeated, ...] = ()
    unmatched: tuple[Unmatched, ...] = ()
    published: int = 0
    breaks: tuple[Break, ...] = ()
    canaries: tuple[Canary, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as `data` of the benchmark's entry."""
        return {"data": to_plain(self)}
