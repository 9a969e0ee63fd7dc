"""One model with itself, pairs against that, differences by task, and cliques."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from caveat.kernels.cliques import cliques
from caveat.kernels.merge_tree import merge_tree
from caveat.kernels.pair_excess import pair_excess
from caveat.kernels.replicate_noise import within_disagreement
from caveat.kernels.series_means import series_means
from caveat.kernels.task_profile import joined_profiles, task_profile

ONE = np.zeros(1, dtype=np.int64)


# ---- one model with itself ----------------------------------------------------------


def test_share_of_pairs_of_answers_that_differ_by_hand():
    answers = np.array(
        [
            [0, 0, 1, 2, 2],  # 0 0 1: one of three pairs equal, 2/3 differ; 2 2: none differ
            [0, -1, 1, 2, -1],  # absent left out: 0 1 differ; one answer is no pair
            [-2, -2, 5, -2, -2],  # what equals nothing: all pairs differ
        ],
        dtype=np.int32,
    )
    found = within_disagreement(answers, np.array([0, 0, 0, 1, 1]), n_owners=2)
    np.testing.assert_allclose(found, [[2 / 3, 0], [1, np.nan], [1, 1]])


def test_order_of_columns_and_owners_between_each_other_are_nothing():
    rng = np.random.default_rng(0)
    answers = rng.integers(-2, 3, (50, 7)).astype(np.int32)
    owner = np.array([0, 2, 0, 2, 1, 2, 0])
    expected = within_disagreement(answers, owner, n_owners=4)
    assert np.isnan(expected[:, [1, 3]]).all()  # one column, no column
    order = rng.permutation(7)
    found = within_disagreement(answers[:, order], owner[order], n_owners=4)
    np.testing.assert_array_equal(found, expected)


@given(st.lists(st.integers(-2, 3), min_size=2, max_size=8))
def test_naive_pairs_say_the_same(row):
    counted = [value for value in row if value != -1]
    pairs = [(a, b) for i, a in enumerate(counted) for b in counted[i + 1 :]]
    found = within_disagreement(
        np.array([row], dtype=np.int32), np.zeros(len(row), dtype=int), n_owners=1
    )[0, 0]
    if not pairs:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(np.mean([a != b or a < 0 for a, b in pairs]))


# ---- pairs against the floor -----------------------------------------------------------


def test_excess_by_hand():
    # items:        1     2     3     4 (b absent)
    answers = np.array([[0, 0], [0, 1], [0, 1], [0, -1]], dtype=np.int32)
    within = np.array([[0.0, 0.5], [0.5, 0.5], [0.0, 0.0], [1.0, 1.0]])
    found = pair_excess(answers, within, first=ONE, second=ONE + 1, cluster=None)
    # disagree 0 1 1, floor 1/4 1/2 0: excess -1/4 1/2 1, mean 5/12
    assert found.disagree[0] == pytest.approx(2 / 3)
    assert found.floor[0] == pytest.approx(1 / 4)
    assert found.excess.mean[0] == pytest.approx(5 / 12)
    expected = np.std([-0.25, 0.5, 1.0], ddof=1) / np.sqrt(3)
    assert found.excess.se[0] == pytest.approx(expected)


def test_without_noise_the_excess_is_the_disagreement():
    rng = np.random.default_rng(1)
    answers = rng.integers(0, 3, (80, 2)).astype(np.int32)
    found = pair_excess(answers, np.zeros((80, 2)), first=ONE, second=ONE + 1, cluster=None)
    assert found.excess.mean[0] == found.disagree[0] == (answers[:, 0] != answers[:, 1]).mean()


def test_expected_excess_is_half_the_squared_distance_of_the_answer_shares():
    """Rao's dissimilarity, by enumeration of all answers of two models run twice on an item."""
    p, q = np.array([0.6, 0.3, 0.1]), np.array([0.2, 0.3, 0.5])
    cells, chance = [], []
    for a in np.ndindex(3, 3):
        for b in np.ndindex(3, 3):
            cells.append([*a, *b])
            chance.append(p[a[0]] * p[a[1]] * q[b[0]] * q[b[1]])
    codes, chance = np.array(cells, dtype=np.int32), np.array(chance)
    within = within_disagreement(codes, np.array([0, 0, 1, 1]), n_owners=2)
    differ = (codes[:, 0] != codes[:, 2]).astype(float)
    excess = (chance * (differ - within.mean(axis=1))).sum()
    assert excess == pytest.approx(((p - q) ** 2).sum() / 2)


# ---- means of series -----------------------------------------------------------------------


def test_t_interval_is_scipys():
    values = np.random.default_rng(2).normal(0.1, 1.0, (40, 3))
    low, high = series_means(values, cluster=None).bounds(0.9)
    for k in range(3):
        said = stats.ttest_1samp(values[:, k], 0.0)
        interval = said.confidence_interval(0.9)
        assert (low[k], high[k]) == pytest.approx((interval.low, interval.high))


def test_items_of_a_cluster_count_together():
    values = np.array([[1.0], [1.0], [0.0], [0.0], [1.0], [np.nan]])
    found = series_means(values, cluster=np.array([0, 0, 1, 1, 2, 2]))
    # mean 3/5; cluster sums of deviations 4/5, -6/5, 2/5, shares of items 0.4, 0.4, 0.2:
    # 16/25 / 0.6 + 36/25 / 0.6 + 4/25 / 0.8 = 11/3, divided by 5^2
    assert found.se[0] == pytest.approx(np.sqrt(11 / 3) / 5)
    # q = 4/15, 4/15, 1/20: 1 / (0.36 + (7/12)^2 - 521/3600) = 1 / (5/9)
    assert found.df[0] == pytest.approx(1.8)


def test_clusters_of_one_size_have_the_plain_factor_and_single_items_are_no_clusters():
    values = np.array([[1.0], [1.0], [0.0], [0.0], [1.0], [0.0]])
    found = series_means(values, cluster=np.array([0, 0, 1, 1, 2, 2]))
    # deviations by cluster 1, -1, 0; factor 3/2
    assert found.se[0] == pytest.approx(np.sqrt(1.5 * 2) / 6)
    assert found.df[0] == pytest.approx(2)
    alone, plain = (series_means(values, cluster=c) for c in (np.arange(6), None))
    assert alone.se == pytest.approx(plain.se)
    assert alone.df == pytest.approx(plain.df)


def test_clusters_of_one_mean_claim_no_certainty():
    values = np.array([[1.0], [0.0], [1.0], [0.0], [1.0], [0.0]])
    found = series_means(values, cluster=np.array([0, 0, 1, 1, 2, 2]))
    assert found.se == pytest.approx(series_means(values, cluster=None).se)


def test_where_little_happens_the_interval_is_exact_on_both_sides():
    values = np.zeros((200, 3))
    values[:2, 1] = 1.0
    values[:9, 2], values[9:18, 2] = 1.0, -1.0  # 18 items: enough for t
    found = series_means(values, cluster=None)
    low, high = found.bounds(0.9)
    nothing = stats.binomtest(0, 200).proportion_ci(0.9).high
    two = stats.binomtest(2, 200).proportion_ci(0.9).high
    assert (low[0], high[0]) == pytest.approx((-nothing, nothing))
    assert (low[1], high[1]) == pytest.approx((-nothing, two))
    assert np.isnan(found.up[2])
    assert high[2] == -low[2]


def test_all_at_one_is_bounded_from_below():
    values = np.ones((200, 2))
    values[:3, 1] = [0.0, -1.0, 0.0]
    for sign in (1.0, -1.0):
        low, high = series_means(sign * values, cluster=None).bounds(0.9)
        near, far = (low, high) if sign > 0 else (-high, -low)
        for k, ones in ((0, 200), (1, 197)):
            share = stats.binomtest(ones, 200).proportion_ci(0.9)
            assert near[k] == pytest.approx(2 * share.low - 1)
            assert far[k] == pytest.approx(share.high)
    whole = series_means(np.ones((12, 1)), cluster=np.repeat(np.arange(4), 3))
    assert whole.bounds(0.9)[0][0] == pytest.approx(2 * 0.05 ** (1 / 4) - 1)  # four units


def test_constant_series_and_single_items_have_no_t_interval():
    found = series_means(np.full((5, 1), 0.25), cluster=None)
    assert found.se[0] == 0
    assert np.isnan(found.bounds(0.9)).all()
    alone = series_means(np.array([[0.25]]), cluster=None)
    assert np.isnan(alone.se[0])
    assert np.isnan(alone.bounds(0.9)).all()
    empty = series_means(np.full((3, 1), np.nan), cluster=None)
    assert np.isnan(empty.mean[0])
    assert empty.n[0] == 0


# ---- differences by task --------------------------------------------------------------------


def by_task(sizes, seed=3):
    rng = np.random.default_rng(seed)
    task = np.repeat(np.arange(len(sizes)), sizes)
    spread = np.linspace(0.5, 2.0, len(sizes))
    return rng.normal(0.1 * task, spread[task])[:, None], task


@pytest.mark.parametrize("sizes", [(8, 12, 30), (5, 5, 5, 40), (10, 11, 12)])
def test_statsmodels_has_the_same_test(sizes):
    from statsmodels.stats.oneway import anova_oneway

    values, task = by_task(sizes)
    found = task_profile(values, task, n_tasks=len(sizes))
    peer = anova_oneway(values[:, 0], task, use_var="bf")
    # statsmodels 0.14 has the statistic and both degrees of freedom
    assert found.f[0] == pytest.approx(peer.statistic)
    assert (found.df1[0], found.df2[0]) == pytest.approx(tuple(peer.df))
    assert found.p[0] == pytest.approx(peer.pvalue)


def test_tasks_of_equal_size_give_the_plain_f():
    values, task = by_task((9, 9, 9))
    groups = [values[task == k, 0] for k in range(3)]
    assert task_profile(values, task, n_tasks=3).f[0] == pytest.approx(stats.f_oneway(*groups)[0])


def test_spread_over_tasks_by_hand():
    # tasks 1 1 0 0 and 0 0 -1 -1: means 1/2 and -1/2, variances 1/3;
    # B = 4/4 + 4/4 = 2, W = 2 * 1/2 * 1/3 = 1/3, N = 8: tau^2 = (2 - 1/3) / 8
    values = np.array([1, 1, 0, 0, 0, 0, -1, -1.0])[:, None]
    found = task_profile(values, np.repeat([0, 1], 4), n_tasks=2)
    assert found.f[0] == pytest.approx(6)
    assert found.spread[0] == pytest.approx(np.sqrt(5 / 24))
    np.testing.assert_allclose(found.mean[:, 0], [0.5, -0.5])


def test_bounds_of_the_spread_invert_the_noncentral_f():
    values, task = by_task((20, 30, 40))
    found = task_profile(values + task[:, None], task, n_tasks=3)
    bound = found.spread_bound(0.05)[0]
    far = found.df1[0] * found.n[0] * bound**2 / found.within[0]
    said = stats.ncf.cdf(found.f[0], found.df1[0], found.df2[0], far)
    assert said == pytest.approx(0.05, abs=1e-4)  # SciPy inverts by steps
    assert found.spread_bound(0.95)[0] <= found.spread[0] <= bound
    # all tasks exactly alike: F* is 0, and bounds no more than an F* of 1
    even = np.tile([1.0, 0.0, -1.0], 20)[:, None]
    lucky = task_profile(even, np.repeat([0, 1], 30), n_tasks=2)
    assert lucky.f[0] == 0
    assert lucky.spread_bound(0.05)[0] > 0


def test_tasks_without_variation_or_items_are_no_trouble():
    values = np.array([[0.0], [0.0], [1.0], [0.0], [1.0], [np.nan]])
    found = task_profile(values, np.array([0, 0, 1, 1, 2, 3]), n_tasks=4)
    assert found.tasks[0] == 2
    assert np.isfinite(found.f[0])  # one of the two tasks varies
    assert found.mean[2, 0] == 1.0
    assert np.isnan(found.mean[3, 0])
    # right in one task and wrong in the other, always: as if one of four deviated, s^2 = 1/4;
    # B = 8 * 1/4, W = 2 * 1/2 * 1/4
    rigid = task_profile(np.repeat([1.0, 0.0], 4)[:, None], np.repeat([0, 1], 4), n_tasks=2)
    assert rigid.f[0] == pytest.approx(8)
    flat = task_profile(np.zeros((4, 1)), np.array([0, 0, 1, 1]), n_tasks=2)
    assert np.isnan(flat.f[0])
    assert np.isnan(flat.spread_bound(0.05)[0])


@given(st.integers(0, 10_000))
def test_names_of_tasks_and_order_of_items_are_nothing(seed):
    values, task = by_task((4, 6, 9))
    rng = np.random.default_rng(seed)
    order, names = rng.permutation(19), rng.permutation(3)
    base = task_profile(values, task, n_tasks=3)
    found = task_profile(-values[order], names[task[order]], n_tasks=3)
    np.testing.assert_allclose([found.f, found.p, found.spread], [base.f, base.p, base.spread])
    both = joined_profiles([base, found])
    assert both.f.size == 2
    assert both.mean.shape == (3, 2)


# ---- trees and cliques ---------------------------------------------------------------------


def test_every_pair_of_a_clique_is_together():
    # a chain: 0-1, 1-2 together, 0-2 not; the nearer pair is joined
    together = np.eye(4, dtype=bool)
    together[[0, 1, 1, 2], [1, 0, 2, 1]] = True
    distance = np.full((4, 4), 0.5)
    distance[1, 2] = distance[2, 1] = 0.1
    assert cliques(together, distance) == ((1, 2),)
    together[[0, 2], [2, 0]] = True
    assert cliques(together, distance) == ((0, 1, 2),)
    assert cliques(np.eye(3, dtype=bool), np.zeros((3, 3))) == ()
    assert cliques(np.ones((1, 1), dtype=bool), np.zeros((1, 1))) == ()


@given(st.integers(0, 2**15 - 1), st.integers(0, 100))
def test_cliques_are_cliques_and_share_no_member(bits, seed):
    upper = np.triu_indices(6, k=1)
    together = np.zeros((6, 6), dtype=bool)
    together[upper] = [bits >> k & 1 for k in range(15)]
    together |= together.T | np.eye(6, dtype=bool)
    distance = np.random.default_rng(seed).random((6, 6))
    found = cliques(together, (distance + distance.T) / 2)
    assert len({k for group in found for k in group}) == sum(map(len, found))
    for group in found:
        assert together[np.ix_(group, group)].all()


def test_the_tree_joins_the_nearest_first():
    distance = np.array([[0, 0.1, 0.9], [0.1, 0, 0.7], [0.9, 0.7, 0]])
    tree = merge_tree(distance)
    assert tree.merges[0] == (0, 1, 0.1)
    assert tree.merges[1] == pytest.approx((2, 3, 0.8))  # mean of 0.9 and 0.7
    assert tree.order in ((2, 0, 1), (0, 1, 2))
    assert merge_tree(np.array([[0, 0.3], [0.3, 0]])).merges == ((0, 1, 0.3),)
    assert merge_tree(np.zeros((1, 1))).merges == ()
    blank = distance.copy()
    blank[0, 2] = blank[2, 0] = np.nan  # as far as any
    assert merge_tree(blank).merges[1][2] == pytest.approx((1.0 + 0.7) / 2)
