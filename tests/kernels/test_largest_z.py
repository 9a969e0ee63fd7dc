import numpy as np
import pytest
from scipy.stats import norm, t

from caveat.kernels.largest_z import largest_z

DRAWS = 200_000


def test_one_estimate_is_students_t():
    drawn = largest_z(np.array([[4.0]]), degrees=7, rng=np.random.default_rng(1), draws=DRAWS)
    # quantiles of 200,000 draws are known to about 0.01
    assert np.quantile(drawn, 0.95) == pytest.approx(t.ppf(0.975, 7), abs=0.03)


def test_independent_estimates_by_the_product_of_their_chances():
    drawn = largest_z(
        np.diag([1.0, 9.0, 0.25]), degrees=1e9, rng=np.random.default_rng(2), draws=DRAWS
    )
    # P(all three |z| < c) = 0.95 where one has 0.95**(1/3)
    want = norm.ppf((1 + 0.95 ** (1 / 3)) / 2)
    assert np.quantile(drawn, 0.95) == pytest.approx(want, abs=0.02)


def test_equal_estimates_count_once():
    drawn = largest_z(np.ones((5, 5)), degrees=1e9, rng=np.random.default_rng(3), draws=DRAWS)
    assert np.quantile(drawn, 0.95) == pytest.approx(norm.ppf(0.975), abs=0.02)


def test_scale_does_not_matter():
    base = np.array([[2.0, 0.5], [0.5, 1.0]])
    scale = np.diag([10.0, 0.1])
    one, other = (
        largest_z(c, degrees=9, rng=np.random.default_rng(4), draws=DRAWS)
        for c in (base, scale @ base @ scale)
    )
    assert np.quantile(one, [0.5, 0.9]) == pytest.approx(np.quantile(other, [0.5, 0.9]), abs=0.03)
