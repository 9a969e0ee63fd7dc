"""Results of ranking models from votes."""

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
        `sandwich` or `bootstrap`.
    n_bootstrap, n_bootstrap_failed : int
        Replicates asked for, and those whose board fell apart.
    converged : bool
    iterations : int
    order_known : bool
        Whether `model_a` is the answer shown first.
    seed : int or None
        None when a generator was passed in.
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
            "pairs": list(self.pairs()),
        }

    def pairs(self) -> Iterator[dict[str, Any]]:
        """Every pair that met, once: votes between them, and wins of the first, ties as half."""
        for i, first in enumerate(self.models):
            wins, votes = self.wins[i].tolist(), self.votes[i].tolist()
            for j in range(i + 1, len(self.models)):
                if votes[j]:
                    second = self.models[j].model
                    yield {"a": first.model, "b": second, "n": votes[j], "wins_a": wins[j]}

    def to_arrow(self) -> "pa.Table":
        """Return one row per model."""
        import pyarrow as pa

        return pa.Table.from_pylist(to_plain(self.models))
