"""A board with a weight for each voter, and errors of voters."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from caveat._blas import single_threaded
from caveat._rng import as_generator
from caveat.errors import TooFewError
from caveat.kernels import paired
from caveat.kernels.clustered import ClusterCells
from caveat.kernels.counts import N_OUTCOMES, VoteCells
from caveat.kernels.few_clusters import (
    FEW_CLUSTERS,
    ClustersOfModels,
    clusters_of_models,
    steadied,
    taken_away,
)
from caveat.kernels.voter_scores import (
    Scores,
    calibrated,
    cross,
    scores,
    squared_slopes,
)
from caveat.results.ranking import Ranking
from caveat.stats.ranking.assembling import Told, assemble
from caveat.stats.ranking.counting import CountedVotes
from caveat.stats.ranking.estimates import from_covariance
from caveat.stats.ranking.fitted import FittedBoard, Method, fit_board
from caveat.stats.ranking.scale import CENTRE, POINTS
from caveat.stats.voters.electorate import Electorate

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """How weights of voters were fitted to margins.

    Attributes
    ----------
    weight : float array, shape (n,)
        Of each voter that counts.
    free : bool array, shape (n,)
        Whether it is below its cap.
    margins : tuple of int arrays, shape (n,)
    """

    weight: Floats
    free: Mask
    margins: tuple[Codes, ...]


@dataclass(frozen=True, slots=True, eq=False)
class VoterBoard:
    """A fitted board whose n voters are independent of each other.

    Attributes
    ----------
    fitted : FittedBoard
    voters : int array, shape (n,)
        Codes of the voters that count.
    scores : Scores
        Of these voters, by the p parameters of the fit.
    products : float array, shape (p, p)
        Of the scores with themselves, added up over voters.
    single : float array, shape (p, p)
        Squared slopes of votes without a voter.
    behind : ClustersOfModels
        Voters behind each model.
    n_clusters : float
        Voters, and votes without one.
    """

    fitted: FittedBoard
    voters: Codes
    scores: Scores
    products: Floats
    single: Floats
    behind: ClustersOfModels
    n_clusters: float

    @property
    def factor(self) -> float:
        """G / (G - 1)."""
        return self.n_clusters / (self.n_clusters - 1.0)

    @property
    def bread(self) -> Floats:
        """Inverse information of all parameters."""
        return paired.bread(self.fitted.units, self.fitted.fit)

    def covariance(self) -> Floats:
        """Covariance of the m ratings, in squared logits."""
        with single_threaded():
            meat, cells = self.factor * (self.products + self.single), self.fitted.cells
            bread, m = self.bread, cells.n_models
            if (self.behind.effective < FEW_CLUSTERS).any():
                plain = paired.meat(cells, self.fitted.fit).diagonal()[:m]
                meat = steadied(meat, plain, self.behind, taken_away(cells))
            full = bread @ meat @ bread
        return np.asarray((full + full.T)[:m, :m] / 2.0, dtype=np.float64)


def board_of(
    voters: Electorate,
    weight: Floats,
    *,
    anonymous: float = 0.0,
    method: Method = "auto",
    calibration: Calibration | None = None,
) -> VoterBoard:
    """Fit a board to votes that carry the weight of their voter.

    Parameters
    ----------
    voters : Electorate
    weight : float array, shape (g,)
        Of each vote of each voter; 0 for voters that do not count.
    anonymous : float
        Weight of each vote without a voter.
    method : str
    calibration : Calibration, optional
        Of the voters with a weight, where weights were fitted to margins.

    Returns
    -------
    VoterBoard

    Raises
    ------
    TooFewError
        If fewer than two voters count, or no two models are rated.
    """
    counting, cast = np.flatnonzero(weight > 0), voters.ballots
    n_clusters = counting.size + (float(cast.single.sum()) if anonymous else 0.0)
    if n_clusters < 2:
        raise TooFewError("voters whose votes count", got=int(n_clusters), need=2)
    # Weights of mean 1 over votes: nothing depends on their scale but rounding.
    scale = _scale(voters, weight, anonymous)
    of_voter, anonymous = scale * weight[counting], scale * anonymous
    fitted = fit_board(_counted(voters, counting, of_voter, anonymous), method=method)
    cells, fit = fitted.cells, fitted.fit
    if len(fitted.names) < 2:
        raise TooFewError("models that these votes rate", got=0, need=2)
    inside = _places(voters.votes.cells, fitted)
    slopes = paired.slopes(cells.a, cells.b, cells.outcome, fitted=fit)
    heavy = csr_array(cast.weight[counting][:, inside].multiply(of_voter[:, None]))
    single2 = anonymous**2 * cast.single_weight2[inside]
    clusters = ClusterCells(heavy, voters.cast[counting], cast.single[inside], single2)
    found = scores(slopes, heavy, n_models=cells.n_models, has_tie=fit.has_tie)
    if calibration is not None:
        found = calibrated(
            found,
            weight=calibration.weight,
            free=calibration.free,
            margins=calibration.margins,
        )
    return VoterBoard(
        fitted,
        counting,
        found,
        cross(found, found),
        squared_slopes(cells, fit, single2),
        clusters_of_models(cells, clusters),
        n_clusters,
    )


def _counted(voters: Electorate, counting: Codes, weight: Floats, anonymous: float) -> CountedVotes:
    """Cells in which each vote has the weight of its voter; those without a vote are left out."""
    cast, cells = voters.ballots, voters.votes.cells
    own = 1.0 if anonymous else 0.0
    count = cast.count[counting].T @ np.ones(counting.size) + own * cast.single
    once = cast.weight[counting].T @ weight + anonymous * cast.single_weight
    twice = cast.weight2[counting].T @ weight**2 + anonymous**2 * cast.single_weight2
    used = count > 0
    kept = VoteCells(
        cells.n_models,
        cells.a[used],
        cells.b[used],
        cells.outcome[used],
        count[used],
        once[used],
        twice[used],
    )
    return replace(voters.votes, cells=kept, weighted=True, source=None)


def _scale(voters: Electorate, weight: Floats, anonymous: float) -> float:
    cast = voters.ballots
    number = float(cast.count.sum(axis=1) @ (weight > 0))
    total = float(cast.weight.sum(axis=1) @ weight)
    if anonymous:
        number += float(cast.single.sum())
        total += anonymous * float(cast.single_weight.sum())
    return number / total


def _places(cells: VoteCells, fitted: FittedBoard) -> Codes:
    """Where the cells of the rated models stand among all cells."""
    members = fitted.members
    own, m = fitted.cells, cells.n_models
    wanted = (members[own.a] * m + members[own.b]) * N_OUTCOMES + own.outcome
    return np.searchsorted((cells.a * m + cells.b) * N_OUTCOMES + cells.outcome, wanted)


def ranked(
    board: VoterBoard, *, anchor: str, level: float, seed: "int | np.random.Generator"
) -> Ranking:
    """Turn a board of voters into ratings with intervals, ranks and tiers.

    Parameters
    ----------
    board : VoterBoard
    anchor : str
        Model of 1000 points; where it is not rated, the first model by name.
    level : float
    seed : int or Generator
        For the simulated critical value.
    """
    fitted = board.fitted
    fixed = fitted.names.index(anchor) if anchor in fitted.names else 0
    covariance = board.covariance()
    row = covariance[fixed]
    anchored = POINTS**2 * (covariance - row[:, None] - row[None, :] + row[fixed])
    anchored[fixed] = anchored[:, fixed] = 0.0
    estimates = from_covariance(
        fitted.members,
        CENTRE + POINTS * (fitted.fit.theta - fitted.fit.theta[fixed]),
        anchored,
        level=level,
        degrees=board.n_clusters - 1.0,
    )
    told = Told(
        method=fitted.method,
        groups=fitted.groups,
        level=level,
        rng=as_generator(seed),
        interval="clustered sandwich",
        fields={
            "converged": fitted.fit.converged,
            "iterations": fitted.fit.iterations,
            "seed": seed if isinstance(seed, int) else None,
            "anchor": fitted.names[fixed],
            "cluster": "voter",
            "n_clusters": round(board.n_clusters),
        },
    )
    return assemble(fitted.votes, estimates, told)


def most_votes(voters: Electorate) -> str:
    """Model with the most votes, by name among equals: the anchor where none is named."""
    cells, m = voters.votes.cells, len(voters.votes.models)
    number = np.bincount(cells.a, weights=cells.count, minlength=m)
    number = number + np.bincount(cells.b, weights=cells.count, minlength=m)
    return min(zip(-number, voters.votes.models, strict=True))[1]
