import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from caveat.kernels.both_orders import both_orders


def pairs(**numbers):
    """Verdicts from numbers such as `fs=3`: the first shown won, then the second shown."""
    code = {"f": 0, "s": 1, "t": 2}
    both = [(code[name[0]], code[name[1]]) for name, n in numbers.items() for _ in range(n)]
    return np.array(both).T


def test_by_hand():
    # 20 + 10 + 5 pairs have the same verdict (one model both times, the other, a tie) of 60; going
    # first won 12 times both times and going second 4: ln(12 / 4) / 2 logits. The sign test counts
    # 12 + 3 + 4 for the first and 4 + 1 + 1 for the second: 2 P(Bin(25, 1/2) <= 6).
    got = both_orders(*pairs(fs=20, sf=10, tt=5, ff=12, ss=4, ft=3, st=1, ts=1, tf=4), level=0.95)
    assert got.table.tolist() == [[12, 20, 3], [10, 4, 1], [4, 1, 5]]
    assert got.consistent == pytest.approx(35 / 60)
    assert (got.first_both, got.second_both, got.first_half, got.second_half) == (12, 4, 7, 2)
    assert got.advantage == pytest.approx(math.log(3) / 2)
    assert got.p == pytest.approx(2 * sum(math.comb(25, k) for k in range(7)) / 2**25)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=60))
def test_the_test_is_scipys_and_orders_may_be_exchanged(verdicts):
    one, other = np.array(verdicts).T
    got, turned = both_orders(one, other, level=0.9), both_orders(other, one, level=0.9)
    ahead, behind = got.first_both + got.first_half, got.second_both + got.second_half
    if ahead + behind:
        assert got.p == pytest.approx(binomtest(ahead, ahead + behind).pvalue, rel=1e-9)
    else:
        assert math.isnan(got.p)
    assert (turned.table == got.table.T).all()
    assert turned.consistent == got.consistent
    for name in ("p", "advantage", "advantage_low", "advantage_high"):
        assert getattr(turned, name) == pytest.approx(getattr(got, name), nan_ok=True)


def test_a_judge_that_sees_only_the_order_has_no_finite_advantage():
    got = both_orders(*pairs(ff=8), level=0.95)
    assert got.consistent == 0.0
    assert math.isnan(got.advantage)
    assert math.isinf(got.advantage_high)
    assert 0 < got.advantage_low < math.inf
    assert got.p == pytest.approx(2 / 2**8)


def test_a_judge_that_never_turns_has_no_estimate_and_is_consistent():
    one, other = pairs(fs=8, sf=2)
    got = both_orders(one, other, cluster=np.arange(10) // 2, level=0.95)
    assert got.consistent == 1.0
    assert math.isnan(got.advantage)
    assert math.isnan(got.p)


def test_pairs_of_one_item_count_together():
    one, other = pairs(fs=30, ff=20, ss=10)
    order = np.arange(60)
    twice = np.repeat(order, 2)
    alone = both_orders(one[twice], other[twice], level=0.95)
    together = both_orders(one[twice], other[twice], cluster=twice, level=0.95)
    assert together.n_clusters == 60
    assert together.high - together.low > 1.3 * (alone.high - alone.low)
    assert together.advantage_high - together.advantage_low > 1.3 * (
        alone.advantage_high - alone.advantage_low
    )


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [None, 60])
def test_coverage_of_the_advantage_whatever_the_models_are(clusters):
    # The strength of each pair is its own and unknown: the estimate needs no ratings. Pairs of one
    # item share an advantage of their own where there are clusters, and the truth is then that of
    # a million pairs.
    rng, reps, hits, truth = np.random.default_rng(5), 2000, 0, 0.3

    def drawn(n, groups):
        item = rng.integers(0, groups, n) if groups else None
        d, b = rng.normal(0, 1.0, n), np.full(n, 0.3)
        if groups:
            b = b + rng.normal(0, 0.5, groups)[item]
        one, other = (
            (rng.random(n) > 1 / (1 + np.exp(-(sign * d + b)))).astype(int) for sign in (1, -1)
        )
        return one, other, item

    if clusters:
        one, other, _ = drawn(4_000_000, 1_000_000)
        truth = both_orders(one, other, level=0.95).advantage
    for _ in range(reps):
        one, other, item = drawn(600, clusters)
        got = both_orders(one, other, cluster=item, level=0.95)
        hits += got.advantage_low <= truth <= got.advantage_high
    assert abs(hits / reps - 0.95) < 4 * math.sqrt(0.95 * 0.05 / reps)
