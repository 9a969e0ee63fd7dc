import math

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from scipy.special import expit, stdtrit

from caveat.kernels.bradley_terry import fit
from caveat.kernels.clustered import clustered, influence, vote_scores
from caveat.kernels.connectivity import is_connected
from caveat.kernels.counts import VoteCounter, win_matrix


def naive(score, cluster, count):
    """Vote by vote, a dictionary of clusters."""
    sums, squares = {}, 0.0
    for row, (s, g, n) in enumerate(zip(score, cluster, count, strict=True)):
        for copy in range(int(n)):
            key = g if g >= 0 else (row, copy)
            sums[key] = sums.get(key, 0.0) + s
            squares += s * s
    groups = len(sums)
    meat = sum(total**2 for total in sums.values())
    return groups, groups / (groups - 1) * meat if groups > 1 else math.nan, squares


def lead(a, b, outcome, cluster, *, m, weight=None, count=None):
    """Difference of models 0 and 1 and its clustered variance, from single votes."""
    counter = VoteCounter(m)
    counter.add(a, b, outcome, count=count, weight=weight)
    cells = counter.cells()
    wins = win_matrix(cells, cells.weight)
    if not is_connected(wins):
        reject()
    theta = fit(wins).theta
    contrast = np.zeros(m)
    contrast[:2] = 1.0, -1.0
    u = influence(wins + wins.T, theta, contrast)
    score = vote_scores(a, b, outcome, theta=theta, influence=u, weight=weight)
    return theta[0] - theta[1], clustered(score, cluster, count=count)


def test_two_models_two_clusters_by_hand():
    # 30 wins to 10: p = 3/4, information 40 * 3/16 = 7.5. A win moves the difference by
    # (1/4) / 7.5 = 1/30, a loss by (-3/4) / 7.5 = -1/10.
    # Cluster 0 has 20 wins and 2 losses: 20/30 - 2/10 = 7/15; cluster 1 the rest: -7/15.
    # Variance 2 / (2 - 1) * 2 * (7/15)**2 = 196/225; plain 30/900 + 10/100 = 2/15.
    outcome = np.array([0] * 30 + [1] * 10)
    cluster = np.array([0] * 20 + [1] * 10 + [0] * 2 + [1] * 8)
    a, b = np.zeros(40, dtype=int), np.ones(40, dtype=int)
    difference, got = lead(a, b, outcome, cluster, m=2)
    assert difference == pytest.approx(math.log(3))
    assert got.variance == pytest.approx(196 / 225, rel=1e-12)
    assert got.plain == pytest.approx(2 / 15, rel=1e-12)
    assert (got.n_votes, got.n_clusters, got.largest) == (40, 2, 22)


def test_votes_in_both_orders_of_one_item_by_hand():
    # every vote twice, as (x, y) and as (y, x) with the same winner: the clustered variance is
    # twice the plain one, up to 20 / 19
    outcome = np.array([0] * 15 + [1] * 5 + [1] * 15 + [0] * 5)
    a, b = np.repeat([0, 1], 20), np.repeat([1, 0], 20)
    _, got = lead(a, b, outcome, np.tile(np.arange(20), 2), m=2)
    assert got.variance == pytest.approx(2 * got.plain * 20 / 19, rel=1e-12)


def test_one_cluster_has_no_error():
    got = clustered(np.array([1.0, -1.0]), np.array([0, 0]))
    assert math.isnan(got.variance)
    assert got.n_clusters == 1


def test_codes_that_no_vote_has_are_no_clusters():
    assert clustered(np.ones(3), np.array([0, 7, 7])).n_clusters == 2


rows = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(-1, 4),
        st.integers(1, 3), st.integers(1, 4),
    ),
    min_size=8,
    max_size=60,
).map(lambda rows: [r for r in rows if r[0] != r[1]] or [(0, 1, 2, 0, 1, 1)])  # fmt: skip


@given(rows)
def test_fast_equals_naive(votes):
    a, b, outcome, cluster, count, weight = np.array(votes).T
    theta = np.linspace(0.5, -0.5, 4)
    score = vote_scores(a, b, outcome, theta=theta, influence=theta, weight=weight.astype(float))
    got = clustered(score, cluster, count=count.astype(float))
    groups, variance, plain = naive(score, cluster, count)
    assert got.n_clusters == groups
    assert got.plain == pytest.approx(plain, rel=1e-9, abs=1e-15)
    assert got.variance == pytest.approx(variance, rel=1e-9, abs=1e-15, nan_ok=True)


@given(rows)
def test_singleton_clusters_collapse_to_the_plain_error(votes):
    a, b, outcome, _, _, weight = np.array(votes).T
    n = a.size
    assume(n > 1)
    for cluster in (np.arange(n), np.full(n, -1)):
        _, got = lead(a, b, outcome, cluster, m=4, weight=weight.astype(float))
        assert got.variance == pytest.approx(got.plain * n / (n - 1), rel=1e-9, abs=1e-15)


@given(rows, st.permutations(range(5)), st.randoms())
def test_names_of_clusters_order_of_rows_and_sides_do_not_matter(votes, names, random):
    a, b, outcome, cluster, _, _ = np.array(votes).T
    _, one = lead(a, b, outcome, cluster, m=4)
    order = list(range(a.size))
    random.shuffle(order)
    renamed = np.array([*names, -1])[cluster]
    swapped = np.array([1, 0, 2, 3])[outcome]
    _, other = lead(b[order], a[order], swapped[order], renamed[order], m=4)
    # ratings of boards with few votes are known to about 1e-9
    assert other.variance == pytest.approx(one.variance, rel=1e-5, abs=1e-12, nan_ok=True)


@given(rows)
def test_a_count_is_so_many_votes_of_one_cluster(votes):
    a, b, outcome, cluster, count, _ = np.array(votes).T
    _, one = lead(a, b, outcome, cluster, m=4, count=count.astype(float))
    long = [np.repeat(x, count) for x in (a, b, outcome, cluster)]
    _, other = lead(*long, m=4)
    assert other.n_clusters == one.n_clusters
    assert other.largest == one.largest
    assert other.variance == pytest.approx(one.variance, rel=1e-6, abs=1e-12, nan_ok=True)


@pytest.mark.slow
@pytest.mark.parametrize("groups", [40, 200])
def test_the_lead_is_covered_where_the_plain_error_fails(groups):
    # Three models; every item has its own taste for each, and nine votes. Tastes flatten the
    # odds, so the true difference is that of the mean probabilities, found from a million items.
    theta, spread, reps = np.array([0.4, 0.0, -0.4]), 1.0, 3000
    rng = np.random.default_rng(41)
    a, b = np.tile([0, 0, 1], 3 * groups), np.tile([1, 2, 2], 3 * groups)
    cluster = np.repeat(np.arange(groups), 9)
    tastes = rng.normal(0, spread, (1_000_000, 3)) + theta
    wins = np.zeros((3, 3))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        p = expit(tastes[:, i] - tastes[:, j]).mean()
        wins[i, j], wins[j, i] = p, 1 - p
    limit = fit(wins * 1e6).theta
    truth = limit[0] - limit[1]
    hits, plain = 0, 0
    for _ in range(reps):
        taste = rng.normal(0, spread, (groups, 3)) + theta
        p = expit(taste[cluster, a] - taste[cluster, b])
        difference, got = lead(a, b, (rng.random(a.size) > p).astype(int), cluster, m=3)
        half = stdtrit(groups - 1, 0.975)
        hits += abs(difference - truth) <= half * math.sqrt(got.variance)
        plain += abs(difference - truth) <= 1.96 * math.sqrt(got.plain)
    slack = 4 * math.sqrt(0.95 * 0.05 / reps)  # four binomial standard errors
    assert abs(hits / reps - 0.95) < slack
    assert plain / reps < 0.95 - slack
