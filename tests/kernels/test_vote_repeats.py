import numpy as np
import pytest

from caveat.kernels.vote_repeats import runs, weigh_repeats


def linked(voter):
    return voter[1:] == voter[:-1]


def test_runs_end_with_the_state_the_voter_and_the_link():
    voter = np.array([0, 0, 0, 0, 1, 1, 1])
    state = np.array([5, 5, 2, 5, 5, 5, 5])
    found = runs(voter, state, linked(voter))
    assert found.start.tolist() == [0, 2, 3, 4]
    assert found.length.tolist() == [2, 1, 1, 3]
    late = np.array([True, True, True, False, False, True])  # the vote in row 5 came much later
    assert runs(voter, state, late).length.tolist() == [2, 1, 1, 1, 2]
    nothing = np.zeros(0, np.int64)
    assert runs(nothing, nothing, np.zeros(0, bool)).start.size == 0


def test_by_hand():
    # Voter 0: 7 7 7: two chances in state 7, both taken. Voter 1: 7 8 7 8: two chances, none.
    # Others of voter 0: (2 + 2) / (0 + 2) = 2, then 5 / 3. Share 1/2: 1/4 + 2/4 x 2 + 1/4 x 10/3;
    # share 0.9: 0.01 + 0.18 x 2 + 0.81 x 10/3.
    voter = np.array([0, 0, 0, 1, 1, 1, 1])
    state = np.array([7, 7, 7, 7, 8, 7, 8])
    found = weigh_repeats(voter, state, linked(voter), n_voters=2, n_states=9)
    half, most = 0.25 + 1.0 + 0.25 * 10 / 3, 0.01 + 0.36 + 0.81 * 10 / 3
    assert np.exp(found.log_e[0]) == pytest.approx((half + most) / 2)
    assert found.log_e[1] == -np.inf
    assert found.chances.tolist() == [2, 3]
    assert found.usual[7] == pytest.approx(2 / 4)


def arena(rng, n_voters, votes, shares):
    state = rng.choice(shares.size, size=n_voters * votes, p=shares)
    return np.repeat(np.arange(n_voters), votes), state


def test_a_burst_stands_out_and_a_sorted_table_does_not():
    rng = np.random.default_rng(2)
    voter, state = arena(rng, 200, 20, np.full(100, 0.01))
    state[:12] = 3
    found = weigh_repeats(voter, state, linked(voter), n_voters=200, n_states=100)
    assert found.log_e[0] > np.log(1e6)
    assert found.log_e[1:].max() < np.log(1e3)
    order = np.lexsort((state, voter))  # everybody's votes by pair: repeats are what is usual
    found = weigh_repeats(voter, state[order], linked(voter), n_voters=200, n_states=100)
    assert found.log_e[1:].max() < np.log(1e3)


def test_order_of_voters_does_not_matter():
    rng = np.random.default_rng(4)
    voter, state = arena(rng, 30, 15, np.array([0.5, 0.3, 0.2]))
    before = weigh_repeats(voter, state, linked(voter), n_voters=30, n_states=3).log_e
    order = rng.permutation(30)
    blocks = state.reshape(30, 15)[order].ravel()
    after = weigh_repeats(voter, blocks, linked(voter), n_voters=30, n_states=3).log_e
    assert after == pytest.approx(before[order])


@pytest.mark.slow
@pytest.mark.parametrize("shares", [[0.5, 0.3, 0.2], [0.9, 0.1], [0.02] * 50])
def test_the_mean_of_honest_voters_is_at_most_one(shares):
    rng = np.random.default_rng(11)
    shares = np.array(shares)
    e = []
    for _ in range(200):
        voter, state = arena(rng, 100, 12, shares)
        found = weigh_repeats(voter, state, linked(voter), n_voters=100, n_states=shares.size)
        e.append(np.exp(found.log_e).mean())
    assert np.mean(e) <= 1.0 + 4 * np.std(e) / np.sqrt(len(e))  # 4 standard errors
