import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.connections import (
    cut_models,
    network,
    path,
    resistances,
    weakest_split,
)
from caveat.kernels.connectivity import is_connected


def edges(m, *weighted):
    w = np.zeros((m, m))
    for i, j, value in weighted:
        w[i, j] = w[j, i] = value
    return w


def random_board(seed, m, met=0.5):
    rng = np.random.default_rng(seed)
    chain = edges(m, *((i, i + 1, 1.0) for i in range(m - 1)))
    more = np.triu(rng.integers(1, 50, (m, m)) * (rng.random((m, m)) < met), 1)
    return chain + more + more.T


def test_in_series_and_in_parallel():
    # 0 - 1 - 2 with information 2 and 3, and 0 - 2 directly with 1: the way round has variance
    # 1/2 + 1/3 = 5/6, information 6/5; together 11/5, so R = 5/11 and 5/11 of it is direct
    board = network(edges(3, (0, 1, 2.0), (1, 2, 3.0), (0, 2, 1.0)))
    found = path(board, 0, 2)
    assert found.resistance == pytest.approx(5 / 11)
    assert found.direct == pytest.approx(5 / 11)
    assert found.through == pytest.approx([0, 6 / 11, 0])
    # the current is 6/11 round and 5/11 direct: parts f^2 / w / R
    assert found.share[0, 2] == pytest.approx((5 / 11) ** 2 / 1 / (5 / 11))
    assert found.share[0, 1] == pytest.approx((6 / 11) ** 2 / 2 / (5 / 11))
    assert found.share[1, 2] == pytest.approx((6 / 11) ** 2 / 3 / (5 / 11))


def test_a_chain_passes_through_everyone_in_between():
    board = network(edges(4, (0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)))
    found = path(board, 0, 3)
    assert found.resistance == pytest.approx(3)
    assert found.direct == 0
    assert found.through == pytest.approx([0, 1, 1, 0])


@given(st.integers(0, 10_000), st.integers(2, 15))
def test_direct_shares_add_up_to_one_less_than_the_models(seed, m):
    # Foster (1949): the sum of w R over the edges of a connected graph
    w = random_board(seed, m)
    assert (w * resistances(network(w))).sum() / 2 == pytest.approx(m - 1)


@given(st.integers(0, 10_000), st.integers(3, 12))
def test_shares_add_up_and_order_does_not_matter(seed, m):
    w = random_board(seed, m)
    board = network(w)
    found, back = path(board, 0, m - 1), path(board, m - 1, 0)
    assert np.triu(found.share).sum() == pytest.approx(1)
    assert back.resistance == pytest.approx(found.resistance)
    assert back.share == pytest.approx(found.share, abs=1e-9)
    assert (found.through <= 1 + 1e-9).all()
    assert found.resistance == pytest.approx(resistances(board)[0, m - 1])
    more = path(network(3 * w), 0, m - 1)
    assert more.resistance == pytest.approx(found.resistance / 3)
    assert more.through == pytest.approx(found.through, abs=1e-9)


def test_resistance_is_the_variance_of_a_weighted_least_squares_difference():
    # the outside view: statsmodels' covariance of a regression of differences on models
    sm = pytest.importorskip("statsmodels.api")
    w = random_board(4, 6)
    i, j = np.nonzero(np.triu(w))
    design = np.zeros((i.size, 6))
    design[np.arange(i.size), i], design[np.arange(i.size), j] = 1, -1
    fit = sm.WLS(np.zeros(i.size), design[:, 1:], weights=w[i, j]).fit()
    covariance = np.asarray(fit.normalized_cov_params)
    want = covariance[1, 1] + covariance[3, 3] - 2 * covariance[1, 3]
    assert resistances(network(w))[2, 4] == pytest.approx(want)


def test_two_camps_with_few_votes_between_them():
    # two full groups of 4 with 100 votes a pair (600 within each) and 12 votes across
    w = np.zeros((8, 8))
    w[:4, :4] = w[4:, 4:] = 100 * (1 - np.eye(4))
    w[0, 4] = w[4, 0] = 12
    found = weakest_split(w)
    assert found.members.size == 4
    assert found.across == pytest.approx(12)
    assert found.share == pytest.approx(12 / (2 * 600 + 12))


def test_a_split_leaves_two_models_on_either_side():
    # model 3 hangs on by one vote, but that is one model and not a group
    w = 50 * (1 - np.eye(5))
    w[3] = w[:, 3] = 0
    w[3, 0] = w[0, 3] = 1
    found = weakest_split(w)
    assert 2 <= found.members.size <= 3
    assert weakest_split(w[:3, :3]) is None


@given(st.integers(0, 10_000), st.integers(4, 12))
def test_a_split_is_what_it_says_and_names_do_not_matter(seed, m):
    w = random_board(seed, m)
    found = weakest_split(w)
    inside = np.zeros(m, dtype=bool)
    inside[found.members] = True
    assert 2 <= inside.sum() <= m - 2
    across = w[np.ix_(inside, ~inside)].sum()
    assert found.across == pytest.approx(across)
    assert found.share == pytest.approx(across / w[inside].sum())
    assert w[inside].sum() <= w[~inside].sum() + 1e-9
    order = np.random.default_rng(seed).permutation(m)
    assert weakest_split(w[np.ix_(order, order)]).share == pytest.approx(found.share)
    assert weakest_split(5 * w).share == pytest.approx(found.share)


@given(st.integers(0, 10_000), st.integers(4, 9))
def test_a_split_lies_between_the_bounds_of_its_eigenvalue(seed, m):
    # no cut has less than half the second eigenvalue (Cheeger); the best of groups of two or more
    # by enumeration is the least that a sweep over such groups can find
    w = random_board(seed, m, met=0.3)
    degree = w.sum(axis=1)
    second = np.linalg.eigvalsh(np.eye(m) - w / np.sqrt(np.outer(degree, degree)))[1]
    best = 1.0
    for code in range(1, 2 ** (m - 1)):
        inside = np.array([(code >> k) & 1 for k in range(m)], dtype=bool)
        if 2 <= inside.sum() <= m - 2:
            across = w[np.ix_(inside, ~inside)].sum()
            best = min(best, across / min(w[inside].sum(), w[~inside].sum()))
    assert second / 2 - 1e-12 <= best <= weakest_split(w).share + 1e-12


def test_models_that_hold_others():
    # 0-1-2 all met, 2-3, and 3-4-5 all met: 2 holds {3,4,5}, 3 holds {0,1,2} or ties
    met = edges(6, (0, 1, 1), (1, 2, 1), (0, 2, 1), (2, 3, 1), (3, 4, 1), (4, 5, 1), (3, 5, 1)) > 0
    assert [(k, rest.tolist()) for k, rest in cut_models(met)] == [(2, [0, 1]), (3, [4, 5])]


def test_a_star_is_held_by_its_centre_and_a_circle_by_nobody():
    star = edges(5, *((2, k, 1) for k in (0, 1, 3, 4))) > 0
    assert [(k, rest.size) for k, rest in cut_models(star)] == [(2, 3)]
    circle = edges(5, *((k, (k + 1) % 5, 1) for k in range(5))) > 0
    assert cut_models(circle) == ()
    assert cut_models(edges(2, (0, 1, 1)) > 0) == ()


@given(st.integers(0, 10_000), st.integers(2, 12))
def test_cut_models_equal_leaving_each_out(seed, m):
    met = random_board(seed, m, met=0.1) > 0
    want = []
    for k in range(m):
        rest = np.delete(np.arange(m), k)
        if m > 2 and not is_connected(met[np.ix_(rest, rest)].astype(float)):
            want.append(k)
    assert [k for k, _ in cut_models(met)] == want
