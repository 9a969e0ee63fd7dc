"""Results of scoring models on items and of comparing their answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from caveat.results._frame import TableResult
from caveat.results._plain import to_plain
from caveat.results.provenance import Provenance

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    Matrix = npt.NDArray[np.float64]


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
        `t` (independent items), `clustered`, or `exact` (all scores 0 or all 1, where a
        t interval would have no width).
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
    reason: str = ""


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

    def to_dict(self) -> dict[str, Any]:
        """Return the row of `caveat agree --json`: figures flat, tasks nested."""
        counts = ("unparsed", "refused", "errors", "missing", "unscored")
        return {
            "model": self.model,
            **{"n": self.n, **{name: getattr(self, name) for name in counts}},
            **{k: v for k, v in to_plain(self.overall).items() if k != "n"},
            "tasks": [{"task": task, **to_plain(est)} for task, est in self.tasks.items()],
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores(TableResult):
    """Scores of all models on one benchmark, best first."""

    benchmark: str
    models: tuple[ModelScore, ...]
    n_items: int
    level: float
    settings: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as plain data."""
        return {
            "benchmark": self.benchmark,
            "n_items": self.n_items,
            "level": self.level,
            "models": [model.to_dict() for model in self.models],
        }

    def to_arrow(self) -> "pa.Table":
        """Return one row per model, tasks left out."""
        import pyarrow as pa

        rows = [m.to_dict() for m in self.models]
        return pa.Table.from_pylist([{k: v for k, v in r.items() if k != "tasks"} for r in rows])


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two models compared on the items both answered, under the policy of the result.

    Shares are of `n`; `low` and `high` bound `disagree`. `kappa` is Cohen's, `capa` the
    chance-adjusted agreement of Goel et al. (2025). nan where undefined; `reason` says why, where
    it is not a matter of the whole benchmark.
    """

    a: str
    b: str
    n: int
    disagree: float
    low: float
    high: float
    both_wrong: float
    same_wrong: float
    kappa: float
    capa: float
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
    n, disagree, low, high, both_wrong, same_wrong, kappa, capa : float array, shape (m, m)
        Symmetric; `disagree` is a share of the `n` items counted for the pair.
    score : float array, shape (m,)
        Score of each model over all its own items, for matching pairs of equal score.
    pair_score : float array, shape (m, m)
        `pair_score[i, j]`: score of model i over the items counted with j; nan without scores.
    order : tuple of int
        Models in the order of a hierarchical clustering by disagreement (average linkage), so
        that alike models are neighbours in a heat map.
    level : float
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
    kappa: "Matrix"
    capa: "Matrix"
    score: "Matrix"
    pair_score: "Matrix"
    order: tuple[int, ...]
    level: float
    reasons: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)

    def pairs(self) -> Iterator[Pair]:
        """Every unordered pair once, in the order of `models`."""
        for i, a in enumerate(self.models):
            for j in range(i + 1, len(self.models)):
                yield Pair(
                    a=a,
                    b=self.models[j],
                    n=int(self.n[i, j]),
                    disagree=float(self.disagree[i, j]),
                    low=float(self.low[i, j]),
                    high=float(self.high[i, j]),
                    both_wrong=float(self.both_wrong[i, j]),
                    same_wrong=float(self.same_wrong[i, j]),
                    kappa=float(self.kappa[i, j]),
                    capa=float(self.capa[i, j]),
                    score_a=float(self.pair_score[i, j]),
                    score_b=float(self.pair_score[j, i]),
                    reason=self._why_undefined(i, j),
                )

    def _why_undefined(self, i: int, j: int) -> str:
        if not self.n[i, j]:
            return "no item in common"
        alone = [
            name
            for name, values in (("kappa", self.kappa), ("capa", self.capa))
            if values[i, j] != values[i, j] and name not in self.reasons
        ]
        if self.both_wrong[i, j] != self.both_wrong[i, j] and "both_wrong" not in self.reasons:
            return "right and wrong: some of their answers have no score"
        if not alone:
            return ""
        return f"{' and '.join(alone)}: chance alone would always agree"

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
