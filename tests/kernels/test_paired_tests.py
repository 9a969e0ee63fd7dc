import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as peer
from statsmodels.stats.weightstats import ttost_paired

from caveat.kernels.paired_scores import paired_scores
from caveat.kernels.paired_tests import LEAST, paired_tests


def pair(x, y, cluster=None, margin=0.01, level=0.95):
    scores = np.array([x, y], dtype=float).T
    cluster = None if cluster is None else np.array(cluster)
    return paired_tests(paired_scores(scores, cluster=cluster), level=level, margin=margin)


def table(both, b, c, neither):
    """Answers of two models by how many items each gets right."""
    return (
        [1] * (both + b) + [0] * (c + neither),
        [1] * both + [0] * b + [1] * c + [0] * neither,
    )


def test_right_and_wrong_by_hand():
    x, y = table(50, 30, 10, 10)
    got = pair(x, y)
    # difference 0.2, variance (0.4 - 0.04) 100 / 99, error sqrt(0.36 / 99)
    half = stats.t.ppf(0.975, 99) * math.sqrt(0.36 / 99)
    assert (got.low[0, 1], got.high[0, 1]) == pytest.approx((0.2 - half, 0.2 + half))
    assert got.p[0, 1] == pytest.approx(peer([[50, 30], [10, 10]], exact=True).pvalue)
    assert got.exact[0, 1]
    assert not got.adjusted[0, 1]
    assert (got.low[1, 0], got.high[1, 0]) == pytest.approx((-0.2 - half, -0.2 + half))


def test_few_that_differ_by_hand():
    # b 6, c 1 of 40: Bonett and Price add one to each: 7/42 and 2/42, difference 5/42,
    # error sqrt((9/42 - 25/1764) / 42)
    got = pair(*table(20, 6, 1, 13))
    half = stats.norm.ppf(0.975) * math.sqrt((9 / 42 - 25 / 1764) / 42)
    assert got.adjusted[0, 1]
    assert (got.low[0, 1], got.high[0, 1]) == pytest.approx((5 / 42 - half, 5 / 42 + half))


@given(st.integers(0, 2**32 - 1), st.floats(0.01, 0.5))
def test_any_scores_are_the_paired_tests_of_scipy_and_statsmodels(seed, margin):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, 25)) / 4
    got = pair(x, y, margin=margin)
    want = stats.ttest_rel(x, y)
    interval = want.confidence_interval(0.95)
    assert got.p[0, 1] == pytest.approx(want.pvalue, rel=1e-6)
    assert (got.low[0, 1], got.high[0, 1]) == pytest.approx((interval.low, interval.high))
    equivalent = ttost_paired(x, y, -margin, margin)[0]
    assert got.p_equivalent[0, 1] == pytest.approx(equivalent, rel=1e-6)
    assert got.p_equivalent[1, 0] == pytest.approx(got.p_equivalent[0, 1])


def test_identical_answers_are_equivalent_where_there_are_many():
    # no difference on n items: (1 - margin)^n
    many, few = pair([1, 0] * 200, [1, 0] * 200), pair([1, 0], [1, 0])
    assert many.p_equivalent[0, 1] == pytest.approx(0.99**400)
    assert few.p_equivalent[0, 1] == pytest.approx(0.99**2)
    assert many.p[0, 1] == 1.0
    assert many.low[0, 1] < 0 < many.high[0, 1]


def test_all_right_against_all_wrong():
    got = pair([1] * 8, [0] * 8)
    assert got.p[0, 1] == pytest.approx(2 / 2**8)
    assert got.low[0, 1] > 0
    assert got.high[0, 1] == 1.0
    clustered = pair([1] * 8, [0] * 8, [0, 0, 1, 1, 2, 2, 3, 3])  # four clusters: four trials
    assert clustered.p[0, 1] == pytest.approx(2 / 2**4)


def test_one_item_or_cluster_says_nothing():
    for got in (pair([1], [0]), pair([1, 1, 0], [0, 1, 0], [5, 5, 5])):
        assert all(math.isnan(x[0, 1]) for x in (got.low, got.high, got.p, got.p_equivalent))


def test_clustered_right_and_wrong_are_tested_by_t():
    x, y = table(10, 12, 4, 10)
    cluster = np.arange(36) % 12
    got = pair(x, y, cluster)
    pairs = paired_scores(np.array([x, y], dtype=float).T, cluster=cluster)
    t = pairs.difference[0, 1] / pairs.se[0, 1]
    assert got.p[0, 1] == pytest.approx(2 * stats.t.sf(t, pairs.df[0, 1]))
    assert not got.exact[0, 1]


def test_equal_differences_of_other_scores_have_no_test():
    got = pair([0.25, 0.5, 0.75], [0.125, 0.375, 0.625])
    assert math.isnan(got.p[0, 1])
    assert math.isnan(got.low[0, 1])


def test_twelve_thousand_items():
    got = pair([1] * 12_000, [0] * 12_000)
    assert got.p[0, 1] == LEAST


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "b", "c", "least"),
    [
        (30, 0.05, 0.02, 0.95),
        (100, 0.05, 0.05, 0.95),
        (100, 0.15, 0.05, 0.94),
        (300, 0.1, 0.02, 0.94),
        (2000, 0.2, 0.15, 0.945),
    ],
)
def test_interval_covers(n, b, c, least):
    # the plain t interval holds 86 % in the first design
    rng, reps = np.random.default_rng(20240612), 4_000
    codes = rng.choice(3, size=(n, reps), p=[b, c, 1 - b - c])
    both = (rng.random((n, reps)) < 0.5).astype(float)
    x = np.where(codes == 0, 1.0, np.where(codes == 1, 0.0, both))
    y = np.where(codes == 0, 0.0, np.where(codes == 1, 1.0, both))
    hits = 0
    for k in range(0, reps, 100):
        scores = np.c_[x[:, k : k + 100], y[:, k : k + 100]]
        got = paired_tests(paired_scores(scores), level=0.95, margin=0.01)
        low, high = (v[np.arange(100), np.arange(100, 200)] for v in (got.low, got.high))
        hits += int(((low <= b - c) & (b - c <= high)).sum())
    assert hits / reps > least - 4 * math.sqrt(0.95 * 0.05 / reps)


@pytest.mark.slow
@pytest.mark.parametrize("shared", [0.0, 1.0])
def test_clustered_interval_of_a_difference_covers(shared):
    sizes = [2, 3, 4, 5, 6, 8, 10, 20, 50, 100]
    rng, reps, hits = np.random.default_rng(20240613), 1_500, 0
    cluster = np.repeat(np.arange(10), sizes)
    for _ in range(reps):
        taste = shared * rng.normal(size=(2, 10))[:, cluster]
        x, y = taste + rng.normal(size=(2, cluster.size))
        got = pair(x, y, cluster)
        hits += got.low[0, 1] <= 0.0 <= got.high[0, 1]
    assert hits / reps > 0.94 - 4 * math.sqrt(0.95 * 0.05 / reps)


@pytest.mark.slow
@pytest.mark.parametrize("psi", [0.02, 0.025, 0.2])
def test_equivalence_keeps_its_level_at_the_margin(psi):
    rng, reps, n, margin = np.random.default_rng(20240614), 2_000, 1500, 0.02
    found = 0
    for _ in range(reps // 100):
        codes = rng.choice(3, size=(n, 100), p=[(psi + margin) / 2, (psi - margin) / 2, 1 - psi])
        x, y = (codes == 0).astype(float), (codes == 1).astype(float)
        got = paired_tests(paired_scores(np.c_[x, y]), level=0.95, margin=margin)
        found += int((got.p_equivalent[np.arange(100), np.arange(100, 200)] < 0.05).sum())
    assert found / reps < 0.05 + 4 * math.sqrt(0.05 * 0.95 / reps)
