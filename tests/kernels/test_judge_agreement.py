import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.judge_agreement import judge_agreement


def shares(verdicts, k=3):
    return np.eye(k)[np.asarray(verdicts)]


def test_by_hand():
    # of 10: both a 4 times, both b 3 times, a-b twice, b-a once. Agreement 0.7; a in 6 and 5, b in
    # 4 and 5, so chance is 0.6 * 0.5 + 0.4 * 0.5 = 0.5 and kappa (0.7 - 0.5) / 0.5 = 0.4
    one, other = [0] * 4 + [1] * 3 + [0] * 2 + [1], [0] * 4 + [1] * 3 + [1] * 2 + [0]
    got = judge_agreement(shares(one), shares(other), level=0.95)
    assert got.agree == pytest.approx(0.7)
    assert got.kappa == pytest.approx(0.4)
    assert got.n_clusters == 10


def test_a_judge_agrees_with_itself():
    got = judge_agreement(shares([0, 1, 2, 0]), shares([0, 1, 2, 0]), level=0.95)
    assert (got.agree, got.kappa) == (1.0, 1.0)


def test_kappa_is_undefined_where_both_always_say_the_same():
    got = judge_agreement(shares([1, 1, 1]), shares([1, 1, 1]), level=0.95)
    assert got.agree == 1.0
    assert math.isnan(got.kappa)
    assert math.isnan(got.kappa_low)


def test_several_votes_of_a_judge_are_shares():
    # two voters split on the only comparison: half of each agrees
    got = judge_agreement(np.array([[0.5, 0.5, 0]]), shares([0]), level=0.95)
    assert got.agree == 0.5
    assert math.isnan(got.kappa_low)


def test_against_scikit_learn_and_statsmodels():
    metrics = pytest.importorskip("sklearn.metrics")
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    rng = np.random.default_rng(3)
    one = rng.integers(0, 3, 500)
    other = np.where(rng.random(500) < 0.6, one, rng.integers(0, 3, 500))
    got = judge_agreement(shares(one), shares(other), level=0.95)
    assert got.kappa == pytest.approx(metrics.cohen_kappa_score(one, other), abs=1e-12)
    table = np.zeros((3, 3))
    np.add.at(table, (one, other), 1)
    want = rater.cohens_kappa(table)
    # statsmodels has no factor n / (n - 1) and a normal quantile; t with 499 degrees is 1.96473
    error = (got.kappa_high - got.kappa_low) / 2 / 1.9647293909
    assert error == pytest.approx(want.std_kappa * math.sqrt(500 / 499), rel=1e-6)


verdicts = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=3, max_size=30)


@given(verdicts, st.permutations(range(3)), st.randoms())
def test_judges_verdicts_and_rows_may_be_exchanged(votes, names, random):
    one, other = np.array(votes).T
    order = list(range(one.size))
    random.shuffle(order)
    a = judge_agreement(shares(one), shares(other), cluster=np.arange(one.size) // 2, level=0.9)
    names = np.array(names)
    b = judge_agreement(
        shares(names[other][order]), shares(names[one][order]),
        cluster=(np.arange(one.size) // 2)[order], level=0.9,
    )  # fmt: skip
    for name in ("agree", "low", "high", "kappa", "kappa_low", "kappa_high"):
        assert getattr(a, name) == pytest.approx(getattr(b, name), abs=1e-9, nan_ok=True)


@pytest.mark.slow
@pytest.mark.parametrize("per_item", [1, 5])
def test_coverage_of_kappa_with_items_as_clusters(per_item):
    # On each item both judges lean to one verdict by a lean of the item's own; a lean shared by
    # the comparisons of an item makes them dependent.
    rng, reps, hits, items = np.random.default_rng(9), 2000, 0, 80

    def drawn(groups):
        item = np.repeat(np.arange(groups), per_item)
        lean = rng.dirichlet([1.5, 1.5, 0.7], groups)[item]
        pick = lambda: (rng.random(item.size)[:, None] > lean.cumsum(axis=1)).sum(axis=1)  # noqa: E731
        return shares(pick()), shares(pick()), item

    one, other, _ = drawn(400_000)
    truth = judge_agreement(one, other, level=0.95).kappa
    for _ in range(reps):
        one, other, item = drawn(items)
        got = judge_agreement(one, other, cluster=item, level=0.95)
        hits += got.kappa_low <= truth <= got.kappa_high
    assert abs(hits / reps - 0.95) < 4 * math.sqrt(0.95 * 0.05 / reps)
