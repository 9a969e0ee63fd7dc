import numpy as np
import pytest
from scipy.special import expit

from caveat.kernels.lifting import lifts
from caveat.kernels.paired import fit, units_of_wins


def test_two_models_by_hand():
    # 10 votes, 5 each: information of the difference is 10 / 4 = 2.5, so one vote of the first for
    # itself moves the difference by (1 - 1/2) / 2.5 = 0.2; u_1 - u_2 is 1 / 2.5 = 0.4 for the
    # difference (leader against the next), and half of it for a rating against the mean.
    found = lifts(np.array([[0.0, 10.0], [10.0, 0.0]]), np.zeros(2))
    assert found.target.tolist() == [0, 1, 0, 1]
    gap = found.push[:, 0] - found.push[:, 1]
    assert gap == pytest.approx([0.2, -0.2, 0.4, -0.4])


def test_the_sign_is_that_of_a_refit():
    """Oracle: add one vote and fit again."""
    rng = np.random.default_rng(7)
    m = 6
    votes = rng.integers(20, 300, (m, m))
    wins = np.triu(votes, 1) * 1.0
    theta = rng.normal(0, 0.7, m)
    p = expit(theta[:, None] - theta[None, :])
    wins = np.triu(rng.binomial(votes, p), 1) + np.triu(rng.binomial(votes, p), 1).T * 0.5 + 1.0
    np.fill_diagonal(wins, 0.0)
    before = fit(units_of_wins(wins)).theta
    found = lifts(wins + wins.T, before)
    order = np.argsort(-before)
    for place, target in enumerate(order):
        rival = order[place - 1] if place else order[1]
        for i in range(m):
            for j in range(i + 1, m):
                more = wins.copy()
                more[i, j] += 1.0
                moved = fit(units_of_wins(more), start=before).theta - before
                u = found.push[target]
                assert np.sign(u[i] - u[j]) == np.sign(moved[target])
                u = found.push[m + target]
                assert np.sign(u[i] - u[j]) == np.sign(moved[target] - moved[rival])


def test_on_an_even_board_votes_between_others_move_no_rating():
    m = 5
    wins = 50.0 * (1 - np.eye(m))
    found = lifts(2 * wins, fit(units_of_wins(wins)).theta)
    for target in range(m):
        others = np.delete(found.push[target], target)
        assert np.ptp(others) < 1e-12


def test_unrated_models_have_no_push():
    votes = np.array([[0, 10, 3], [10, 0, 0], [3, 0, 0.0]])
    found = lifts(votes, np.array([0.1, -0.1, np.nan]))
    assert sorted(set(found.target.tolist())) == [0, 1]
    assert np.isnan(found.push[:, 2]).all()
    assert lifts(votes, np.full(3, np.nan)).target.size == 0
