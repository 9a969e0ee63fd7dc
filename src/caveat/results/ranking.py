"""Results of ranking models from votes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from caveat.results._frame import TableResult
from caveat.results._plain import to_plain
from caveat.results.control import Controls
from caveat.results.provenance import Provenance

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from caveat.results.categories import Categories

MAX_COMPARISONS = 20_000
"""Comparisons of rated models listed in JSON: all of 200 models."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedModel:
    """One model on the board.

    Attributes
    ----------
    model : str
    rating, se, low, high : float
        Rating and its uncertainty in Elo-like points; nan where votes cannot fix it.
    rank_low, rank_high : int
        Best and worst rank the votes allow, simultaneously for all models.
    tier : int or None
        1 for the models not separable from the leader; None when unrated.
    n_votes : int
        Votes this model took part in.
    n_opponents : int
        Models it met at least once.
    best : float
        Probability that it is the best of the rated models: share of simulated boards (normal
        errors around the ratings) that it leads.
    win_probability, win_low, win_high : float
        Chance to win a decisive vote against the anchor, with its interval; nan for systems that
        give no such chance.
    reason : str
        Why the rating is undefined; empty where it is defined.
    """

    model: str
    rating: float
    se: float
    low: float
    high: float
    rank_low: int
    rank_high: int
    tier: int | None
    n_votes: int
    n_opponents: int
    best: float = float("nan")
    win_probability: float = float("nan")
    win_low: float = float("nan")
    win_high: float = float("nan")
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The leader against the runner-up.

    Attributes
    ----------
    leader, runner_up : str
    difference, se : float
        In Elo-like points.
    z : float
        `difference / se`.
    win_probability : float
        Chance that the leader wins a decisive battle against the runner-up.
    separable : bool
        Whether the difference exceeds the simultaneous critical value.
    """

    leader: str
    runner_up: str
    difference: float
    se: float
    z: float
    win_probability: float
    separable: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparisons:
    """All rated models against each other, best first.

    Attributes
    ----------
    models : tuple of str
        The m rated models, in the order of the board.
    difference, se : float array, shape (m, m)
        Rating of the row less that of the column, and its error; nan on the diagonal and where the
        votes leave no error.
    p, p_adjusted : float array, shape (m, m)
        Two-sided, for no difference; adjusted over all pairs by Holm's method.
    separable : bool array, shape (m, m)
        Whether the difference exceeds the simultaneous critical value.
    win_probability : float array, shape (m, m), or None
        Chance that the row wins a decisive vote against the column.
    """

    models: tuple[str, ...]
    difference: "npt.NDArray[np.float64]"
    se: "npt.NDArray[np.float64]"
    p: "npt.NDArray[np.float64]"
    p_adjusted: "npt.NDArray[np.float64]"
    separable: "npt.NDArray[np.bool_]"
    win_probability: "npt.NDArray[np.float64] | None"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every pair once, the better model first: first the neighbours of the best, and so on."""
        m = len(self.models)
        for i in range(m - 1):
            for j in range(i + 1, m):
                yield self.between(i, j)

    def between(self, i: int, j: int) -> dict[str, Any]:
        """Return the comparison of two places on the board."""
        chance = self.win_probability
        return {
            "above": self.models[i],
            "below": self.models[j],
            "difference": to_plain(float(self.difference[i, j])),
            "se": to_plain(float(self.se[i, j])),
            "p": to_plain(float(self.p[i, j])),
            "p_adjusted": to_plain(float(self.p_adjusted[i, j])),
            "separable": bool(self.separable[i, j]),
            "win_probability": None if chance is None else to_plain(float(chance[i, j])),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Advantage of the answer shown first.

    Attributes
    ----------
    advantage, se, low, high : float
        In points.
    win_probability : float
        Chance of the first of two equal models in a decisive vote.
    """

    advantage: float
    se: float
    low: float
    high: float
    win_probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Models that beat each other directly or round a cycle, apart from all others.

    Attributes
    ----------
    models : tuple of str
    relation : str
        `main` (the rated group), `unbeaten` (nobody outside ever beat or tied it),
        `winless` (it never beat or tied anybody outside), `between` (both kinds of losses are
        one-way) or `isolated` (never met the rest).
    n_votes : int
        Votes within the group and between it and others.
    """

    models: tuple[str, ...]
    relation: str
    n_votes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependence:
    """The lead again, with the votes that share something counted together.

    Attributes
    ----------
    column : str
        What they share: `battle`, `item` or `voter`.
    n_votes, n_clusters : int
        Votes between rated models, and the clusters they fall in. A vote without a value is a
        cluster of its own.
    votes_per_cluster : float
        Mean number of votes.
    largest : int
        Votes of the largest cluster.
    se, z : float
        Cluster-robust error of the lead in points, and the lead divided by it; nan with one
        cluster only.
    error_ratio : float
        `se` divided by the error with each vote an independent unit.
    critical : float
        What `z` is compared with: the board's critical value, at as many degrees of freedom as
        there are clusters less one. With fewer than 20 clusters the board's value as it is: they
        are too few to lean on in any case.
    separable : bool
        Whether `z` exceeds `critical`.
    """

    column: str
    n_votes: int
    n_clusters: int
    votes_per_cluster: float
    largest: int
    se: float
    z: float
    error_ratio: float
    critical: float
    separable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Votes of one judge between rated models.

    Attributes
    ----------
    judge : str
    n_votes : int
    share : float
        Of all votes between rated models.
    model : str or None
        The model on the board that this judge is; None for any other.
    lead : Lead or None
        First against second place by this judge's votes alone; None where it cast few of the
        votes, all of them, or votes that rate no two models.
    """

    judge: str
    n_votes: int
    share: float
    model: str | None = None
    lead: Lead | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judges:
    """Who judged.

    Attributes
    ----------
    n_judges : int
    n_unnamed : int
        Votes between rated models whose judge is not named.
    listed : tuple of Judge
        At most 50, most votes first. Where there are more, those that are models on the board
        stay before all others.
    ranked_share : float
        Share of the votes that judges cast who are models on the board.
    """

    n_judges: int
    n_unnamed: int
    listed: tuple[Judge, ...]
    ranked_share: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking(TableResult):
    """A board: ratings, their uncertainty, and which ranks are real.

    Attributes
    ----------
    method : str
        Rating system, e.g. `"bradley-terry"`.
    models : tuple of RatedModel
        Best first; unrated models last.
    n_votes : int
    lead : Lead or None
        None when fewer than two models are rated.
    groups : tuple of Group
        More than one when the votes do not tie all models into one board.
    wins, votes : float array, shape (m, m)
        `wins[i, j]`: votes in which model i beat model j, ties as half; `votes[i, j]`: votes
        between them. In the order of `models`.
    level : float
    critical : float
        Simultaneous critical value that every |z| of a difference is compared with.
    interval : str
        `sandwich` or `bootstrap`; where votes of one cluster count together, `clustered sandwich`
        or `cluster bootstrap`.
    n_bootstrap, n_bootstrap_failed : int
        Replicates asked for, and those whose board fell apart.
    converged : bool
    iterations : int
    order_known : bool
        Whether `model_a` is the answer shown first.
    seed : int or None
        None when a generator was passed in.
    dependence : tuple of Dependence
        One for each column that several votes share a value of.
    judges : Judges or None
        None where the source names no judge.
    comparisons : Comparisons or None
        None when fewer than two models are rated.
    anchor : str or None
        Model whose rating is fixed at 1000 points; None for systems without one.
    unit : str
        What a rating is counted in: `points` (400 are odds of ten to one), or a unit of its own.
    tie_parameter : float
        Of `davidson` and `rao-kupper`; nan for others.
    position : Position or None
        None where it was not fitted.
    cluster : str or None
        Column whose votes count together in the errors.
    n_clusters : int or None
    n_ties : int
        Votes for neither model.
    order_dependent : bool
        Whether the same votes in another order would give other ratings.
    controls : Controls or None
        What is held equal, and what it is worth; None where nothing is.
    categories : Categories or None
        Boards by the values of a column; None where none was asked for.
    counts : pyarrow.Table or None
        The votes added up (`model_a, model_b, outcome, count`): a votes table by itself, to which
        new votes can be added. None for weighted votes, which do not add up.
    """

    method: str
    models: tuple[RatedModel, ...]
    n_votes: int
    lead: Lead | None
    groups: tuple[Group, ...]
    wins: "npt.NDArray[np.float64]"
    votes: "npt.NDArray[np.float64]"
    level: float
    critical: float
    interval: str
    n_bootstrap: int
    n_bootstrap_failed: int
    converged: bool
    iterations: int
    order_known: bool
    seed: int | None
    dependence: tuple[Dependence, ...] = ()
    judges: Judges | None = None
    comparisons: Comparisons | None = None
    anchor: str | None = None
    unit: str = "points"
    tie_parameter: float = float("nan")
    position: Position | None = None
    cluster: str | None = None
    n_clusters: int | None = None
    n_ties: int = 0
    order_dependent: bool = False
    controls: Controls | None = None
    categories: "Categories | None" = None
    counts: "pa.Table | None" = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)

    def to_dict(self) -> dict[str, Any]:
        """Return the board in the shape of `caveat rank --json`."""
        return {
            "method": self.method,
            "n_votes": self.n_votes,
            "models": to_plain(self.models),
            "lead": to_plain(self.lead),
            "groups": to_plain(self.groups),
            "level": self.level,
            "critical": to_plain(self.critical),
            "interval": self.interval,
            "n_bootstrap": self.n_bootstrap,
            "n_bootstrap_failed": self.n_bootstrap_failed,
            "converged": self.converged,
            "iterations": self.iterations,
            "order_known": self.order_known,
            "dependence": to_plain(self.dependence),
            "judges": to_plain(self.judges),
            "anchor": self.anchor,
            "unit": self.unit,
            "tie_parameter": to_plain(self.tie_parameter),
            "position": to_plain(self.position),
            "controls": to_plain(self.controls),
            "categories": self.categories.to_dict() if self.categories else None,
            "cluster": self.cluster,
            "n_clusters": self.n_clusters,
            "n_ties": self.n_ties,
            "order_dependent": self.order_dependent,
            "system": to_plain(self.settings),
            "pairs": list(self.pairs()),
            **self._compared(),
        }

    def _compared(self) -> dict[str, Any]:
        """Comparisons of rated models, and how many are left out to keep the document small."""
        if self.comparisons is None:
            return {"comparisons": [], "comparisons_left_out": 0}
        m = len(self.comparisons.models)
        listed = list(islice(self.comparisons.rows(), MAX_COMPARISONS))
        return {
            "comparisons": listed,
            "comparisons_left_out": m * (m - 1) // 2 - len(listed),
        }

    def pairs(self) -> Iterator[dict[str, Any]]:
        """Every pair that met, once: votes between them, and wins of the first, ties as half."""
        for i, first in enumerate(self.models):
            wins, votes = self.wins[i].tolist(), self.votes[i].tolist()
            for j in range(i + 1, len(self.models)):
                if votes[j]:
                    second = self.models[j].model
                    n = round(votes[j]) if votes[j].is_integer() else votes[j]
                    yield {"a": first.model, "b": second, "n": n, "wins_a": wins[j]}

    def to_arrow(self) -> "pa.Table":
        """Return one row per model."""
        import pyarrow as pa

        return pa.Table.from_pylist(to_plain(self.models))
