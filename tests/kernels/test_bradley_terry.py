import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from caveat.kernels.bradley_terry import fit, sandwich
from caveat.kernels.cell_bootstrap import bootstrap
from caveat.kernels.connectivity import is_connected
from caveat.kernels.counts import VoteCounter, win_matrix


def cells_of(rows, m):
    """Cells from (first, second, outcome, count) rows."""
    counter = VoteCounter(m)
    a, b, o, c = np.array(rows).T
    counter.add(a.astype(int), b.astype(int), o.astype(int), count=c.astype(float))
    return counter.cells()


boards = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(1, 30)),
    min_size=6,
    max_size=40,
).map(lambda rows: [r for r in rows if r[0] != r[1]] or [(0, 1, 0, 1)])


def connected(rows, m=4):
    cells = cells_of(rows, m)
    wins = win_matrix(cells, cells.count)
    assume(is_connected(wins))
    return cells, wins


def test_two_models_by_hand():
    # 30 wins to 10: the odds are 3, so theta differs by log 3
    got = fit(np.array([[0.0, 30.0], [10.0, 0.0]]))
    assert got.converged
    assert got.theta[0] - got.theta[1] == pytest.approx(math.log(3), abs=1e-12)
    assert got.theta.sum() == pytest.approx(0, abs=1e-12)


def test_two_models_sandwich_by_hand():
    # p = 3/4. A win leaves residual 1/4, a loss -3/4: meat = 30/16 + 10 * 9/16 = 7.5.
    # Information 40 * 3/16 = 7.5, so the variance of the difference is 7.5 / 7.5**2 = 1 / 7.5.
    cells = cells_of([(0, 1, 0, 30), (0, 1, 1, 10)], 2)
    v = sandwich(cells, fit(win_matrix(cells, cells.count)).theta)
    assert v[0, 0] + v[1, 1] - 2 * v[0, 1] == pytest.approx(1 / 7.5, rel=1e-12)


def test_ties_shrink_the_sandwich_by_hand():
    # 1 win, 1 loss, 2 ties: p = 1/2; residuals 1/2, -1/2, 0, 0: meat 1/2; information 4/4 = 1
    cells = cells_of([(0, 1, 0, 1), (0, 1, 1, 1), (0, 1, 2, 1), (0, 1, 3, 1)], 2)
    v = sandwich(cells, np.zeros(2))
    assert v[0, 0] + v[1, 1] - 2 * v[0, 1] == pytest.approx(0.5, rel=1e-12)


def test_without_ties_and_with_the_model_true_sandwich_is_inverse_information():
    # the average over outcomes of (y - p)^2 is p (1 - p): feed each cell its expected count
    theta = np.array([0.5, 0.1, -0.6])
    rows = []
    for i in range(3):
        for j in range(i + 1, 3):
            p = expit(theta[i] - theta[j])
            rows += [(i, j, 0, 1000 * p), (i, j, 1, 1000 * (1 - p))]
    cells = cells_of(rows, 3)
    assert fit(win_matrix(cells, cells.count)).theta == pytest.approx(theta, abs=1e-10)
    p = expit(theta[:, None] - theta[None, :])
    edge = np.where(np.eye(3), 0, 1000 * p * (1 - p))
    information = np.diag(edge.sum(1)) - edge
    assert sandwich(cells, theta) == pytest.approx(np.linalg.pinv(information), abs=1e-12)


@settings(deadline=None)
@given(boards)
def test_equals_an_independent_solver(rows):
    _, wins = connected(rows)

    def loss(free):
        theta = np.r_[0.0, free]
        return -(wins * log_expit(theta[:, None] - theta[None, :])).sum()

    other = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-9}).x
    theta = fit(wins).theta
    # finite-difference gradients of BFGS reach about 1e-6 of the curvature
    assert theta[1:] - theta[0] == pytest.approx(other, abs=2e-4, rel=2e-4)


@given(boards)
def test_score_equations_hold(rows):
    _, wins = connected(rows)
    got = fit(wins)
    p = expit(got.theta[:, None] - got.theta[None, :])
    left = wins.sum(1) - ((wins + wins.T) * p).sum(1)
    assert got.converged
    # rounding of sums of up to 1,200 votes
    assert np.abs(left).max() < 1e-9 * (wins.sum() + 1)


@given(boards, st.permutations(range(4)))
def test_relabelling_relabels(rows, order):
    cells, wins = connected(rows)
    theta, v = fit(wins).theta, sandwich(cells, fit(wins).theta)
    renamed = cells_of([(order[a], order[b], o, c) for a, b, o, c in rows], 4)
    other = fit(win_matrix(renamed, renamed.count)).theta
    assert other[list(order)] == pytest.approx(theta, abs=1e-8)
    assert sandwich(renamed, other)[np.ix_(order, order)] == pytest.approx(v, abs=1e-6, rel=1e-6)


@given(boards)
def test_swapping_sides_changes_nothing(rows):
    _, wins = connected(rows)
    swap = {0: 1, 1: 0, 2: 2, 3: 3}
    swapped = cells_of([(b, a, swap[o], c) for a, b, o, c in rows], 4)
    assert np.array_equal(win_matrix(swapped, swapped.count), wins)


@given(boards, st.integers(2, 9))
def test_scaling_counts_keeps_ratings_and_shrinks_variance(rows, k):
    # from 30 votes a model on, its residuals speak for themselves
    rows = [(a, b, o, 30 * c) for a, b, o, c in rows]
    cells, wins = connected(rows)
    more = cells_of([(a, b, o, c * k) for a, b, o, c in rows], 4)
    theta = fit(wins).theta
    assert fit(win_matrix(more, more.count)).theta == pytest.approx(theta, abs=1e-8)
    assert sandwich(more, theta) * k == pytest.approx(sandwich(cells, theta), rel=1e-7, abs=1e-9)


def test_a_single_tie_is_no_certainty_by_hand():
    # x and y: 30 wins each, so p = 1/2 and the dispersion of their pair is 1. z ties x once:
    # its own residual is 0. Trust in z is 1/30, dispersion of the board is
    # 60/4 / (60/4 + 1/4) = 60/61, so the pair counts 29/30 * 60/61 * 1/4 and the variance of
    # z - x is that over the squared information (1/4)**2.
    cells = cells_of([(0, 1, 0, 30), (0, 1, 1, 30), (2, 0, 2, 1)], 3)
    v = sandwich(cells, fit(win_matrix(cells, cells.count)).theta)
    want = 29 / 30 * 60 / 61 / 4 / (1 / 4) ** 2
    assert v[2, 2] + v[0, 0] - 2 * v[2, 0] == pytest.approx(want, rel=1e-9)


def test_a_long_chain_of_one_sided_pairs_converges():
    m = 21
    wins = np.zeros((m, m))
    for i in range(m - 1):
        wins[i, i + 1], wins[i + 1, i] = 1e6, 1.0
    got = fit(wins)
    assert got.converged
    assert np.diff(got.theta) == pytest.approx(-math.log(1e6) * np.ones(m - 1), rel=1e-9)


def test_extreme_board_converges():
    # 10 million votes against one that went the other way
    got = fit(np.array([[0.0, 1e7], [1.0, 0.0]]))
    assert got.converged
    assert got.theta[0] - got.theta[1] == pytest.approx(math.log(1e7), rel=1e-9)


def test_bootstrap_refits_equal_full_newton():
    rng = np.random.default_rng(5)
    theta = np.linspace(1, -1, 6)
    rows = []
    for i in range(6):
        for j in range(i + 1, 6):
            won = rng.binomial(60, expit(theta[i] - theta[j]))
            rows += [(i, j, 0, won), (i, j, 1, 60 - won), (j, i, 2, 5)]
    cells = cells_of(rows, 6)
    fitted = fit(win_matrix(cells, cells.count)).theta
    drawn = bootstrap(cells, fitted, replicates=150, rng=np.random.default_rng(1))
    assert drawn.theta.shape == (150, 6)
    assert drawn.failed == 0
    # spread of the replicates is what the sandwich says, within 4 errors of a standard deviation
    se = np.sqrt(np.diag(sandwich(cells, fitted)))
    assert np.abs(drawn.theta.std(axis=0, ddof=1) / se - 1).max() < 4 / math.sqrt(2 * 150)
    assert np.abs(drawn.theta.mean(axis=0) - fitted).max() < 4 * se.max() / math.sqrt(150)


def test_each_bootstrap_replicate_solves_its_own_score_equations():
    cells = cells_of([(0, 1, 0, 9), (1, 2, 0, 7), (2, 0, 0, 5), (0, 1, 1, 3), (2, 1, 2, 4)], 3)
    fitted = fit(win_matrix(cells, cells.count)).theta
    drawn = bootstrap(cells, fitted, replicates=100, rng=np.random.default_rng(2))
    # replay the same draws and fit each by Newton's method
    from caveat.kernels import cell_bootstrap as module

    pairs = module._merge(cells)
    again = np.random.default_rng(2).multinomial(
        round(cells.n_votes), pairs.count.ravel() / pairs.count.sum(), size=100
    )
    kept = []
    for row in again.reshape(100, -1, 3):
        wins = module._matrix(pairs, row[:, 0] + row[:, 2] / 2, row[:, 1] + row[:, 2] / 2)
        if is_connected(wins):
            kept.append(fit(wins).theta)
    assert drawn.failed == 100 - len(kept)
    assert drawn.theta == pytest.approx(np.array(kept), abs=1e-7)


def test_replicates_that_fall_apart_are_counted():
    # one single vote ties model 2 to the board from above: about 1 in e draws lose it
    cells = cells_of([(0, 1, 0, 50), (0, 1, 1, 50), (2, 0, 0, 1), (0, 2, 0, 20)], 3)
    fitted = fit(win_matrix(cells, cells.count)).theta
    drawn = bootstrap(cells, fitted, replicates=400, rng=np.random.default_rng(0))
    share = drawn.failed / 400
    assert abs(share - math.exp(-1)) < 4 * math.sqrt(0.37 * 0.63 / 400)
    assert drawn.theta.shape[0] == 400 - drawn.failed
