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


def weigh(voter, state, *, n_voters, n_pairs, link=None):
    pair, outcome = np.divmod(np.asarray(state), 3)
    voter = np.asarray(voter)
    link = linked(voter) if link is None else link
    return weigh_repeats(voter, pair, outcome, link, n_voters=n_voters, n_pairs=n_pairs)


def test_by_hand():
    # Voter 0: three ties on pair 2 (state 8), both chances taken. Voter 1: tie, win, tie, win
    # there: three chances, none taken, two of them after a tie. Repeats, share 1/2: others 0 of
    # 2, so (2 + 2) / (0 + 2) = 2, then 5 / 3: 1/4 + 2/4 x 2 + 1/4 x 10/3; share 0.9: 0.01 + 0.18 x
    # 2 + 0.81 x 10/3. Outcomes: others 2 ties of 4 votes: (4 + 2) / (2 + 2) = 3/2, then 7/5: 1/4 +
    # 2/4 x 3/2 + 1/4 x 21/10; 0.01 + 0.18 x 3/2 + 0.81 x 21/10. The second is smaller.
    found = weigh([0, 0, 0, 1, 1, 1, 1], [8, 8, 8, 8, 6, 8, 6], n_voters=2, n_pairs=3)
    repeats = (0.25 + 1.0 + 0.25 * 10 / 3 + 0.01 + 0.36 + 0.81 * 10 / 3) / 2
    outcomes = (0.25 + 0.75 + 0.25 * 2.1 + 0.01 + 0.27 + 0.81 * 2.1) / 2
    assert outcomes < repeats
    assert np.exp(found.log_e[0]) == pytest.approx(outcomes)
    assert found.log_e[1] == -np.inf
    assert found.chances.tolist() == [2, 3]
    assert found.usual[8] == pytest.approx(2 / 4)


def arena(rng, n_voters, votes, shares):
    """Votes in states of these shares, three states a pair."""
    state = rng.choice(shares.size, size=n_voters * votes, p=shares)
    return np.repeat(np.arange(n_voters), votes), state


def test_a_burst_stands_out_and_a_sorted_table_does_not():
    rng = np.random.default_rng(2)
    voter, state = arena(rng, 200, 20, np.full(99, 1 / 99))
    state[:16] = 4
    found = weigh(voter, state, n_voters=200, n_pairs=33)
    assert found.log_e[0] > np.log(1e4)
    assert found.log_e[1:].max() < np.log(1e3)
    order = np.lexsort((state // 3, voter))  # everybody's votes by pair: repeats are usual
    found = weigh(voter, state[order], n_voters=200, n_pairs=33)
    assert found.log_e[1:].max() < np.log(1e3)


def test_a_voter_who_was_shown_one_lopsided_pair_does_not_stand_out():
    rng = np.random.default_rng(3)
    shares = np.tile([0.92, 0.03, 0.05], 30) / 30
    voter, state = arena(rng, 100, 30, shares)
    state[:30] = rng.choice(3, 30, p=[0.92, 0.03, 0.05])
    assert weigh(voter, state, n_voters=100, n_pairs=30).log_e[0] < np.log(20)
    state[:30] = 2  # thirty ties where one in twenty is usual
    assert weigh(voter, state, n_voters=100, n_pairs=30).log_e[0] > np.log(1e3)


def test_order_of_voters_does_not_matter():
    rng = np.random.default_rng(4)
    voter, state = arena(rng, 30, 15, np.array([0.5, 0.3, 0.2]))
    before = weigh(voter, state, n_voters=30, n_pairs=1).log_e
    order = rng.permutation(30)
    blocks = state.reshape(30, 15)[order].ravel()
    after = weigh(voter, blocks, n_voters=30, n_pairs=1).log_e
    assert after == pytest.approx(before[order])


def test_nobody_to_compare_with():
    found = weigh([0] * 50, [1] * 50, n_voters=1, n_pairs=1)
    assert found.log_e[0] == pytest.approx(0.0)
    assert weigh([0, 1], [1, 1], n_voters=2, n_pairs=1).log_e.tolist() == [-np.inf, -np.inf]


@pytest.mark.slow
@pytest.mark.parametrize("shares", [[0.5, 0.3, 0.2], [0.9, 0.1, 0.0], [1 / 60] * 60])
def test_the_mean_of_honest_voters_is_at_most_one(shares):
    rng = np.random.default_rng(11)
    shares = np.array(shares)
    e = []
    for _ in range(200):
        voter, state = arena(rng, 100, 12, shares)
        found = weigh(voter, state, n_voters=100, n_pairs=shares.size // 3)
        e.append(np.exp(found.log_e).mean())
    assert np.mean(e) <= 1.0 + 4 * np.std(e) / np.sqrt(len(e))  # 4 standard errors
