import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import binom, hypergeom

from caveat.kernels.rigging_bets import log_backing, log_guessing, log_repeating


def filled(like, *values):
    return tuple(np.full(like.shape, float(value)) for value in values)


def backing(k, n, pool_kind, pool, share):
    k = np.atleast_1d(np.asarray(k, dtype=float))
    return np.exp(log_backing(k, *filled(k, n, pool_kind, pool), share))


@st.composite
def pairs(draw, largest=60):
    """Pool N, of a kind K, own n; and every k that can be."""
    pool = draw(st.integers(1, largest))
    kind, own = draw(st.integers(0, pool)), draw(st.integers(1, pool))
    return pool, kind, own, np.arange(max(0, own - (pool - kind)), min(own, kind) + 1.0)


def test_backing_by_hand():
    # N = 10 votes, K = 4 for the model; a voter cast n = 2, both for it; share 1/2.
    # i = 0: 1/4 x 1; i = 1: 2 x 1/4 x 10/4 = 1.25; i = 2: 1/4 x (10 x 9) / (4 x 3) = 1.875.
    assert backing(2, 2, 4, 10, 0.5) == pytest.approx(0.25 + 1.25 + 1.875)
    # One of two: 1/4 + 1/4 x 10/4. None: 1/4.
    assert backing(1, 2, 4, 10, 0.5) == pytest.approx(0.25 + 0.625)
    assert backing(0, 2, 4, 10, 0.5) == pytest.approx(0.25)
    # Of the 45 ways to draw two of ten, 6, 24 and 15 hold two, one and none of the four.
    mean = (6 * 3.375 + 24 * 0.875 + 15 * 0.25) / 45
    assert mean == pytest.approx(1.0)


def test_backing_in_a_large_pool_is_the_product_over_votes():
    # Each vote for the model multiplies by 1 - share + share / p, each other one by 1 - share.
    p = 0.3
    expected = (0.25 + 0.75 / p) ** 5 * 0.25**2
    assert backing(5, 7, p * 1e9, 1e9, 0.75) == pytest.approx(expected, rel=1e-6)


@given(pairs(), st.floats(0.01, 0.99))
def test_backing_has_expectation_one_whatever_the_counts(case, share):
    pool, kind, own, k = case
    chance = hypergeom(pool, kind, own).pmf(k)
    assert chance @ backing(k, own, kind, pool, share) == pytest.approx(1.0, rel=1e-9)


@settings(deadline=None, max_examples=30)
@given(pairs(20), st.floats(0.01, 0.99))
def test_backing_is_the_likelihood_ratio_of_votes_rigged_one_by_one(case, share):
    """Oracle: SciPy's distributions, as a mixture over the number i of rigged votes."""
    pool, kind, own, k = case
    assume(pool > own and kind >= own)  # else fewer of the kind than could be rigged
    rigged = sum(
        binom(own, share).pmf(i) * hypergeom(pool - i, kind - i, own - i).pmf(k - i)
        for i in range(own + 1)
    )
    honest = hypergeom(pool, kind, own).pmf(k)
    assert backing(k, own, kind, pool, share) == pytest.approx(rigged / honest, rel=1e-8)


def test_backing_says_nothing_where_the_totals_leave_no_choice():
    assert backing([3], 5, 3, 5, 0.9) == 1.0  # nobody else voted
    assert backing([0], 5, 0, 50, 0.9) == 1.0  # nobody voted for it
    assert backing([5], 5, 50, 50, 0.9) == pytest.approx(1.0)  # everybody did


def test_backing_of_many_votes_is_the_same_sum():
    short, long = 64, 65  # where the way of summing changes
    ratio = [backing(k, 80, 500, 1000, 0.6)[0] for k in (short - 1, short, long, long + 1)]
    steps = np.diff(np.log(ratio))
    assert np.ptp(steps) < 0.01  # smooth across the change
    k, n, pool_kind, pool = (np.array([x]) for x in (50_000.0, 50_000.0, 2e5, 1e6))
    assert 0 < log_backing(k, n, pool_kind, pool, 0.5)[0] < 1e6


def test_backing_where_few_of_the_kind_exist_beside_many_votes():
    k, n, pool_kind, pool = (np.array([x]) for x in (1.0, 2000.0, 1.0, 4000.0))
    # One vote of the kind in 4000, and this voter with half of them cast it: E = 1 over k = 0, 1,
    # each with chance 1/2, so the ratio is between 1 and 2.
    assert 1.0 < math.exp(log_backing(k, n, pool_kind, pool, 0.95)[0]) <= 2.0 + 1e-9


def test_guessing_by_hand():
    # 8 of 10 votes for the first; a voter cast one each way: 1/4 against
    # 2 x 8 x 2 / 90 / 2 = 8 x 2 / 90 for one order of the two.
    found = np.exp(log_guessing(*(np.array([x]) for x in (1.0, 1.0, 8.0, 2.0))))
    assert found == pytest.approx(0.25 / (8 * 2 / 90))


@given(pairs())
def test_guessing_has_expectation_at_most_one(case):
    pool, kind, own, k = case
    chance = hypergeom(pool, kind, own).pmf(k)
    won = np.exp(log_guessing(k, own - k, *filled(k, kind, pool - kind)))
    mean = chance @ won
    assert mean <= 1.0 + 1e-9
    if own <= min(kind, pool - kind):
        assert mean == pytest.approx(1.0, rel=1e-8)


@pytest.mark.parametrize("s", [0.1, 0.5])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_repeating_has_expectation_at_most_one_for_independent_chances(s, share):
    """Sum over both numbers of repeats; one repeat is added to those of the others."""
    m, others = 6, 30
    k, seen = np.meshgrid(np.arange(m + 1.0), np.arange(others + 1.0))
    chance = binom(m, s).pmf(k) * binom(others, s).pmf(seen)
    won = np.exp(
        log_repeating(
            k.ravel(), *filled(k.ravel(), m), seen.ravel(), *filled(k.ravel(), others), share
        )
    )
    assert chance.ravel() @ won <= 1.0 + 1e-12


def test_repeating_by_hand():
    # One chance, taken; others 8 of 98: 1/2 + 1/2 x (98 + 2) / (8 + 2) = 5.5.
    one = np.ones(1)
    assert np.exp(log_repeating(one, one, 8 * one, 98 * one, 0.5)) == pytest.approx(5.5)
    assert np.exp(log_repeating(0 * one, one, 8 * one, 98 * one, 0.5)) == pytest.approx(0.5)


@pytest.mark.slow
@pytest.mark.parametrize("s", [0.1, 0.3, 0.6, 0.9])
@pytest.mark.parametrize(("voters", "votes"), [(1, 30), (5, 5), (20, 10), (3, 100)])
def test_repeating_has_expectation_at_most_one_in_sequences(s, voters, votes):
    """Others vote in sequences, where repeats after a state are fewer than its share of votes."""
    rng = np.random.default_rng(20_250_130)
    draws, m = 20_000, 8
    states = rng.random((draws, voters, votes)) < s
    chances = states[:, :, :-1].sum(axis=(1, 2)).astype(float)
    repeats = (states[:, :, :-1] & states[:, :, 1:]).sum(axis=(1, 2)).astype(float)
    own = rng.binomial(m, s, draws).astype(float)
    for share in (0.5, 0.9):
        won = np.exp(log_repeating(own, np.full(draws, float(m)), repeats, chances, share))
        assert won.mean() <= 1.0 + 4 * won.std() / np.sqrt(draws)  # 4 standard errors
