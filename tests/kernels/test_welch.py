import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.oneway import anova_oneway

from caveat.kernels.welch import welch_test


def of(groups):
    return welch_test(
        np.array([g.mean() for g in groups]),
        np.array([stats.sem(g) for g in groups]),
        np.array([g.size - 1.0 for g in groups]),
    )


def test_two_means_by_hand():
    # means 1 and 3, errors 1 and 1, 4 df each: F = t^2 = 4 / 2, weights of one half
    got = welch_test(np.array([1.0, 3.0]), np.array([1.0, 1.0]), np.array([4.0, 4.0]))
    assert got.f == pytest.approx(2.0)
    # 3 / (3 (1/16 + 1/16)) = 8 degrees of freedom
    assert got.df_within == pytest.approx(8.0)
    assert got.p == pytest.approx(2 * stats.t.sf(math.sqrt(2), 8))


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_statsmodels(seed, k):
    rng = np.random.default_rng(seed)
    groups = [rng.normal(size=n) * n for n in rng.integers(5, 20, k)]
    got, want = of(groups), anova_oneway(groups, use_var="unequal", welch_correction=True)
    assert got.f == pytest.approx(want.statistic)
    assert got.p == pytest.approx(want.pvalue)
    turned = of(groups[::-1])
    assert turned.p == pytest.approx(got.p)


def test_equal_means_and_one_mean():
    same = welch_test(np.array([2.0, 2.0, 2.0]), np.ones(3), np.full(3, 9.0))
    assert (same.f, same.p) == (0.0, 1.0)
    one = welch_test(np.array([2.0, 1.0]), np.array([1.0, math.nan]), np.array([3.0, 3.0]))
    assert math.isnan(one.p)
    assert one.n_means == 1
    flat = welch_test(np.array([2.0, 1.0]), np.array([1.0, 0.0]), np.array([3.0, 3.0]))
    assert math.isnan(flat.p)  # a mean without spread cannot be weighed


@pytest.mark.slow
def test_level_with_right_and_wrong():
    rng, reps, found = np.random.default_rng(20240616), 3_000, 0
    for _ in range(reps):
        groups = [rng.choice([-1.0, 0.0, 1.0], n, p=[0.15, 0.65, 0.2]) for n in (30, 60, 200, 500)]
        found += of(groups).p < 0.05
    assert abs(found / reps - 0.05) < 0.005 + 4 * math.sqrt(0.05 * 0.95 / reps)
