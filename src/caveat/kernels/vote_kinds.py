"""Votes that a fit cannot tell apart, and what one of them moves.

Notation of `caveat.kernels.paired`: a vote with slopes s in (eta, c) enters the parameters through
X = (x, e_c), its own information is K (2 x 2), and B is the inverse information of the board.
Adding d times the vote (d = -1: taking one away) moves a contrast q by d (q'B X)(I + d K L)^-1 s
with L = X'B X, one step of Newton's method. Without a tie parameter and for d = -1 that is the
-(u'x)(y - p) / (1 - h) of Huang et al. (2025), https://arxiv.org/abs/2508.11847.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from caveat.kernels.counts import VoteCells
from caveat.kernels.paired import Units, linear
from caveat.kernels.ties import TieModel, likelihood

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]

_LEAST = 1e-3
"""Least part of the information that a vote may leave: one step says nothing of what is beyond."""


@dataclass(frozen=True, slots=True, eq=False)
class VoteKinds:
    """Votes added up over equal models, order where it matters, result and weight.

    Attributes
    ----------
    pairs : Units
        Pairs of models, with all votes between them.
    pair : int array, shape (k,)
        Place of each kind among the pairs.
    result : int array, shape (k,)
        0 the first of the pair wins, 1 the second, 2 neither.
    weight : float array, shape (k,)
        Of one vote.
    count : float array, shape (k,)
        Votes.
    """

    pairs: Units
    pair: Codes
    result: Codes
    weight: Floats
    count: Floats

    def with_counts(self, count: Floats) -> Units:
        """Return the pairs when there are `count` votes of each kind."""
        u = self.pairs
        key = self.pair * 3 + self.result
        held = np.bincount(key, weights=self.weight * count, minlength=3 * u.a.size)
        wins, losses, ties = held.astype(np.float64).reshape(-1, 3).T
        return Units(u.n_models, u.a, u.b, wins, losses, ties, u.covariates)


@dataclass(frozen=True, slots=True, eq=False)
class SortedVotes:
    """Kinds of votes, and the kind of each row they were made of."""

    kinds: VoteKinds
    place: Codes


def sort_votes(cells: VoteCells, *, position: bool = False) -> SortedVotes:
    """Sort cells into kinds of votes.

    Parameters
    ----------
    cells : VoteCells
        The votes of a row weigh the same, `weight / count` each; rows may repeat.
    position : bool
        Whether being shown first has a coefficient: then the order of a pair matters.
    """
    m = cells.n_models
    turned = np.zeros(cells.a.size, dtype=bool) if position else cells.a > cells.b
    first = np.where(turned, cells.b, cells.a)
    second = np.where(turned, cells.a, cells.b)
    result = np.where(cells.outcome >= 2, 2, np.where(turned, 1 - cells.outcome, cells.outcome))
    weights, weighed = np.unique(cells.weight / cells.count, return_inverse=True)
    key = ((first * m + second) * 3 + result) * weights.size + weighed
    keys, place = np.unique(key, return_inverse=True)
    rest, weighed = np.divmod(keys, weights.size)
    met, result = np.divmod(rest, 3)
    mets, pair = np.unique(met, return_inverse=True)
    count = np.bincount(place, weights=cells.count, minlength=keys.size).astype(np.float64)
    none = np.zeros(mets.size)
    shown = np.ones((mets.size, 1 if position else 0))
    empty = Units(m, mets // m, mets % m, none, none, none, shown)
    kinds = VoteKinds(empty, pair, result, weights[weighed], count)
    full = VoteKinds(kinds.with_counts(count), pair, result, kinds.weight, count)
    return SortedVotes(full, place)


@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """How a board reacts along one contrast.

    Attributes
    ----------
    parameters : float array, shape (p,)
        Of the board.
    inverse : float array, shape (p, p)
        Its inverse information.
    direction : float array, shape (p,)
        `inverse @ contrast`.
    ties : str
    """

    parameters: Floats
    inverse: Floats
    direction: Floats
    ties: TieModel


def moves(kinds: VoteKinds, pull: Pull, *, votes: float) -> Floats:
    """Return by how much a vote of each kind moves the contrast, in one step of Newton's method.

    Parameters
    ----------
    kinds : VoteKinds
        Their counts are not read.
    pull : Pull
    votes : float
        How many votes of the kind come; -1 takes one away. The move is for all of them.

    Returns
    -------
    float array, shape (k,)
    """
    u, ties, pair = kinds.pairs, pull.ties, kinds.pair
    m, has_tie = u.n_models, ties != "half-win"
    z, tail, inverse, direction = u.covariates, u.n_models + has_tie, pull.inverse, pull.direction
    eta, tie = linear(u.a, u.b, z, pull.parameters, ties=ties, n_models=m)
    along = (direction[u.a] - direction[u.b] + z @ direction[tail:])[pair]
    own = _own(u, inverse, tail)[pair]
    won, lost, tied = ((kinds.result == result).astype(np.float64) for result in range(3))
    at = likelihood(ties, eta=eta[pair], tie=tie, wins=won, losses=lost, ties=tied)
    times = votes * kinds.weight
    k11, k12, k22 = times * at.eta_eta, times * at.eta_tie, times * at.tie_tie
    if not has_tie:
        return np.asarray(times * along * at.eta / np.maximum(1.0 + k11 * own, _LEAST))
    cross = (inverse[u.a, m] - inverse[u.b, m] + z @ inverse[tail:, m])[pair]
    # (I + d K L) r = s, two by two
    p11, p12 = 1.0 + k11 * own + k12 * cross, k11 * cross + k12 * inverse[m, m]
    p21, p22 = k12 * own + k22 * cross, 1.0 + k12 * cross + k22 * inverse[m, m]
    determinant = np.maximum(p11 * p22 - p12 * p21, _LEAST)
    by_eta = (p22 * at.eta - p12 * at.tie) / determinant
    by_tie = (p11 * at.tie - p21 * at.eta) / determinant
    return np.asarray(times * (along * by_eta + direction[m] * by_tie), dtype=np.float64)


def _own(u: Units, inverse: Floats, tail: int) -> Floats:
    """Return x'B x of each pair."""
    a, b, z = u.a, u.b, u.covariates
    own = inverse[a, a] + inverse[b, b] - 2.0 * inverse[a, b]
    for j in range(z.shape[1]):
        own = own + 2.0 * z[:, j] * (inverse[a, tail + j] - inverse[b, tail + j])
    own = own + np.einsum("ui,ij,uj->u", z, inverse[tail:, tail:], z)
    return np.asarray(own, dtype=np.float64)
