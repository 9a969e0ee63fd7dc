import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import expit

from caveat.kernels import paired
from caveat.kernels.clustered import cluster_cells, clustered_meat
from caveat.kernels.connectivity import is_connected
from caveat.kernels.counts import VoteCounter, win_matrix
from caveat.kernels.paired import Units
from caveat.kernels.resampling import cell_bootstrap, cluster_bootstrap
from caveat.kernels.tie_limits import tie_parameter_exists
from caveat.kernels.ties import TIE_MODELS


def board(rows, m, ties="half-win", *, position=False):
    """Cells and fit from (first, second, outcome, count) rows."""
    counter = VoteCounter(m)
    a, b, o, c = np.array(rows).T
    counter.add(a.astype(int), b.astype(int), o.astype(int), count=c.astype(float))
    cells = counter.cells()
    return cells, paired.fit(paired.units_of(cells, position=position), ties=ties)


def six():
    """Six models a third of a logit apart, 66 votes a pair, a fifth of them ties."""
    for i in range(6):
        for j in range(i + 1, 6):
            won = round(48 * expit((j - i) / 3))
            yield from ((i, j, 0, won), (i, j, 1, 48 - won), (i, j, 2, 12), (j, i, 0, 6))


SIX = list(six())


def covariance(cells, fitted, clusters=None):
    if clusters is None:
        return paired.sandwich(cells, fitted)
    slopes = paired.slopes(cells.a, cells.b, cells.outcome, fitted=fitted)
    m = cells.n_models
    meat = clustered_meat(slopes, clusters, n_models=m, has_tie=fitted.has_tie)
    bread = paired.bread(paired.units_of(cells, position=bool(fitted.coefficients.size)), fitted)
    return bread @ meat @ bread


def by_vote(cells, cluster):
    """Clusters of votes, given the cluster of every single vote in the order of the cells."""
    return cluster_cells(
        cells, cluster, place=np.repeat(np.arange(cells.a.size), cells.count.astype(int))
    )


@pytest.mark.parametrize("position", [False, True])
@pytest.mark.parametrize("ties", TIE_MODELS)
def test_spread_of_replicates_is_the_sandwich(ties, position):
    cells, fitted = board(SIX, 6, ties, position=position)
    drawn = cell_bootstrap(cells, fitted, replicates=400, rng=np.random.default_rng(1))
    assert drawn.theta.shape == (400, 6)
    assert drawn.failed == 0
    se = np.sqrt(np.diag(covariance(cells, fitted))[:6])
    # within 4 errors of a standard deviation, and of a mean
    assert np.abs(drawn.theta.std(axis=0, ddof=1) / se - 1).max() < 4 / math.sqrt(2 * 400)
    assert np.abs(drawn.theta.mean(axis=0) - fitted.theta).max() < 4 * se.max() / math.sqrt(400)


@pytest.mark.parametrize("position", [False, True])
@pytest.mark.parametrize("ties", TIE_MODELS)
def test_each_replicate_is_the_fit_of_its_own_votes(ties, position):
    cells, fitted = board(
        [(0, 1, 0, 9), (1, 2, 0, 7), (2, 0, 0, 5), (0, 1, 1, 3), (2, 1, 2, 4), (1, 0, 0, 4),
         (1, 0, 1, 5)], 3, ties, position=position,
    )  # fmt: skip
    drawn = cell_bootstrap(cells, fitted, replicates=150, rng=np.random.default_rng(2))
    # the same draws again, each fitted by Newton's method from scratch
    units = paired.units_of(cells, position=position)
    share = np.stack([units.wins, units.losses, units.ties]).ravel() / cells.n_votes
    again = np.random.default_rng(2)
    counts = np.concatenate([again.multinomial(37, share, size=k) for k in (100, 50)])
    kept = []
    for wins, losses, even in counts.reshape(150, 3, -1).astype(float):
        own = Units(3, units.a, units.b, wins, losses, even, units.covariates)
        beats = np.zeros((3, 3))
        np.add.at(beats, (own.a, own.b), wins + even)
        np.add.at(beats, (own.b, own.a), losses + even)
        if is_connected(beats) and (ties == "half-win" or even.any()):
            got = paired.fit(own, ties=ties)
            if got.converged and np.abs(got.parameters).max() < 9:
                kept.append(got.theta)
    assert len(kept) > 90
    assert drawn.failed == 150 - len(kept)
    assert drawn.theta == pytest.approx(np.array(kept), abs=1e-7)


def test_replicates_that_fall_apart_are_counted():
    # one single vote ties model 2 to the board from above: about 1 in e draws lose it
    cells, fitted = board([(0, 1, 0, 50), (0, 1, 1, 50), (2, 0, 0, 1), (0, 2, 0, 20)], 3)
    drawn = cell_bootstrap(cells, fitted, replicates=400, rng=np.random.default_rng(0))
    share = drawn.failed / 400
    assert abs(share - math.exp(-1)) < 4 * math.sqrt(0.37 * 0.63 / 400)
    assert drawn.theta.shape[0] == 400 - drawn.failed


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_replicates_without_a_tie_parameter_are_counted(ties):
    # one tie among 101 votes: 1 in e draws lose it, and with it the tie parameter
    cells, fitted = board([(0, 1, 0, 60), (0, 1, 1, 40), (0, 1, 2, 1)], 2, ties)
    drawn = cell_bootstrap(cells, fitted, replicates=400, rng=np.random.default_rng(0))
    assert abs(drawn.failed / 400 - math.exp(-1)) < 4 * math.sqrt(0.37 * 0.63 / 400)
    assert np.isfinite(drawn.theta).all()


@pytest.mark.parametrize("ties", TIE_MODELS)
def test_replicates_without_an_advantage_are_counted(ties):
    # y went first in two votes only, of which one was lost: without either the advantage has no
    # bound, and without both it is one with the rating
    rows = [(0, 1, 0, 30), (0, 1, 1, 20), (0, 1, 2, 15), (1, 0, 0, 1), (1, 0, 1, 1)]
    cells, fitted = board(rows, 2, ties, position=True)
    drawn = cell_bootstrap(cells, fitted, replicates=400, rng=np.random.default_rng(0))
    lost = 2 * math.exp(-1) - math.exp(-2)
    assert abs(drawn.failed / 400 - lost) < 4 * math.sqrt(lost * (1 - lost) / 400)
    assert np.isfinite(drawn.theta).all()


# --- clusters ------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [False, True])
@pytest.mark.parametrize("ties", TIE_MODELS)
def test_spread_over_clusters_is_the_clustered_sandwich(ties, position):
    cells, fitted = board(SIX, 6, ties, position=position)
    rng = np.random.default_rng(5)
    n = int(cells.n_votes)
    # 200 clusters of about 5 votes that lean the same way: sorted by outcome before they are cut
    outcome = np.repeat(cells.outcome, cells.count.astype(int))
    rank = np.argsort(np.argsort(outcome + 3 * rng.random(n)))
    clusters = by_vote(cells, rank * 200 // n)
    assert clusters.n_clusters == 200
    drawn = cluster_bootstrap(
        cells, fitted, clusters=clusters, replicates=400, rng=np.random.default_rng(1)
    )
    se = np.sqrt(np.diag(covariance(cells, fitted, clusters))[:6])
    # the sandwich counts G / (G - 1), the bootstrap does not
    spread = drawn.theta.std(axis=0, ddof=1) * math.sqrt(200 / 199)
    assert drawn.failed == 0
    assert np.abs(spread / se - 1).max() < 4 / math.sqrt(2 * 400)


@pytest.mark.parametrize("ties", TIE_MODELS)
def test_votes_that_stand_alone_are_clusters_of_one(ties):
    cells, fitted = board(SIX, 6, ties)
    n = int(cells.n_votes)
    alone = by_vote(cells, np.full(n, -1))
    named = by_vote(cells, np.arange(n))
    assert alone.n_clusters == named.n_clusters == n
    se = np.sqrt(np.diag(covariance(cells, fitted))[:6])
    for clusters in (alone, named):
        drawn = cluster_bootstrap(
            cells, fitted, clusters=clusters, replicates=300, rng=np.random.default_rng(1)
        )
        assert np.abs(drawn.theta.std(axis=0, ddof=1) / se - 1).max() < 4 / math.sqrt(2 * 300)


def test_a_cluster_is_drawn_whole():
    # two clusters: model 1 of 3 wins the votes of one, loses those of the other; a draw of two
    # holds the first twice, the second twice, or both
    cells, fitted = board([(0, 1, 0, 10), (0, 1, 1, 10)], 2)
    clusters = by_vote(cells, np.repeat([0, 1], 10))
    drawn = cluster_bootstrap(
        cells, fitted, clusters=clusters, replicates=200, rng=np.random.default_rng(3)
    )
    assert drawn.theta == pytest.approx(0, abs=1e-9)
    assert abs(drawn.failed / 200 - 0.5) < 4 * math.sqrt(0.25 / 200)


rows = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(-1, 6)),
    min_size=12,
    max_size=60,
).map(lambda rows: [r for r in rows if r[0] != r[1]] or [(0, 1, 0, 1)])


@settings(deadline=None, max_examples=25)
@given(rows, st.sampled_from(TIE_MODELS))
def test_any_board_has_replicates_or_counts_them(votes, ties):
    a, b, outcome, cluster = np.array(votes).T
    counter = VoteCounter(4)
    counter.add(a, b, outcome)
    cells = counter.cells()
    assume(is_connected(win_matrix(cells, cells.count)))
    assume(ties == "half-win" or tie_parameter_exists(cells))
    fitted = paired.fit(paired.units_of(cells), ties=ties)
    key = (cells.a * 4 + cells.b) * 4 + cells.outcome
    clusters = cluster_cells(cells, cluster, place=np.searchsorted(key, (a * 4 + b) * 4 + outcome))
    one = cell_bootstrap(cells, fitted, replicates=40, rng=np.random.default_rng(0))
    other = cluster_bootstrap(
        cells, fitted, clusters=clusters, replicates=40, rng=np.random.default_rng(0)
    )
    for drawn in (one, other):
        assert drawn.theta.shape == (40 - drawn.failed, 4)
        assert np.isfinite(drawn.theta).all()
        assert np.abs(drawn.theta).max(initial=0) < 30
