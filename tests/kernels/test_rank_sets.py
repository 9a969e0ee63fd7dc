import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, studentized_range

from caveat.kernels.rank_sets import critical_value, difference_errors, rank_sets


def rng():
    return np.random.default_rng(0)


def test_two_models_need_the_textbook_value():
    # one pair: the critical value is the two-sided normal quantile
    got = critical_value(np.diag([1.0, 1.0]), level=0.95, rng=rng(), draws=200_000)
    assert got == pytest.approx(norm.ppf(0.975), abs=0.02)


@pytest.mark.parametrize("m", [3, 10])
def test_equal_independent_errors_are_tukeys_range(m):
    # max |z_i - z_j| / sqrt(2) is the studentized range over sqrt(2)
    exact = studentized_range.ppf(0.95, m, np.inf) / math.sqrt(2)
    got = critical_value(np.eye(m), level=0.95, rng=rng(), draws=100_000)
    # density of the maximum near its 95 % point is about 0.12: 4 errors of a simulated quantile
    assert got == pytest.approx(exact, abs=4 * math.sqrt(0.95 * 0.05 / 100_000) / 0.12)


def test_far_apart_models_get_one_rank_each():
    got = rank_sets(np.array([10.0, 0.0, -10.0]), np.eye(3) * 0.01, level=0.95, rng=rng())
    assert got.low.tolist() == got.high.tolist() == got.tier.tolist() == [1, 2, 3]


def test_equal_models_share_all_ranks():
    got = rank_sets(np.zeros(4), np.eye(4), level=0.95, rng=rng())
    assert got.low.tolist() == [1] * 4
    assert got.high.tolist() == [4] * 4
    assert got.tier.tolist() == [1] * 4


def test_tiers_are_anchored_on_their_best_model():
    # errors of differences are 1; critical value of three is about 2.34: 0-1 and 1-2 are 2 apart,
    # 0-2 are 4 apart. Model 1 is not separable from the leader, model 2 is.
    got = rank_sets(np.array([4.0, 2.0, 0.0]), np.eye(3) * 0.5, level=0.95, rng=rng())
    assert got.tier.tolist() == [1, 1, 2]
    assert got.low.tolist() == [1, 1, 2]
    assert got.high.tolist() == [2, 3, 3]


def test_no_variation_separates_nothing():
    got = rank_sets(np.array([1.0, 0.0]), np.zeros((2, 2)), level=0.95, rng=rng())
    assert math.isnan(got.critical)
    assert got.low.tolist() == [1, 1]
    assert got.high.tolist() == [2, 2]


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=6), st.randoms())
def test_relabelling_and_shifting(theta, random):
    values = np.array(theta) * 4
    m = values.size
    order = list(range(m))
    random.shuffle(order)
    one = rank_sets(values, np.eye(m), level=0.95, rng=rng())
    other = rank_sets(values[order] + 7, np.eye(m), level=0.95, rng=rng())
    near = np.abs(np.abs(values[:, None] - values[None, :]) / math.sqrt(2) - one.critical)
    if near.min() > 0.1:  # else the simulated critical value itself may decide
        assert other.low.tolist() == one.low[order].tolist()
        assert other.high.tolist() == one.high[order].tolist()
    assert (one.low <= one.high).all()


def test_difference_errors_by_hand():
    # var 4 + 9 - 2 * 1 = 11
    got = difference_errors(np.array([[4.0, 1.0], [1.0, 9.0]]))
    assert got[0, 1] == pytest.approx(math.sqrt(11))
    assert math.isnan(got[0, 0])
