import math

import numpy as np
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from scipy.special import expit, stdtrit

from caveat.kernels import paired
from caveat.kernels.clustered import cluster_cells, clustered_meat, clustered_variance
from caveat.kernels.connectivity import is_connected
from caveat.kernels.counts import VoteCounter, win_matrix
from caveat.kernels.tie_limits import tie_parameter_exists
from caveat.kernels.ties import TIE_MODELS


def naive(score, cluster, count):
    """Vote by vote, a dictionary of clusters; scores may be rows of several parameters."""
    sums, votes = {}, {}
    for row, (s, g, n) in enumerate(zip(score, cluster, count, strict=True)):
        for copy in range(int(n)):
            key = g if g >= 0 else (row, copy)
            sums[key] = sums.get(key, 0.0) + s
            votes[key] = votes.get(key, 0) + 1
    groups = len(sums)
    meat = sum(np.multiply.outer(total, total) for total in sums.values())
    factor = groups / (groups - 1) if groups > 1 else math.nan
    return groups, max(votes.values()), factor * meat


class Votes:
    """Single votes, added up, fitted, and gathered by cluster."""

    def __init__(self, a, b, outcome, cluster, *, m, ties="half-win", count=None, weight=None):
        counter = VoteCounter(m)
        counter.add(a, b, outcome, count=count, weight=weight)
        self.cells, self.m, self.ties = counter.cells(), m, ties
        if not is_connected(win_matrix(self.cells, self.cells.weight)):
            reject()
        if ties != "half-win" and not tie_parameter_exists(self.cells):
            reject()
        self.units = paired.units_of(self.cells)
        self.fit = paired.fit(self.units, ties=ties)
        key = (self.cells.a * m + self.cells.b) * 4 + self.cells.outcome
        place = np.searchsorted(key, (a * m + b) * 4 + outcome)
        self.clusters = cluster_cells(self.cells, cluster, place=place, count=count, weight=weight)

    def lead(self):
        """Difference of models 0 and 1, its clustered variance, and its plain one."""
        contrast = np.zeros(self.fit.parameters.size)
        contrast[:2] = 1.0, -1.0
        effect = paired.slopes(
            self.cells.a, self.cells.b, self.cells.outcome, fitted=self.fit
        ).effect(paired.bread(self.units, self.fit) @ contrast, n_models=self.m, ties=self.ties)
        plain = float(self.cells.weight2 @ effect**2)
        gap = self.fit.theta[0] - self.fit.theta[1]
        return gap, clustered_variance(effect, self.clusters), plain

    def meat(self):
        slopes = paired.slopes(self.cells.a, self.cells.b, self.cells.outcome, fitted=self.fit)
        return clustered_meat(slopes, self.clusters, n_models=self.m, has_tie=self.fit.has_tie)


def test_two_models_two_clusters_by_hand():
    # 30 wins to 10: p = 3/4, information 40 * 3/16 = 7.5. A win moves the difference by
    # (1/4) / 7.5 = 1/30, a loss by (-3/4) / 7.5 = -1/10.
    # Cluster 0 has 20 wins and 2 losses: 20/30 - 2/10 = 7/15; cluster 1 the rest: -7/15.
    # Variance 2 / (2 - 1) * 2 * (7/15)**2 = 196/225; plain 30/900 + 10/100 = 2/15.
    outcome = np.array([0] * 30 + [1] * 10)
    cluster = np.array([0] * 20 + [1] * 10 + [0] * 2 + [1] * 8)
    votes = Votes(np.zeros(40, dtype=int), np.ones(40, dtype=int), outcome, cluster, m=2)
    difference, variance, plain = votes.lead()
    assert difference == pytest.approx(math.log(3))
    assert variance == pytest.approx(196 / 225, rel=1e-12)
    assert plain == pytest.approx(2 / 15, rel=1e-12)
    got = votes.clusters
    assert (got.n_votes, got.n_clusters, got.largest, got.factor) == (40, 2, 22, 2)


@pytest.mark.parametrize("ties", TIE_MODELS)
def test_votes_in_both_orders_of_one_item_by_hand(ties):
    # every vote twice, as (x, y) and as (y, x) with the same winner: the clustered variance is
    # twice the plain one, up to 20 / 19
    outcome = np.array([0] * 12 + [1] * 5 + [2] * 3 + [1] * 12 + [0] * 5 + [2] * 3)
    a, b = np.repeat([0, 1], 20), np.repeat([1, 0], 20)
    _, variance, plain = Votes(a, b, outcome, np.tile(np.arange(20), 2), m=2, ties=ties).lead()
    assert variance == pytest.approx(2 * plain * 20 / 19, rel=1e-10)


def test_one_cluster_has_no_error():
    a, outcome = np.zeros(2, dtype=int), np.array([0, 1])
    votes = Votes(a, a + 1, outcome, np.zeros(2, dtype=int), m=2)
    assert math.isnan(votes.lead()[1])
    assert np.isnan(votes.meat()).all()
    assert votes.clusters.n_clusters == 1


def test_codes_that_no_vote_has_are_no_clusters():
    a = np.zeros(3, dtype=int)
    votes = Votes(a, a + 1, np.array([0, 1, 2]), np.array([0, 7, 7]), m=2)
    assert votes.clusters.n_clusters == 2
    assert votes.clusters.votes.tolist() == [1, 0, 0, 0, 0, 0, 0, 2]


rows = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(-1, 4),
        st.integers(1, 3), st.integers(1, 4),
    ),
    min_size=12,
    max_size=60,
).map(lambda rows: [r for r in rows if r[0] != r[1]] or [(0, 1, 2, 0, 1, 1)])  # fmt: skip
models = st.sampled_from(TIE_MODELS)


@settings(deadline=None)
@given(rows, models)
def test_fast_equals_naive(votes, ties):
    a, b, outcome, cluster, count, weight = np.array(votes).T
    count, weight = count.astype(float), weight.astype(float)
    got = Votes(a, b, outcome, cluster, m=4, ties=ties, count=count, weight=weight)
    one = paired.slopes(a, b, outcome, fitted=got.fit)
    # slopes of single votes by all parameters
    p = got.fit.parameters.size
    by_parameter = np.zeros((a.size, p))
    n = np.arange(a.size)
    by_parameter[n, a], by_parameter[n, b] = one.eta, -one.eta
    if got.fit.has_tie:
        by_parameter[:, 4] = one.tie
    groups, largest, meat = naive(weight[:, None] * by_parameter, cluster, count)
    assert (got.clusters.n_clusters, got.clusters.largest) == (groups, largest)
    assert got.clusters.n_votes == count.sum()
    assert got.meat() == pytest.approx(meat, rel=1e-9, abs=1e-9, nan_ok=True)
    contrast = np.zeros(p)
    contrast[:2] = 1.0, -1.0
    inverse = paired.bread(got.units, got.fit)
    score = weight * one.effect(inverse @ contrast, n_models=4, ties=ties)
    variance = naive(score, cluster, count)[2]
    assert got.lead()[1] == pytest.approx(variance, rel=1e-9, abs=1e-12, nan_ok=True)


@settings(deadline=None)
@given(rows, models)
def test_the_meat_gives_the_variance_of_a_contrast(votes, ties):
    a, b, outcome, cluster, _, _ = np.array(votes).T
    got = Votes(a, b, outcome, cluster, m=4, ties=ties)
    _, variance, _ = got.lead()
    inverse = paired.bread(got.units, got.fit)
    covariance = inverse @ got.meat() @ inverse
    whole = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert whole == pytest.approx(variance, rel=1e-6, abs=1e-9, nan_ok=True)


@settings(deadline=None)
@given(rows, models)
def test_singleton_clusters_collapse_to_the_plain_error(votes, ties):
    a, b, outcome, _, _, weight = np.array(votes).T
    n = a.size
    assume(n > 1)
    for cluster in (np.arange(n), np.full(n, -1)):
        got = Votes(a, b, outcome, cluster, m=4, ties=ties, weight=weight.astype(float))
        _, variance, plain = got.lead()
        assert variance == pytest.approx(plain * n / (n - 1), rel=1e-9, abs=1e-15)


@settings(deadline=None)
@given(rows, models, st.permutations(range(5)), st.randoms())
def test_names_of_clusters_order_of_rows_and_sides_do_not_matter(votes, ties, names, random):
    a, b, outcome, cluster, _, _ = np.array(votes).T
    one = Votes(a, b, outcome, cluster, m=4, ties=ties).lead()
    order = list(range(a.size))
    random.shuffle(order)
    renamed = np.array([*names, -1])[cluster]
    swapped = np.array([1, 0, 2, 3])[outcome]
    other = Votes(b[order], a[order], swapped[order], renamed[order], m=4, ties=ties).lead()
    # ratings of boards with few votes are known to about 1e-9
    assert other[1] == pytest.approx(one[1], rel=1e-5, abs=1e-9, nan_ok=True)


@settings(deadline=None)
@given(rows)
def test_a_count_is_so_many_votes_of_one_cluster(votes):
    a, b, outcome, cluster, count, _ = np.array(votes).T
    one = Votes(a, b, outcome, cluster, m=4, count=count.astype(float))
    long = [np.repeat(x, count) for x in (a, b, outcome, cluster)]
    other = Votes(*long, m=4)
    assert other.clusters.n_clusters == one.clusters.n_clusters
    assert other.clusters.largest == one.clusters.largest
    assert other.lead()[1] == pytest.approx(one.lead()[1], rel=1e-6, abs=1e-9, nan_ok=True)


@pytest.mark.slow
@pytest.mark.parametrize("groups", [40, 200])
def test_the_lead_is_covered_where_the_plain_error_fails(groups, record_property):
    # Three models; every item has its own taste for each, and nine votes. Tastes flatten the
    # odds, so the true difference is that of the mean probabilities, found from a million items.
    theta, spread, reps = np.array([0.4, 0.0, -0.4]), 1.0, 3000
    rng = np.random.default_rng(41)
    a, b = np.tile([0, 0, 1], 3 * groups), np.tile([1, 2, 2], 3 * groups)
    cluster = np.repeat(np.arange(groups), 9)
    tastes = rng.normal(0, spread, (1_000_000, 3)) + theta
    wins = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        p = expit(tastes[:, i] - tastes[:, j]).mean()
        wins += [(i, j, 0, p * 1e6), (i, j, 1, (1 - p) * 1e6)]
    i, j, outcome, count = np.array(wins).T
    limit = Votes(*np.array([i, j, outcome, i], dtype=int), m=3, count=count).fit.theta
    truth = limit[0] - limit[1]
    hits, plain = 0, 0
    for _ in range(reps):
        taste = rng.normal(0, spread, (groups, 3)) + theta
        p = expit(taste[cluster, a] - taste[cluster, b])
        votes = Votes(a, b, (rng.random(a.size) > p).astype(int), cluster, m=3)
        difference, clustered, independent = votes.lead()
        half = stdtrit(groups - 1, 0.975)
        hits += abs(difference - truth) <= half * math.sqrt(clustered)
        plain += abs(difference - truth) <= 1.96 * math.sqrt(independent)
    slack = 4 * math.sqrt(0.95 * 0.05 / reps)  # four binomial standard errors
    record_property("coverage", f"{hits / reps:.3f}; plain {plain / reps:.3f}")
    assert abs(hits / reps - 0.95) < slack
    assert plain / reps < 0.95 - slack
