import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm, studentized_range, t

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


def test_two_models_are_best_as_the_normal_says():
    # chance that N(0.8, 1 + 4 - 2 * 0.5 = 4) is above 0: Phi(0.4) = 0.6554
    covariance = np.array([[1.0, 0.5], [0.5, 4.0]])
    got = rank_sets(np.array([0.8, 0.0]), covariance, level=0.95, rng=rng()).best
    exact = norm.cdf(0.4)
    # four binomial errors of 10,000 draws
    assert got[0] == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 10_000))
    assert got.sum() == pytest.approx(1, abs=1e-12)


def test_three_models_are_best_as_integration_says():
    # P(i is best) is the integral over its value of its density times the others' distributions
    theta, sd = np.array([0.5, 0.2, -0.4]), np.array([0.6, 0.9, 1.4])
    got = rank_sets(theta, np.diag(sd**2), level=0.95, rng=rng()).best
    for i in range(3):
        others = [j for j in range(3) if j != i]

        def density(x, i=i, others=others):
            below = math.prod(norm.cdf(x, theta[j], sd[j]) for j in others)
            return norm.pdf(x, theta[i], sd[i]) * below

        exact = quad(density, -12, 12, epsabs=1e-10, limit=200)[0]
        assert got[i] == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 10_000))


def test_equal_models_share_the_chance_and_a_far_one_has_it_all():
    got = rank_sets(np.zeros(5), np.eye(5), level=0.95, rng=rng()).best
    assert got == pytest.approx(0.2, abs=4 * math.sqrt(0.2 * 0.8 / 10_000))
    got = rank_sets(np.array([60.0, 0, 0]), np.eye(3), level=0.95, rng=rng()).best
    assert got.tolist() == [1, 0, 0]


def test_without_errors_nobody_knows_the_best():
    got = rank_sets(np.array([1.0, 0.0]), np.zeros((2, 2)), level=0.95, rng=rng())
    assert np.isnan(got.best).all()
    got = rank_sets(np.array([1.0, 0.0]), np.full((2, 2), np.nan), level=0.95, rng=rng())
    assert np.isnan(got.best).all()
    assert math.isnan(got.critical)


def test_degrees_of_freedom_bring_the_critical_value_to_students_t():
    one = rank_sets(np.zeros(2), np.eye(2), level=0.95, rng=rng())
    few = rank_sets(np.zeros(2), np.eye(2), level=0.95, rng=rng(), degrees=10)
    # two models: from 1.96 to t with 10 degrees, 2.228; the tail of the simulated value is kept
    assert t.sf(few.critical, 10) == pytest.approx(norm.sf(one.critical), rel=1e-9)
    assert few.critical == pytest.approx(t.ppf(0.975, 10), abs=0.05)
    many = rank_sets(np.zeros(2), np.eye(2), level=0.95, rng=rng(), degrees=1e9)
    assert many.critical == pytest.approx(one.critical, abs=1e-6)
