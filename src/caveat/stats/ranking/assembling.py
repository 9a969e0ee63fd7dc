"""A board from estimates: ranks, tiers, comparisons, and everybody who could not be rated."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, stdtr

from caveat._blas import single_threaded
from caveat.kernels.connectivity import Component
from caveat.kernels.counts import win_matrix
from caveat.kernels.multiplicity import holm
from caveat.kernels.rank_sets import RankSets, difference_errors, rank_sets
from caveat.results.ranking import Comparisons, Group, Lead, Ranking, RatedModel
from caveat.stats.ranking.counting import CountedVotes
from caveat.stats.ranking.estimates import Estimates

Floats = npt.NDArray[np.float64]

_OUTSIDE = {
    "unbeaten": "no rated model ever beat or tied it, so its rating has no upper bound",
    "winless": "it never beat or tied a rated model, so its rating has no lower bound",
    "isolated": "it never met the rated models",
    "between": "its results against the others go one way only, so no finite rating fits",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Told:
    """What a rating system says of a board besides its ratings.

    Attributes
    ----------
    method : str
    groups : tuple of Component
        The rated group first.
    level : float
    rng : Generator
        For the simulated critical value.
    interval : str
    chance : float array, shape (m, m), or None
        Chance that the model of the row wins a decisive vote against that of the column.
    outside : mapping of int to str
        Why a model of another code has no rating, where its group does not say.
    fields : mapping
        Further fields of the `Ranking`.
    """

    method: str
    groups: tuple[Component, ...]
    level: float
    rng: np.random.Generator
    interval: str
    chance: Floats | None = None
    outside: dict[int, str] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)


def assemble(votes: CountedVotes, estimates: Estimates, told: Told) -> Ranking:
    """Put a board together.

    Parameters
    ----------
    votes : CountedVotes
    estimates : Estimates
        In the unit they are shown in, higher being better; `members` must not be empty.
    told : Told

    Returns
    -------
    Ranking
    """
    board = _Board(votes, estimates, told)
    with single_threaded():
        sets = rank_sets(
            estimates.rating,
            estimates.covariance,
            level=told.level,
            rng=told.rng,
            degrees=estimates.degrees,
        )
    wins = win_matrix(votes.cells, votes.cells.weight)
    order = board.order()
    return Ranking(
        method=told.method,
        models=tuple(board.row(i, sets, wins) for i in order),
        n_votes=round(votes.cells.n_votes),
        n_ties=round(float(votes.cells.count[votes.cells.outcome >= 2].sum())),
        lead=_lead(board, sets),
        groups=tuple(_group(group, votes) for group in told.groups),
        wins=wins[np.ix_(order, order)],
        votes=(wins + wins.T)[np.ix_(order, order)],
        level=told.level,
        critical=sets.critical,
        interval=told.interval,
        n_bootstrap=estimates.replicates,
        n_bootstrap_failed=estimates.failed,
        order_known=votes.order_known,
        comparisons=_comparisons(board, sets),
        **told.fields,
    )


def _group(group: Component, votes: CountedVotes) -> Group:
    return Group(
        models=tuple(votes.models[i] for i in group.members),
        relation=group.relation,
        n_votes=round(group.votes),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Board:
    votes: CountedVotes
    estimates: Estimates
    told: Told

    @property
    def rated(self) -> list[int]:
        """Places of the rated models among the estimates, best first; names break ties."""
        rating, members = self.estimates.rating, self.estimates.members
        if members.size < 2:
            return []
        return sorted(
            range(members.size), key=lambda k: (-rating[k], self.votes.models[members[k]])
        )

    def order(self) -> list[int]:
        """Rated models best first, then the others group by group."""
        first = [int(self.estimates.members[k]) for k in self.rated]
        group_of = {int(i): k for k, group in enumerate(self.told.groups) for i in group.members}
        rest = set(range(len(self.votes.models))) - set(first)
        return first + sorted(rest, key=lambda i: (group_of.get(i, 0), self.votes.models[i]))

    def row(self, model: int, sets: RankSets, wins: Floats) -> RatedModel:
        """Return one line of the board."""
        rated, cells = self.rated, self.votes.cells
        place = [k for k in rated if self.estimates.members[k] == model]
        shared: dict[str, Any] = {
            "model": self.votes.models[model],
            "n_votes": round(float(cells.count[(cells.a == model) | (cells.b == model)].sum())),
            "n_opponents": int((wins[model] + wins[:, model] > 0).sum()),
        }
        outside = len(self.votes.models) - len(rated)
        if place:
            return self._rated_row(place[0], sets, outside, shared)
        nan = float("nan")
        return RatedModel(
            rating=nan,
            se=nan,
            low=nan,
            high=nan,
            rank_low=1,  # it may stand anywhere
            rank_high=len(self.votes.models),
            tier=None,
            reason=self._why_not(model),
            **shared,
        )

    def _rated_row(
        self, k: int, sets: RankSets, outside: int, shared: dict[str, Any]
    ) -> RatedModel:
        found = self.estimates
        return RatedModel(
            rating=float(found.rating[k]),
            se=float(found.se[k]),
            low=float(found.low[k]),
            high=float(found.high[k]),
            rank_low=int(sets.low[k]),
            # Whoever is not rated may stand above.
            rank_high=int(sets.high[k]) + outside,
            tier=int(sets.tier[k]),
            best=float(sets.best[k]),
            reason="" if np.isfinite(found.se[k]) else found.why_no_error,
            **shared,
        )

    def _why_not(self, model: int) -> str:
        if model in self.told.outside:
            return self.told.outside[model]
        relation = next((g.relation for g in self.told.groups if model in g.members), "main")
        return _OUTSIDE.get(relation, "no two models beat each other: nothing can be rated")


def _lead(board: _Board, sets: RankSets) -> Lead | None:
    rated, found = board.rated, board.estimates
    if not rated:
        return None
    first, second = rated[:2]
    gap = float(found.rating[first] - found.rating[second])
    error = float(difference_errors(found.covariance)[first, second])
    z = gap / error if np.isfinite(error) else float("nan")
    chance = board.told.chance
    return Lead(
        leader=board.votes.models[found.members[first]],
        runner_up=board.votes.models[found.members[second]],
        difference=gap,
        se=error,
        z=z,
        win_probability=float("nan") if chance is None else float(chance[first, second]),
        separable=bool(z > sets.critical),
    )


def _comparisons(board: _Board, sets: RankSets) -> Comparisons | None:
    """Compare all rated models, best first."""
    rated, found = board.rated, board.estimates
    if not rated:
        return None
    at = np.ix_(rated, rated)
    difference = found.rating[rated][:, None] - found.rating[rated][None, :]
    error = difference_errors(found.covariance)[at]
    with np.errstate(invalid="ignore"):
        size = np.abs(difference) / error
    tail = ndtr(-size) if found.degrees is None else stdtr(found.degrees, -size)
    upper = np.triu_indices(len(rated), k=1)
    adjusted = np.full_like(size, np.nan)
    adjusted[upper] = holm(2.0 * tail[upper])
    chance = board.told.chance
    return Comparisons(
        models=tuple(board.votes.models[found.members[k]] for k in rated),
        difference=difference,
        se=error,
        p=2.0 * tail,
        p_adjusted=np.fmax(adjusted, adjusted.T),
        separable=size > sets.critical,
        win_probability=None if chance is None else chance[at],
    )
