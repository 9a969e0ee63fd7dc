"""Do groups of voters rank alike? A score test whose errors are those of voters, not of votes.

Notation: S_v is the score of voter v at ratings fitted to all groups together, U_g the sum over
group g, A_v and A_g the information in the votes of a voter and of a group, A that of all. The
statistic is the sum of U_g' A_g^+ U_g, Rao's score statistic against ratings of their own for each
group. With many votes from few voters it is far from a chi-square. Its distribution under common
ratings is found by giving the score of each voter a random sign, less what refitting the common
ratings would take away: the score bootstrap of Kline and Santos (2012),
https://doi.org/10.1515/2156-6674.1006. A busy voter draws the common ratings to itself and makes
its own score small, so the scores that get signs are those at ratings fitted without the voter,
(I - A_v A^+)^-1 S_v: MacKinnon, Nielsen and Webb (2023), https://doi.org/10.1002/jae.2969.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from caveat.kernels.laplacian import laplacian

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.integer]

_SIGNS = 10_000_000
"""Random signs held at a time."""
_LEVERAGE = 0.02
"""Share of the information on any contrast below which leaving a voter out changes nothing."""
_ALONE = 1e-6
"""Keeps voters who alone fix a rating from dividing nothing by nothing."""


@dataclass(frozen=True, slots=True)
class ScoreTest:
    """Test of common ratings.

    Attributes
    ----------
    statistic : float
    degrees : int
        Parameters that the groups have beyond common ratings; the mean of the statistic if each
        vote were cast by a voter of its own.
    p : float
        At least 1 / (replicates + 1).
    expected : float
        Mean of the statistic over the replicates: what voters of like mind would give.
    replicates : int
    """

    statistic: float
    degrees: int
    p: float
    expected: float
    replicates: int


@dataclass(frozen=True, slots=True, eq=False)
class Decisive:
    """Decisive votes of g voters on k pairs of m models, at common ratings.

    Attributes
    ----------
    a, b : int array, shape (k,)
        Models of each pair.
    slope : float array, shape (k,)
        What a vote for `a` adds to the score of `a`: one less its chance.
    wins, losses : sparse array, shape (g, k)
        Votes of each voter for `a` and for `b`.
    n_models : int
    """

    a: Codes
    b: Codes
    slope: Floats
    wins: csr_array
    losses: csr_array
    n_models: int

    @property
    def curvature(self) -> Floats:
        """Information in one vote on each pair."""
        return self.slope * (1.0 - self.slope)

    def scores(self) -> csr_array:
        """Score of each voter by each rating; shape (g, m)."""
        k, one = self.a.size, np.ones(self.a.size)
        ends = csr_array(
            (np.r_[one, -one], (np.r_[0:k, 0:k], np.r_[self.a, self.b])), shape=(k, self.n_models)
        )
        won = self.wins.multiply(self.slope[None, :])
        lost = self.losses.multiply(1.0 - self.slope[None, :])
        return csr_array((won - lost) @ ends)

    def information(self, number: Floats) -> Floats:
        """Information in so many votes on each pair; a Laplacian of shape (m, m)."""
        m = self.n_models
        edge: Floats = np.zeros((m, m))
        np.add.at(edge, (self.a, self.b), number * self.curvature)
        return laplacian(edge + edge.T)


def score_test(
    votes: Decisive, group: Codes, *, replicates: int, rng: np.random.Generator
) -> ScoreTest:
    """Test whether groups of voters share their ratings.

    Parameters
    ----------
    votes : Decisive
        At ratings fitted to all its votes.
    group : int array, shape (g,)
        Group of each voter, from 0 without gaps.
    replicates : int
    rng : Generator
    """
    scores, number = votes.scores(), (votes.wins + votes.losses).tocsr()
    groups = range(int(group.max()) + 1)
    inside = [np.flatnonzero(group == g) for g in groups]
    information = [votes.information(np.asarray(number[rows].sum(axis=0))) for rows in inside]
    whole = np.sum(information, axis=0)
    inverse = np.linalg.pinv(whole, hermitian=True)
    roots = [_inverse_root(matrix) for matrix in information]
    shares = [matrix @ inverse for matrix in information]
    sums = [np.asarray(scores[rows].sum(axis=0))[None, :] for rows in inside]
    statistic = float(_statistic(sums, roots)[0])
    without = left_out(votes, scores, number, inverse)
    drawn = []
    batch = max(1, _SIGNS // group.size)
    for start in range(0, replicates, batch):
        size = min(batch, replicates - start)
        signed = [_signed(without[rows], size, rng) for rows in inside]
        total = np.sum(signed, axis=0)
        fitted = [one - total @ share.T for one, share in zip(signed, shares, strict=True)]
        drawn.append(_statistic(fitted, roots))
    values = np.concatenate(drawn)
    # Equal boards give equal statistics up to rounding.
    slack = 1e-9 * max(statistic, float(values.mean()))
    reached = int((values >= statistic - slack).sum())
    rank = sum(root.shape[1] for root in roots) - _inverse_root(whole).shape[1]
    return ScoreTest(
        statistic=statistic,
        degrees=rank,
        p=(1 + reached) / (1 + replicates),
        expected=float(values.mean()),
        replicates=replicates,
    )


def left_out(votes: Decisive, scores: csr_array, number: csr_array, inverse: Floats) -> csr_array:
    """Scores of voters at ratings fitted without them, to first order; sparse, shape (g, m).

    Parameters
    ----------
    votes : Decisive
    scores : sparse array, shape (g, m)
    number : sparse array, shape (g, k)
        Votes of each voter on each pair.
    inverse : float array, shape (m, m)
        Of the information in all votes.
    """
    a, b, m = votes.a, votes.b, votes.n_models
    spread = inverse[a, a] + inverse[b, b] - 2.0 * inverse[a, b]
    leverage = number @ (votes.curvature * spread)
    busy = np.flatnonzero(leverage >= _LEVERAGE)
    made = np.asarray(scores[busy].toarray(), dtype=np.float64)
    for place, voter in enumerate(busy):
        own = votes.information(number[[voter]].toarray()[0])
        made[place] = np.linalg.solve(np.eye(m) - (1.0 - _ALONE) * own @ inverse, made[place])
    keep = csr_array(scores.multiply((leverage < _LEVERAGE)[:, None]))
    shape = (scores.shape[0], busy.size)
    spot = csr_array((np.ones(busy.size), (busy, np.arange(busy.size))), shape=shape)
    return csr_array(keep + spot @ csr_array(made))


def _inverse_root(matrix: Floats) -> Floats:
    """R with R R' = the pseudo-inverse; shape (m, rank)."""
    values, vectors = np.linalg.eigh(matrix)
    kept = values > 1e-10 * max(float(values[-1]), 1e-300)
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]), dtype=np.float64)


def _statistic(sums: list[Floats], roots: list[Floats]) -> Floats:
    """Return the statistic of each row."""
    parts = [((one @ root) ** 2).sum(axis=1) for one, root in zip(sums, roots, strict=True)]
    return np.asarray(np.sum(parts, axis=0), dtype=np.float64)


def _signed(scores: csr_array, size: int, rng: np.random.Generator) -> Floats:
    """Return sums of scores with random signs; shape (size, m)."""
    sign = rng.integers(0, 2, (size, scores.shape[0]), dtype=np.int8) * 2.0 - 1.0
    return np.asarray((scores.T @ sign.T).T, dtype=np.float64)
