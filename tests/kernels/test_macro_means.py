import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from caveat.kernels.macro_means import macro_means
from caveat.kernels.means import column_means


def one(values, group, cluster=None, level=0.95):
    return macro_means(
        np.array(values, dtype=float)[:, None],
        group=np.array(group),
        cluster=None if cluster is None else np.array(cluster),
        level=level,
    )


def test_by_hand():
    # tasks {2, 4} and {1, 2, 6}: means 3 and 3, variances of them 2/2 = 1 and 7/3
    # macro 3, error sqrt(1 + 7/3) / 2; Welch's df = (10/3)^2 / (1/1 + (7/3)^2 / 2) = 2.985
    got = one([2, 4, 1, 2, 6], [0, 0, 1, 1, 1])
    assert got.mean[0] == 3
    assert got.se[0] == pytest.approx(math.sqrt(10 / 3) / 2)
    assert got.df[0] == pytest.approx((10 / 3) ** 2 / (1 + 49 / 18))
    assert got.high[0] - 3 == pytest.approx(stats.t.ppf(0.975, got.df[0]) * got.se[0])


@given(st.lists(st.integers(16, 48), min_size=2, max_size=9), st.integers(2, 4))
def test_one_group_collapses_to_the_plain_mean(values, level):
    got = one(np.array(values) / 8, [5] * len(values), level=1 - level / 20)
    plain = column_means(np.array(values)[:, None] / 8, cluster=None, level=1 - level / 20)
    for name in ("mean", "se", "low", "high"):
        assert getattr(got, name) == pytest.approx(getattr(plain, name), nan_ok=True, abs=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_order_of_rows_and_names_of_groups_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    values, group = rng.normal(size=12), np.arange(12) % 3
    mixed = rng.permutation(12)
    names = np.array([9, 4, 7])
    a, b = one(values, group, group), one(values[mixed], names[group][mixed], group[mixed])
    assert b.se == pytest.approx(a.se)
    assert b.mean == pytest.approx(a.mean)


def test_two_groups_are_the_welch_test_of_scipy():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=8), rng.normal(size=15) * 3
    got = one(np.r_[x, -y], [0] * 8 + [1] * 15)
    interval = stats.ttest_ind(x, y, equal_var=False).confidence_interval(0.95)
    # the mean of x and -y is half their difference
    assert (2 * got.low[0], 2 * got.high[0]) == pytest.approx((interval.low, interval.high))


def test_groups_that_are_clusters_are_the_mean_of_their_means():
    # means 1, 2, 6 of one, two and three rows: mean 3, error sd / sqrt(3) with 2 df
    got = one([1, 2, 2, 6, 6, 6], [0, 1, 1, 2, 2, 2], cluster=[0, 1, 1, 2, 2, 2])
    assert got.mean[0] == 3
    assert got.se[0] == pytest.approx(np.std([1, 2, 6], ddof=1) / math.sqrt(3))
    assert got.df[0] == pytest.approx(2)


def test_clusters_within_groups_widen_it():
    values = np.repeat([0.0, 1.0, 1.0, 0.0, 1.0, 0.0], 4) + 2
    group, cluster = np.repeat([0, 1], 12), np.repeat(np.arange(6), 4)
    apart, together = one(values, group), one(values, group, cluster)
    # each group: three clusters of one size; cluster means 2, 3, 3: variance 1/3, error^2 1/9
    assert together.se[0] == pytest.approx(math.sqrt(2 / 9) / 2)
    assert together.df[0] == pytest.approx(4)
    assert apart.se[0] < together.se[0]
    assert together.n_clusters[0] == 6


def test_a_column_without_a_group_has_no_macro_mean():
    scores = np.array([[1.0, 1.0], [0.0, 0.0], [1.0, np.nan], [0.0, np.nan]])
    got = macro_means(scores, group=np.array([0, 0, 1, 1]), cluster=None, level=0.95)
    assert got.lacking.tolist() == [0, 1]
    assert got.mean[0] == 0.5
    assert math.isnan(got.mean[1])
    assert math.isnan(got.low[1])


def test_edges():
    assert math.isnan(one([1, 1, 1, 1], [0, 0, 1, 1]).se[0])  # no spread
    assert math.isnan(one([1, 0, 1], [0, 0, 1]).se[0])  # a group of one row
    got = one([math.nan, math.nan], [0, 1])
    assert (got.n[0], math.isnan(got.mean[0])) == (0, True)
    left = one([1, 0, 5, 5], [0, 0, -1, -1])  # rows of no group
    assert (left.mean[0], left.n[0]) == (0.5, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "least"), [((30, 60, 200), 0.945), ((10, 30, 200), 0.93)])
def test_coverage(sizes, least):
    rng, reps = np.random.default_rng(20240609), 10_000
    p, group = np.array([0.3, 0.5, 0.8]), np.repeat(np.arange(3), sizes)
    scores = (rng.random((group.size, reps)) < p[group][:, None]).astype(float)
    got = macro_means(scores, group=group, cluster=None, level=0.95)
    hits = ((got.low <= p.mean()) & (p.mean() <= got.high)).mean()
    # right and wrong answers to ten items of a task are lumpy: a little less is held
    assert least - 4 * math.sqrt(0.95 * 0.05 / reps) < hits < 0.96
