"""Results of scoring models on items and of comparing their answers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from caveat.results._frame import TableResult
from caveat.results._plain import to_plain
from caveat.results.provenance import Provenance

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    Matrix = npt.NDArray[np.float64]


ROUNDING = 0.0005
"""Half of the last digit of a score written as 66.8%."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreEstimate:
    """Mean score of one model on one task, or on everything.

    Attributes
    ----------
    score, se, low, high : float
        Mean of the item scores with its standard error and interval; nan where undefined.
    n : int
        Items scored (repeats of an item are averaged first).
    n_clusters : int
        Independent groups the items fall in; `n` when no cluster is given.
    method : str
        `t` (independent items), `clustered`, or `exact` (few scores of 0 or few of 1, where a
        t interval would be too narrow or have no width).
    df : float
        Degrees of freedom of the t interval; nan where there is no error.
    reason : str
        Why a figure is undefined; empty otherwise.
    """

    score: float
    se: float
    low: float
    high: float
    n: int
    n_clusters: int
    method: str
    df: float = math.nan
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonItems:
    """Items on which all models, or as many as is sensible, have a score.

    Attributes
    ----------
    n : int
        0 where no two models share an item.
    left_out : tuple of str
        Models that lack scores on some of them, because otherwise too few items were left.
    all_items : bool
        Whether they are all scored items, so that both readings are one.
    """

    n: int
    left_out: tuple[str, ...] = ()
    all_items: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelScore:
    """One model: what it answered and how well.

    Attributes
    ----------
    model : str
    n : int
        Items scored.
    unparsed, refused, errors, missing, unscored : int
        Items without a readable answer, refused, failed to run, absent for this model though
        other models have them, and present without a score.
    overall : ScoreEstimate
    tasks : mapping of str to ScoreEstimate
        By task, when the source names tasks.
    macro : ScoreEstimate or None
        Mean of the scores by task, each task counting alike; None with fewer than two tasks.
    common : ScoreEstimate or None
        Over the common items of `Scores`; None for a model left out there.
    """

    model: str
    n: int
    unparsed: int
    refused: int
    errors: int
    missing: int
    unscored: int
    overall: ScoreEstimate
    tasks: Mapping[str, ScoreEstimate] = field(default_factory=dict)
    macro: ScoreEstimate | None = None
    common: ScoreEstimate | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the row of `caveat agree --json`: figures flat, tasks nested."""
        counts = ("unparsed", "refused", "errors", "missing", "unscored")
        return {
            "model": self.model,
            **{"n": self.n, **{name: getattr(self, name) for name in counts}},
            **{k: v for k, v in to_plain(self.overall).items() if k != "n"},
            "tasks": [{"task": task, **to_plain(est)} for task, est in self.tasks.items()],
            "macro": to_plain(self.macro),
            "common": to_plain(self.common),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores(TableResult):
    """Scores of all models on one benchmark, best first.

    Attributes
    ----------
    benchmark : str
    models : tuple of ModelScore
        By score on all their items.
    n_items : int
    level : float
    common : CommonItems or None
        None with fewer than two models.
    """

    benchmark: str
    models: tuple[ModelScore, ...]
    n_items: int
    level: float
    common: CommonItems | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)

    @property
    def macro_differs(self) -> bool:
        """Whether counting tasks alike changes the order, or a score by more than a rounding."""
        return _other_reading([(m.overall, m.macro) for m in self.models])

    @property
    def common_differs(self) -> bool:
        """Whether scores on common items differ from those on all, or in their order."""
        return _other_reading([(m.overall, m.common) for m in self.models])

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as plain data."""
        return {
            "benchmark": self.benchmark,
            "n_items": self.n_items,
            "level": self.level,
            "common_items": to_plain(self.common),
            "models": [model.to_dict() for model in self.models],
        }

    def to_arrow(self) -> "pa.Table":
        """Return one row per model, tasks left out."""
        import pyarrow as pa

        rows = [m.to_dict() for m in self.models]
        nested = ("tasks", "macro", "common")
        return pa.Table.from_pylist([{k: r[k] for k in r if k not in nested} for r in rows])


def _other_reading(scores: Sequence[tuple[ScoreEstimate, ScoreEstimate | None]]) -> bool:
    """Whether a second score of models, best first, tells another story than the first."""
    both = [(a.score, b.score) for a, b in scores if b is not None and math.isfinite(b.score)]
    moved = any(abs(first - second) > ROUNDING for first, second in both)
    return moved or any(b[1] > a[1] + 1e-9 and a[0] > b[0] + 1e-9 for a, b in pairwise(both))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two models compared on the items both answered, under the policy of the result.

    Shares are of `n`; `low` and `high` bound `disagree`, those of other shares carry its name.
    `one_right`: exactly one of the two is. `kappa` is Cohen's, `capa` the chance-adjusted agreement
    of Goel et al. (2025), `error_consistency` the one of Geirhos et al. (2020). Given the two
    scores, `disagree` can be from `feasible_low` to `feasible_high`; `position` is where it lies,
    from 0 to 1. nan where undefined; `reason` says why, where it is not a matter of the whole
    benchmark.
    """

    a: str
    b: str
    n: int
    disagree: float
    low: float
    high: float
    both_wrong: float
    both_wrong_low: float
    both_wrong_high: float
    same_wrong: float
    same_wrong_low: float
    same_wrong_high: float
    one_right: float
    one_right_low: float
    one_right_high: float
    kappa: float
    capa: float
    error_consistency: float
    feasible_low: float
    feasible_high: float
    position: float
    score_a: float
    score_b: float
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement(TableResult):
    """All pairwise agreement figures of the models of one benchmark.

    Attributes
    ----------
    benchmark : str
    models : tuple of str
        In the order of the matrices.
    policy : str
        What an unparsed answer counts as: `drop`, `as-disagreement` or `as-option`.
    n, disagree, low, high, both_wrong, same_wrong, one_right : float array, shape (m, m)
        Symmetric; shares of the `n` items counted for the pair. `low` and `high` are of `disagree`.
    limits : mapping of str to pair of float array
        `low` and `high` of `both_wrong`, `same_wrong` and `one_right`, by name.
    kappa, capa, error_consistency : float array, shape (m, m)
    feasible_low, feasible_high, position : float array, shape (m, m)
        Least and most disagreement given the two scores, and where the pair's lies between them.
    score : float array, shape (m,)
        Score of each model over all its own items.
    common_score : float array, shape (m, m)
        `common_score[i, j]`: score of model i over the items that j has a score on, too, whatever
        the policy; for matching pairs of equal score.
    pair_score : float array, shape (m, m)
        `pair_score[i, j]`: score of model i over the items counted with j; nan without scores.
    order : tuple of int
        Models in the order of a hierarchical clustering by disagreement (average linkage), so
        that alike models are neighbours in a heat map.
    merges : tuple of (int, int, float)
        The tree behind `order`: both branches and the disagreement at which they join, nearest
        first; branch m + k is merge k. Empty where it is not known.
    level : float
    interval : str
        `wilson` or, where items come in clusters, `clustered`.
    reasons : mapping of str to str
        Why a figure is undefined for this benchmark, e.g. `{"capa": "..."}`.
    """

    benchmark: str
    models: tuple[str, ...]
    policy: str
    n: "Matrix"
    disagree: "Matrix"
    low: "Matrix"
    high: "Matrix"
    both_wrong: "Matrix"
    same_wrong: "Matrix"
    one_right: "Matrix"
    limits: Mapping[str, tuple["Matrix", "Matrix"]]
    kappa: "Matrix"
    capa: "Matrix"
    error_consistency: "Matrix"
    feasible_low: "Matrix"
    feasible_high: "Matrix"
    position: "Matrix"
    score: "Matrix"
    common_score: "Matrix"
    pair_score: "Matrix"
    order: tuple[int, ...]
    level: float
    interval: str = "wilson"
    merges: tuple[tuple[int, int, float], ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)

    def pairs(self) -> Iterator[Pair]:
        """Every unordered pair once, in the order of `models`."""
        for i, a in enumerate(self.models):
            rows = {name: values[i].tolist() for name, values in self._figures().items()}
            scores = self.pair_score[i].tolist(), self.pair_score[:, i].tolist()
            for j in range(i + 1, len(self.models)):
                figures = {name: row[j] for name, row in rows.items()}
                yield Pair(
                    a=a,
                    b=self.models[j],
                    n=int(figures.pop("n")),
                    **figures,
                    score_a=scores[0][j],
                    score_b=scores[1][j],
                    reason=self._why_undefined(figures, int(rows["n"][j])),
                )

    def _figures(self) -> dict[str, "Matrix"]:
        """Figures of pairs by the names they have in `Pair`."""
        names = ("n", "disagree", "low", "high", "both_wrong", "same_wrong", "one_right")
        more = ("kappa", "capa", "error_consistency", "feasible_low", "feasible_high", "position")
        found = {name: getattr(self, name) for name in (*names, *more)}
        for name, (low, high) in self.limits.items():
            found |= {f"{name}_low": low, f"{name}_high": high}
        return found

    def _why_undefined(self, figures: Mapping[str, float], n: int) -> str:
        if not n:
            return "no item in common"

        def undefined(name: str) -> bool:
            return figures[name] != figures[name] and name not in self.reasons

        if undefined("both_wrong"):
            return "right and wrong: some of their answers have no score"
        why = []
        if undefined("low"):
            why.append("intervals: one cluster of items says nothing about spread")
        adjusted = [n for n in ("kappa", "capa", "error_consistency") if undefined(n)]
        if adjusted:
            words = " and ".join(filter(None, [", ".join(adjusted[:-1]), adjusted[-1]]))
            why.append(f"{words.replace('_', ' ')}: chance alone would always agree")
        if undefined("position"):
            why.append("position: the two scores leave one value only")
        return "; ".join(why)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison in the shape of `caveat agree --json`."""
        return {
            "benchmark": self.benchmark,
            "policy": self.policy,
            "level": self.level,
            "pairs": [to_plain(pair) for pair in self.pairs()],
            "reasons": dict(self.reasons),
        }

    def to_arrow(self) -> "pa.Table":
        """Return one row per pair."""
        import pyarrow as pa

        return pa.Table.from_pylist([to_plain(pair) for pair in self.pairs()])
