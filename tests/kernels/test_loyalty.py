import numpy as np
import pytest
from scipy.stats import betabinom, binom

from caveat.kernels.loyalty import LEAST_RHO, Backing, backing, correlation, upper_tail
from caveat.kernels.voter_cells import VoterCells


def rows(votes, backed, expected, noise=0.0):
    votes, backed, expected = (
        np.atleast_1d(np.asarray(x, float)) for x in (votes, backed, expected)
    )
    who = np.arange(votes.size)
    return Backing(who, who, votes, backed, expected, np.full(votes.size, float(noise)))


def test_backing_by_hand():
    # Voter 0 on the pair (0, 1): 3 of 4 for 0, the pool 8 of 14; others 5 of 10, taken as 5.5 of
    # 11. On (0, 2): 2 of 2, the pool 5 of 8; others 3 of 6, 3.5 of 7. Expected of 0: 4/2 + 2/2.
    cells = VoterCells(
        n_voters=1,
        n_models=3,
        voter=np.array([0, 0]),
        first=np.array([0, 0]),
        second=np.array([1, 2]),
        wins=np.array([3.0, 2.0]),
        losses=np.array([1.0, 0.0]),
        pool_wins=np.array([8.0, 5.0]),
        pool_losses=np.array([6.0, 3.0]),
    )
    found = backing(cells)
    assert found.model.tolist() == [0, 1, 2]
    assert found.votes.tolist() == [6, 4, 2]
    assert found.backed.tolist() == [5, 1, 0]
    assert found.expected == pytest.approx([0.5, 0.5, 0.5])
    # Of 4 x 1/2 with a rate known from 11 votes, and of 2 x 1/2 from 7: 16/4/11 and 4/4/7.
    assert found.noise == pytest.approx([16 / 44 + 1 / 7, 16 / 44, 1 / 7])


def test_the_tail_is_that_of_scipys_beta_binomial():
    n, k, mu = np.array([12.0, 12.0, 40.0]), np.array([12.0, 11.0, 37.0]), np.array([0.4, 0.6, 0.8])
    for rho in (0.02, 0.3):
        s = (1 - rho) / rho
        expected = betabinom(n.astype(int), s * mu, s * (1 - mu)).sf(k - 1)
        assert upper_tail(rows(n, k, mu), rho, 0.9) == pytest.approx(expected, rel=1e-9)


def test_without_correlation_it_is_the_binomial():
    found = upper_tail(rows(10, 10, 0.7), LEAST_RHO, 0.9)
    assert found == pytest.approx(0.7**10, rel=1e-4)  # rho is 1e-6, not 0
    assert upper_tail(rows(20, 19, 0.5), LEAST_RHO, 0.9) == pytest.approx(
        binom(20, 0.5).sf(18), rel=1e-3
    )


def test_shares_below_the_least_are_not_looked_at():
    assert upper_tail(rows(10, 8, 0.1), 0.01, 0.9) == 1.0
    assert upper_tail(rows(10, 9, 0.1), 0.01, 0.9) < 1e-6
    assert upper_tail(rows([], [], []), 0.01, 0.9).size == 0


def test_correlation_by_hand():
    # Two voters, 4 votes each at 1/2: 4 and 0 back it. (2^2 + 2^2 - 2 x 1) / (2 x 1 x 3) = 1 -> cut
    # to 0.99; 3 and 1: (1 + 1 - 2) / 6 = 0 -> the least there is.
    assert correlation(rows([4, 4], [4, 0], [0.5, 0.5])) == 0.99
    assert correlation(rows([4, 4], [3, 1], [0.5, 0.5])) == LEAST_RHO
    assert correlation(rows([1, 1], [1, 0], [0.5, 0.5])) == LEAST_RHO


def test_what_is_not_known_of_the_mean_is_no_difference_in_taste():
    # The 4 of 4 above with a variance of 6 of n mu: (8 - 2 - 2 x 6) / 6 < 0.
    assert correlation(rows([4, 4], [4, 0], [0.5, 0.5], noise=6.0)) == LEAST_RHO
    # In the tail it stands for correlation: 0.3 x 10 x 9 / 4 is that of rho 0.3.
    sure, unsure = upper_tail(rows(10, 10, 0.5), 0.3 + LEAST_RHO, 0.9), rows(10, 10, 0.5, 6.75)
    assert upper_tail(unsure, LEAST_RHO, 0.9) == pytest.approx(sure)


def test_correlation_is_found_again():
    rng = np.random.default_rng(5)
    n, mu = rng.integers(2, 60, 20_000).astype(float), rng.uniform(0.2, 0.8, 20_000)
    s = (1 - 0.15) / 0.15
    k = rng.binomial(n.astype(int), rng.beta(s * mu, s * (1 - mu))).astype(float)
    # 20,000 voters: the standard error of rho is about 0.15 x sqrt(2 / 20,000) = 0.0015; four.
    assert correlation(rows(n, k, mu)) == pytest.approx(0.15, abs=0.006)
