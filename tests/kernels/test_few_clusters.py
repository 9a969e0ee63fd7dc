import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, stdtrit

from caveat.kernels import paired
from caveat.kernels.clustered import cluster_cells, clustered_meat
from caveat.kernels.connectivity import is_connected
from caveat.kernels.counts import VoteCounter, win_matrix
from caveat.kernels.few_clusters import FEW_CLUSTERS, clustered_covariance, clusters_of_models
from caveat.kernels.ties import TIE_MODELS


def gathered(a, b, outcome, cluster, *, m, count=None, weight=None):
    """Cells and clusters of single votes."""
    counter = VoteCounter(m)
    counter.add(a, b, outcome, count=count, weight=weight)
    cells = counter.cells()
    key = (cells.a * m + cells.b) * 4 + cells.outcome
    place = np.searchsorted(key, (a * m + b) * 4 + outcome)
    return cells, cluster_cells(cells, cluster, place=place, count=count, weight=weight)


def covariance(cells, clusters, ties="half-win"):
    units = paired.units_of(cells)
    fitted = paired.fit(units, ties=ties)
    return fitted, clustered_covariance(cells, units, fitted, clusters)


def unsteadied(cells, clusters, fitted):
    slopes = paired.slopes(cells.a, cells.b, cells.outcome, fitted=fitted)
    meat = clustered_meat(slopes, clusters, n_models=cells.n_models, has_tie=fitted.has_tie)
    bread = paired.bread(paired.units_of(cells), fitted)
    return bread @ meat @ bread


def test_clusters_of_models_by_hand():
    # x-y: 3 votes of cluster 0, 1 of cluster 1; x-z: 2 votes of cluster 1, 2 alone.
    # x: sizes 3, 3, 1, 1: 64 / 20 = 3.2; y: 3, 1: 16 / 10; z: 2, 1, 1: 16 / 6.
    a = np.zeros(8, dtype=int)
    b = np.array([1, 1, 1, 1, 2, 2, 2, 2])
    outcome = np.array([0, 0, 1, 1, 0, 1, 0, 1])
    cluster = np.array([0, 0, 0, 1, 1, 1, -1, -1])
    got = clusters_of_models(*gathered(a, b, outcome, cluster, m=3))
    assert got.effective == pytest.approx([64 / 20, 16 / 10, 16 / 6])
    assert got.squares == pytest.approx([8, 4, 4])
    # votes of one cluster in pairs, both ways round: 3 * 2 + 3 * 2 for x
    assert got.pairs == pytest.approx([12, 6, 2])


def test_weights_count_in_clusters_of_models_by_hand():
    # one cluster of weights 1 and 3, one vote of weight 2 alone: (4 + 2)^2 / (16 + 4)
    a, b = np.zeros(3, dtype=int), np.ones(3, dtype=int)
    got = clusters_of_models(
        *gathered(a, b, np.array([0, 1, 2]), np.array([0, 0, -1]), m=2,
                  weight=np.array([1.0, 3.0, 2.0]))
    )  # fmt: skip
    assert got.effective == pytest.approx([36 / 20] * 2)
    assert got.squares == pytest.approx([14] * 2)
    assert got.pairs == pytest.approx([6] * 2)


def test_one_voter_borrows_the_likeness_of_the_board_by_hand():
    # x and y: 60 voters with 2 votes each, 20 give x both, 20 y both, 20 one each. p = 1/2, so a
    # vote has slope 1/2 up or down, a voter 1, -1 or 0: squares 40, times 61/60 for the clusters.
    # z: one more voter, two wins and two losses against x: its slopes sum to 0.
    # Single votes: 124 / 4 = 31 for x, 30 for y. Votes of one voter in pairs: 60 * 2 + 4 * 3 = 132
    # for x, 120 for y. Likeness: (2 * 40 * 61/60 - 61) / ((132 + 120) / 4).
    # z would have squares 4/4 + likeness * 12 / 4; of that 29/30, and 1/30 of the 0 it has.
    # Its information on x is 4/4, so that is the variance of the difference.
    a = np.r_[np.zeros(120, dtype=int), np.full(4, 2)]
    b = np.r_[np.ones(120, dtype=int), np.zeros(4, dtype=int)]
    outcome = np.r_[[0] * 40, [1] * 40, [0, 1] * 20, [0, 0, 1, 1]]
    cluster = np.r_[np.repeat(np.arange(60), 2), np.full(4, 60)]
    cells, clusters = gathered(a, b, outcome, cluster, m=3)
    fitted, got = covariance(cells, clusters)
    assert fitted.theta == pytest.approx(np.zeros(3), abs=1e-12)
    plain = unsteadied(cells, clusters, fitted)
    assert plain[2, 2] + plain[0, 0] - 2 * plain[2, 0] == pytest.approx(0, abs=1e-12)
    likeness = (2 * 40 * 61 / 60 - 61) / ((132 + 120) / 4)
    extra = 29 / 30 * (1 + likeness * 3)
    assert got[2, 2] + got[0, 0] - 2 * got[2, 0] == pytest.approx(extra, rel=1e-9)
    # the others are left alone
    assert got[0, 0] + got[1, 1] - 2 * got[0, 1] == pytest.approx(
        plain[0, 0] + plain[1, 1] - 2 * plain[0, 1], rel=1e-9
    )


@pytest.mark.parametrize("ties", TIE_MODELS)
def test_with_many_clusters_it_is_the_clustered_sandwich(ties):
    rng = np.random.default_rng(0)
    a = rng.integers(0, 4, 4000)
    b = (a + rng.integers(1, 4, 4000)) % 4
    cells, clusters = gathered(a, b, rng.integers(0, 3, 4000), rng.integers(0, 50, 4000), m=4)
    assert (clusters_of_models(cells, clusters).effective > FEW_CLUSTERS).all()
    fitted, got = covariance(cells, clusters, ties)
    assert got == pytest.approx(unsteadied(cells, clusters, fitted), rel=1e-10, abs=1e-15)


def test_one_cluster_has_no_error():
    a, b = np.zeros(4, dtype=int), np.ones(4, dtype=int)
    _, got = covariance(*gathered(a, b, np.array([0, 0, 1, 2]), np.zeros(4, dtype=int), m=2))
    assert np.isnan(got).all()


rows = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(-1, 5)),
    min_size=12,
    max_size=60,
).map(lambda rows: [r for r in rows if r[0] != r[1]] or [(0, 1, 2, 0)])


@settings(deadline=None)
@given(rows)
def test_it_is_a_covariance(votes):
    a, b, outcome, cluster = np.array(votes).T
    cells, clusters = gathered(a, b, outcome, cluster, m=4)
    if not is_connected(win_matrix(cells, cells.count)) or clusters.n_clusters < 2:
        return
    _, got = covariance(cells, clusters)
    values = np.linalg.eigvalsh(got)
    assert values.min() > -1e-9 * max(values.max(), 1e-9)
    assert got.sum(axis=0) == pytest.approx(0, abs=1e-9 * max(values.max(), 1))


@settings(deadline=None)
@given(rows, st.permutations(range(6)), st.floats(0.1, 10))
def test_names_of_clusters_and_the_size_of_weights_do_not_matter(votes, names, scale):
    a, b, outcome, cluster = np.array(votes).T
    one = gathered(a, b, outcome, cluster, m=4)
    if not is_connected(win_matrix(one[0], one[0].count)) or one[1].n_clusters < 2:
        return
    renamed = np.array([*names, -1])[cluster]
    other = gathered(a, b, outcome, renamed, m=4, weight=np.full(a.size, scale))
    v, w = covariance(*one)[1], covariance(*other)[1]
    assert w == pytest.approx(v, rel=1e-6, abs=1e-8)


def simulate(rng, newcomer, *, groups, base, spread):
    """Votes of `groups` voters with tastes, 30 each on 8 models, and some on a ninth."""
    m = base.size
    taste = rng.normal(0, spread, (groups, m)) + base
    voter = np.r_[np.repeat(np.arange(groups), 30), np.repeat(np.arange(newcomer.size), newcomer)]
    a = rng.integers(0, m - 1, groups * 30)
    b = (a + rng.integers(1, m - 1, groups * 30)) % (m - 1)
    a = np.r_[a, np.full(newcomer.sum(), m - 1)]
    b = np.r_[b, rng.integers(0, m - 1, newcomer.sum())]
    p = expit(taste[voter, a] - taste[voter, b])
    return a, b, (rng.random(a.size) > p).astype(int), voter


@pytest.mark.slow
@pytest.mark.parametrize(
    "newcomer",
    [
        [40],
        [200],
        [20, 20],
        [60, 3, 2],
        [20] * 5,
        [20] * 10,
        [60, 30, 10, 5, 5, 2, 2, 2],
        [10] * 20,
    ],
    ids=lambda sizes: f"{len(sizes)} voters, {sum(sizes)} votes",
)
def test_a_newcomer_of_few_voters_is_covered(newcomer, record_property):
    # 60 voters, tastes of standard deviation 0.7 for each of 8 models, of whom a few also judged
    # a ninth. Tastes flatten the odds: the true difference is that of the mean probabilities.
    base, spread, reps, groups = np.r_[np.linspace(0.8, -0.8, 8), 0.3], 0.7, 500, 60
    rng = np.random.default_rng(43)
    apart = rng.normal(0, spread * np.sqrt(2), 400_000)
    whole = []
    for i in range(9):
        for j in range(i + 1, 9):
            p = expit(base[i] - base[j] + apart).mean()
            whole += [(i, j, 0, p * 1e6), (i, j, 1, (1 - p) * 1e6)]
    i, j, outcome, count = np.array(whole).T
    counter = VoteCounter(9)
    counter.add(i.astype(int), j.astype(int), outcome.astype(int), count=count)
    limit = paired.fit(paired.units_of(counter.cells())).theta
    truth = limit[8] - limit[0]
    hits = old = tried = 0
    for _ in range(reps):
        votes = simulate(rng, np.array(newcomer), groups=groups, base=base, spread=spread)
        cells, clusters = gathered(*votes, m=9)
        if not is_connected(win_matrix(cells, cells.count)):
            continue
        fitted, got = covariance(cells, clusters)
        gap, half = fitted.theta[8] - fitted.theta[0] - truth, stdtrit(groups - 1, 0.975)
        tried += 1
        for v, found in ((got, True), (unsteadied(cells, clusters, fitted), False)):
            inside = abs(gap) <= half * np.sqrt(max(v[8, 8] + v[0, 0] - 2 * v[0, 8], 0.0))
            hits, old = hits + (found and inside), old + (not found and inside)
    slack = 4 * np.sqrt(0.95 * 0.05 / tried)  # four binomial standard errors
    record_property("coverage", f"{hits / tried:.3f} of {tried}; unsteadied {old / tried:.3f}")
    assert abs(hits / tried - 0.95) < slack
    if len(newcomer) < 4:
        assert old / tried < 0.95 - slack
