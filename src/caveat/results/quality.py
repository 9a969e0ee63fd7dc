"""What is wrong with the data itself: counts and tests that rules turn into caveats."""

from dataclasses import dataclass, field
from typing import Any

from caveat.results._plain import to_plain
from caveat.results.provenance import Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingItems:
    """Items that other models have and this one lacks.

    Attributes
    ----------
    model : str
    missing, items : int
        Items it lacks, of all items of the benchmark.
    tasks : tuple of (str, int, int)
        Task, items missing in it, items in it; most missing first, tasks without a gap left out.
    """

    model: str
    missing: int
    items: int
    tasks: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnparsedShare:
    """Answers of one model that hold no readable choice."""

    model: str
    unparsed: int
    n: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """Answers that stand where the model's text holds none.

    Attributes
    ----------
    model : str
    reference : str
        How these rows are known to hold no answer: a column of another parse, or `status`.
    unparseable, filled : int
        Rows without a readable answer, and those of them that carry an answer all the same.
    answer : str
        Most frequent answer among the filled rows.
    n_answer : int
        Filled rows with that answer.
    expected : float
        Share of that answer among the model's readable answers; nan without any.
    p : float
        One-sided p value of Fisher's exact test of `n_answer` among the filled rows against the
        readable ones, Bonferroni-adjusted over models and answers.
    constant : bool
        Whether one answer stands out: `p` below the level, on at least half of the filled rows,
        which are no better than guesses where that is known. Otherwise the fill looks spread out.
    correct : int
        Filled rows that count as correct.
    chance : float
        Share a blind guess gets right on these items; nan when unknown.
    p_chance : float
        One-sided binomial p value of `correct` against `chance`: a large one means the filled
        answers are no better than guesses; nan when unknown.
    """

    model: str
    reference: str
    unparseable: int
    filled: int
    answer: str
    n_answer: int
    expected: float
    p: float
    constant: bool
    correct: int
    chance: float = float("nan")
    p_chance: float = float("nan")

    @property
    def share(self) -> float:
        """Share of the filled rows that carry `answer`."""
        return self.n_answer / self.filled if self.filled else float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldConflict:
    """Items whose gold answer is not the same for all models."""

    items: int
    n_items: int
    examples: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DegenerateItems:
    """Items that cannot tell models apart, or cannot be answered correctly."""

    one_option: int
    gold_outside: int
    n_items: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way the answers were read and scored.

    Attributes
    ----------
    metric, filter : str
        Empty where the source names none.
    rows : int
        Rows that were read and scored in this way.
    used : int
        Those that count; the others would count an item twice.
    """

    metric: str
    filter: str
    rows: int
    used: int

    @property
    def name(self) -> str:
        """Metric and filter in one word."""
        return ", ".join(part for part in (self.metric, self.filter) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseQuality:
    """State of the responses of one benchmark.

    `readings`: the metrics and filters of the source, and how many rows of each count;
    `no_overlap`: two models or more, and no item that two of them answered. `score_low` and
    `score_high`: least and largest item score, nan without scores. `skipped` names the checks
    that could not run, with the reason.
    """

    benchmark: str
    n_models: int
    n_items: int
    missing: tuple[MissingItems, ...] = ()
    unparsed: tuple[UnparsedShare, ...] = ()
    fills: tuple[Fill, ...] = ()
    gold: GoldConflict | None = None
    degenerate: DegenerateItems | None = None
    readings: tuple[Reading, ...] = ()
    no_overlap: bool = False
    score_low: float = float("nan")
    score_high: float = float("nan")
    skipped: tuple[tuple[str, str], ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain data."""
        plain: dict[str, Any] = to_plain(self)
        return plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """Rows that repeat an earlier row of the same key and were left out."""

    kind: str
    count: int
    rows_read: int
    examples: tuple[str, ...] = ()
