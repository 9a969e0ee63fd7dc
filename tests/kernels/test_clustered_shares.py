import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri, stdtrit

from caveat.kernels import clustered_shares
from caveat.kernels.clustered_shares import SHARES, shares_of_pairs
from caveat.kernels.coincidence import coincidence
from caveat.kernels.means import wilson_share


def of(answers, gold=None, **settings):
    answers = np.array(answers, dtype=np.int32)
    correct = answers == (np.zeros(len(answers)) if gold is None else np.asarray(gold))[:, None]
    counts = coincidence(answers, correct)
    return shares_of_pairs(counts, answers, correct, **{"level": 0.95, **settings})


def test_shares_by_hand():
    # right is 0: both right, one right, both wrong alike, both wrong otherwise, one absent
    found = of([[0, 0], [0, 1], [1, 1], [1, 2], [0, -1]])
    expected = {"disagree": 2 / 4, "both_wrong": 2 / 4, "same_wrong": 1 / 4, "one_right": 1 / 4}
    assert {name: found.value[name][0, 1] for name in SHARES} == pytest.approx(expected)
    low, high = wilson_share(np.array(0.25), np.array(4.0), level=0.95)
    assert found.low["one_right"][0, 1] == pytest.approx(float(low))
    assert found.high["one_right"][0, 1] == pytest.approx(float(high))


def test_clusters_by_hand():
    # three clusters of two items; the models differ on 2, 1 and 0 of them
    found = of([[0, 1], [0, 1], [0, 1], [0, 0], [0, 0], [0, 0]], cluster=np.repeat([0, 1, 2], 2))
    # share 1/2; sums less 1/2 * 2 are 1, 0, -1; each cluster holds 1/3 of the items:
    # variance (1 + 0 + 1) / (1 - 1/3) / 36 = 1/12; independent items 1/4 / (1/12) = 3
    t = stdtrit(2.0, 0.975)
    centre = (0.5 + t**2 / 6) / (1 + t**2 / 3)
    half = t * np.sqrt(0.25 / 3 + t**2 / 36) / (1 + t**2 / 3)
    assert found.low["disagree"][0, 1] == pytest.approx(centre - half)
    assert found.high["disagree"][0, 1] == pytest.approx(centre + half)
    # nobody both wrong: 3 clusters stand for 3 items
    assert found.low["both_wrong"][0, 1] == 0
    assert found.high["both_wrong"][0, 1] == pytest.approx(t**2 / (3 + t**2))


def test_one_cluster_has_no_interval():
    found = of([[0, 1], [0, 0], [1, 0]], cluster=np.zeros(3, dtype=int))
    for name in SHARES:
        assert np.isfinite(found.value[name][0, 1])
        assert np.isnan(found.low[name][0, 1])
        assert np.isnan(found.high[name][0, 1])


def test_no_common_item():
    for cluster in (None, np.array([0, 1])):
        found = of([[0, -1], [-1, 0]], cluster=cluster)
        assert np.isnan([found.value["disagree"][0, 1], found.low["disagree"][0, 1]]).all()


def draw(rng, *, clusters, per_cluster, models=4, within=0.5):
    """Answers whose being alike depends on the cluster; right is 0."""
    n = clusters * per_cluster
    cluster = np.repeat(np.arange(clusters), per_cluster)
    hard = rng.beta(*(np.array([0.5, 0.5]) * (1 - within) / within), clusters)[cluster]
    answers = np.where(rng.random((n, models)) < hard[:, None], rng.integers(1, 4, (n, models)), 0)
    return answers, cluster


def test_clusters_of_one_item_are_nearly_wilson():
    answers, _ = draw(np.random.default_rng(0), clusters=2_000, per_cluster=1)
    plain, alone = of(answers), of(answers, cluster=np.arange(2_000))
    for name in SHARES:
        # n - 1 and t in place of n and the normal
        np.testing.assert_allclose(plain.low[name], alone.low[name], atol=1e-4)
        np.testing.assert_allclose(plain.high[name], alone.high[name], atol=1e-4)


def test_copies_in_a_cluster_add_nothing():
    answers, _ = draw(np.random.default_rng(1), clusters=150, per_cluster=1)
    alone = of(answers, cluster=np.arange(150))
    twice = of(np.repeat(answers, 3, axis=0), cluster=np.repeat(np.arange(150), 3))
    for name in SHARES:
        np.testing.assert_allclose(alone.low[name], twice.low[name], atol=1e-12)


@pytest.mark.parametrize("clusters", [40, 300])
def test_merged_clusters(monkeypatch, clusters):
    answers, cluster = draw(np.random.default_rng(2), clusters=clusters, per_cluster=4)
    exact = of(answers, cluster=cluster)
    monkeypatch.setattr(clustered_shares, "MANY_MODELS", 1)
    merged = of(answers, cluster=cluster)
    off = ~np.eye(4, dtype=bool)
    for name in SHARES:
        width = (exact.high[name] - exact.low[name])[off]
        gap = (merged.high[name] - exact.high[name])[off]
        if clusters <= clustered_shares.MERGED:
            np.testing.assert_allclose(gap, 0, atol=1e-12)
        else:  # a variance from 100 sums is 14% off, typically, an error 7%: five times that
            assert (np.abs(gap) < 0.35 * width / 2).all()


letters = st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=2, max_size=10)


@given(answers=letters, seed=st.integers(0, 50))
def test_order_of_items_and_models_moves_nothing(answers, seed):
    rng = np.random.default_rng(seed)
    codes, cluster = np.array(answers), rng.integers(0, 4, len(answers))
    items, models = rng.permutation(len(codes)), rng.permutation(3)
    one = of(codes, cluster=cluster)
    two = of(codes[items][:, models], cluster=rng.permutation(4)[cluster][items])
    for name in SHARES:
        np.testing.assert_allclose(one.low[name][np.ix_(models, models)], two.low[name], atol=1e-9)
        inside = np.isfinite(one.low[name])
        assert (one.low[name] <= one.value[name] + 1e-12)[inside].all()
        np.testing.assert_array_equal(one.high[name], one.high[name].T)


def coverage(rng, *, runs, **settings):
    """How often the intervals of a share hold what many items show, without and with clusters."""
    answers, _ = draw(rng, clusters=100_000, per_cluster=1, models=2, within=settings["within"])
    one, two = answers.T
    truth = {
        "disagree": (one != two).mean(),
        "both_wrong": ((one > 0) & (two > 0)).mean(),
        "same_wrong": ((one == two) & (one > 0)).mean(),
        "one_right": ((one > 0) != (two > 0)).mean(),
    }
    held = {(name, kind): 0 for name in SHARES for kind in ("wilson", "clustered")}
    for _ in range(runs):
        answers, cluster = draw(rng, models=2, **settings)
        for kind, chosen in (("wilson", None), ("clustered", cluster)):
            found = of(answers, cluster=chosen)
            for name in SHARES:
                low, high = found.low[name][0, 1], found.high[name][0, 1]
                held[name, kind] += low <= truth[name] <= high
    return {key: number / runs for key, number in held.items()}


@pytest.mark.slow
@pytest.mark.parametrize(("clusters", "per_cluster"), [(300, 1), (60, 5), (20, 15)])
def test_coverage(clusters, per_cluster):
    runs = 2_000
    found = coverage(
        np.random.default_rng(7), runs=runs, clusters=clusters, per_cluster=per_cluster, within=0.5
    )
    gap = 4 * np.sqrt(0.95 * 0.05 / runs)  # 4 binomial standard errors
    for name in SHARES:
        assert found[name, "clustered"] > 0.95 - gap - (0.01 if clusters == 20 else 0)
        assert found[name, "clustered"] < 0.985
        if per_cluster == 1:
            assert abs(found[name, "wilson"] - 0.95) < gap
    # what independent items would get wrong
    assert (found["both_wrong", "wilson"] < 0.9) == (per_cluster > 1)
    assert ndtri(0.975) < stdtrit(19.0, 0.975)
