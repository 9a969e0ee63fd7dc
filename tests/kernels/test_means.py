import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from caveat.kernels.means import column_means, exact_share, wilson_share

# neither shares, which are cut to 0..1, nor right and wrong, which have exact intervals
columns = st.lists(st.integers(32, 96).map(lambda k: k / 16), min_size=2, max_size=30)


def one(values, cluster=None, level=0.95):
    scores = np.array(values, dtype=float)[:, None]
    return column_means(scores, cluster=None if cluster is None else np.array(cluster), level=level)


def test_three_clusters_by_hand():
    # mean 3/4; cluster sums of deviations: -1/2, 1/4, 1/4 -> squares 1/4, 1/16, 1/16
    # shares of the rows 1/2, 1/4, 1/4: variance = (1/2 + 1/12 + 1/12) / 16 = 1/24
    got = one([1, 0, 1, 1], cluster=[0, 0, 1, 2])
    assert got.se[0] == pytest.approx(math.sqrt(1 / 24), rel=1e-12)
    assert got.df[0] == pytest.approx(1.8)  # see test_cluster_sums
    assert got.n_clusters[0] == 3


@given(columns)
def test_without_clusters_it_is_the_textbook_interval(values):
    got = one(values)
    if len(set(values)) > 1:
        mean, se = np.mean(values), stats.sem(values)
        low, high = stats.t.interval(0.95, len(values) - 1, loc=mean, scale=se)
        assert got.se[0] == pytest.approx(se, rel=1e-9, abs=1e-15)
        assert (got.low[0], got.high[0]) == pytest.approx((low, high), rel=1e-9, abs=1e-12)


@given(columns)
def test_singleton_clusters_collapse_to_none(values):
    assert one(values, cluster=range(len(values))).se == pytest.approx(
        one(values).se, nan_ok=True, abs=1e-15
    )


@given(columns, st.integers(0, 2**32 - 1))
def test_row_order_does_not_matter(values, seed):
    cluster = np.arange(len(values)) % 3
    order = np.random.default_rng(seed).permutation(len(values))
    a, b = one(values, cluster), one(np.array(values)[order], cluster[order])
    assert b.se == pytest.approx(a.se, nan_ok=True, abs=1e-12)


def test_clustered_errors_equal_statsmodels():
    rng = np.random.default_rng(3)
    cluster = rng.permutation(np.arange(90) % 15)
    y = rng.normal(size=15)[cluster] + rng.normal(size=90)
    other = sm.OLS(y, np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": cluster})
    # with clusters of one size the factor is the peer's G / (G - 1)
    assert one(y, cluster).se[0] == pytest.approx(other.bse[0], rel=1e-12)


def test_missing_scores_are_left_out_not_zero():
    got = column_means(np.array([[1.0, np.nan], [0.0, 1.0], [1.0, 0.5]]), cluster=None, level=0.9)
    assert got.mean.tolist() == pytest.approx([2 / 3, 0.75])
    assert got.n.tolist() == [3, 2]


def test_missing_scores_are_left_out_of_their_clusters():
    got = column_means(np.array([[1.0], [np.nan], [0.0]]), cluster=np.array([0, 1, 2]), level=0.9)
    assert got.n_clusters.tolist() == [2]


def test_all_right_has_width_and_no_standard_error():
    got = one([1, 1, 1, 1, 1])
    assert math.isnan(got.se[0])
    # exact: 5 of 5 at 95 % two-sided, low = 0.025 ** (1/5)
    assert got.low[0] == pytest.approx(0.025**0.2, rel=1e-12)
    assert got.high[0] == 1.0
    assert got.exact[0]


@pytest.mark.parametrize("wrong", [1, 9])
def test_few_wrong_answers_get_the_exact_interval(wrong):
    got = one([0] * wrong + [1] * 90)
    exact = stats.binomtest(90, 90 + wrong).proportion_ci(0.95)
    assert (got.low[0], got.high[0]) == pytest.approx((exact.low, exact.high), abs=1e-12)
    assert got.exact[0]
    assert got.se[0] == pytest.approx(stats.sem([0] * wrong + [1] * 90))


def test_ten_of_each_get_the_t_interval():
    values = [0] * 10 + [1] * 90
    got = one(values)
    half = stats.t.ppf(0.975, 99) * stats.sem(values)
    assert not got.exact[0]
    assert (got.low[0], got.high[0]) == pytest.approx((0.9 - half, 0.9 + half))


def test_shares_are_cut_to_where_they_can_lie():
    got = one([0.1, 0.9])
    assert (got.low[0], got.high[0]) == (0.0, 1.0)
    assert one([-0.1, 0.9]).low[0] < -1  # scores below 0 exist: nothing is cut


def test_clusters_keep_the_t_interval_with_few_wrong_answers():
    assert not one([1, 1, 0, 1, 1], cluster=[0, 0, 1, 1, 2]).exact[0]


def test_equal_fractions_have_no_interval():
    got = one([0.5, 0.5, 0.5])
    assert math.isnan(got.se[0])
    assert math.isnan(got.low[0])


def test_nothing_scored_is_undefined():
    got = one([math.nan, math.nan])
    assert got.n[0] == 0
    assert all(math.isnan(x[0]) for x in (got.mean, got.se, got.low, got.high))


@pytest.mark.parametrize(("k", "n"), [(0, 10), (3, 10), (10, 10), (1, 1), (500, 12032)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_share_intervals_equal_statsmodels(k, n, level):
    for ours, method, value in ((wilson_share, "wilson", k / n), (exact_share, "beta", k)):
        low, high = ours(np.array(float(value)), np.array(float(n)), level=level)
        other = proportion_confint(k, n, alpha=1 - level, method=method)
        assert (float(low), float(high)) == pytest.approx(other, abs=1e-12)


def test_share_of_nothing_is_undefined():
    low, high = wilson_share(np.array(0.0), np.array(0.0), level=0.95)
    assert math.isnan(low)
    assert math.isnan(high)


@pytest.mark.slow
@pytest.mark.parametrize("clustered", [False, True])
def test_t_interval_covers(clustered):
    rng, reps, hits = np.random.default_rng(20240101), 4000, 0
    cluster = np.repeat(np.arange(20), 5)
    for _ in range(reps):
        shared = np.repeat(rng.normal(size=20), 5) if clustered else 0.0
        got = one(shared + rng.normal(size=100), cluster if clustered else None)
        hits += got.low[0] <= 0.0 <= got.high[0]
    slack = 4 * math.sqrt(0.95 * 0.05 / reps)  # four binomial standard errors
    assert abs(hits / reps - 0.95) < slack


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.1, 0.3, 0.66])
def test_wilson_interval_covers_on_average(p):
    # coverage oscillates with n for one p; averaged over n it is nominal to about a point
    rng, reps = np.random.default_rng(7), 60_000
    n = rng.integers(100, 2000, reps)
    low, high = wilson_share(rng.binomial(n, p) / n, n.astype(float), level=0.95)
    hits = ((low <= p) & (p <= high)).mean()
    assert abs(hits - 0.95) < 4 * math.sqrt(0.95 * 0.05 / reps)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p"), [(20, 0.8), (50, 0.9), (100, 0.95), (200, 0.98), (300, 0.5)])
def test_intervals_of_right_and_wrong_cover(n, p):
    # the plain t interval covers 88 % at n = 50, p = 0.9
    rng, reps = np.random.default_rng(9), 20_000
    got = column_means((rng.random((n, reps)) < p).astype(float), cluster=None, level=0.95)
    hits = ((got.low <= p) & (p <= got.high)).mean()
    assert hits > 0.94 - 4 * math.sqrt(0.95 * 0.05 / reps)


@pytest.mark.slow
def test_exact_interval_covers_at_least_nominal():
    rng, reps = np.random.default_rng(8), 20_000
    k = rng.binomial(30, 0.02, reps).astype(float)
    low, high = exact_share(k, np.full(reps, 30.0), level=0.95)
    hits = ((low <= 0.02) & (high >= 0.02)).mean()
    assert hits > 0.95 - 4 * math.sqrt(0.95 * 0.05 / reps)
