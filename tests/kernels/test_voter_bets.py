"""E-values of voters: exact expectation, what wins, and what cannot."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.kernels.lifting import Lifts, lifts
from caveat.kernels.paired import fit, units_of_wins
from caveat.kernels.voter_bets import PATTERNS, SHARES, VoterCells, weigh_voters


def cells(wins, losses, *, pairs, n_models):
    """Cells of voters (rows) by pairs (columns) from their wins and losses."""
    wins, losses = np.asarray(wins, dtype=float), np.asarray(losses, dtype=float)
    voter, pair = np.nonzero(wins + losses)
    first, second = np.array(pairs).T
    return VoterCells(
        n_voters=wins.shape[0],
        n_models=n_models,
        voter=voter,
        first=first[pair],
        second=second[pair],
        wins=wins[voter, pair],
        losses=losses[voter, pair],
        pool_wins=wins.sum(axis=0)[pair],
        pool_losses=losses.sum(axis=0)[pair],
    )


def assigned(seats, wins):
    """Yield every way to give `wins` of a pair to voters who cast `seats` votes each."""
    owner = np.repeat(np.arange(len(seats)), seats)
    for chosen in combinations(range(owner.size), wins):
        yield np.bincount(owner[list(chosen)], minlength=len(seats))


SEATS = np.array([[3, 1], [2, 3], [1, 1]])  # votes of three voters on two pairs
PAIRS = [(0, 1), (1, 2)]
WINS = (4, 2)  # of 6 and of 5


def every_assignment():
    for one in assigned(SEATS[:, 0], WINS[0]):
        for two in assigned(SEATS[:, 1], WINS[1]):
            won = np.column_stack([one, two])
            yield cells(won, SEATS - won, pairs=PAIRS, n_models=3)


PUSHES = Lifts(np.array([0, 2]), np.array([[2.0, 0.0, 1.0], [0.0, 0.0, 1.0]]), least=3)


@pytest.mark.parametrize("pushes", [None, PUSHES], ids=["without lifting", "with lifting"])
def test_expectation_over_every_assignment_is_at_most_one(pushes):
    """15 x 10 equally likely ways to hand the totals of both pairs out: no simulation needed."""
    e = np.exp([weigh_voters(one, pushes).log_e for one in every_assignment()])
    assert e.shape == (150, 3)
    assert (e.mean(axis=0) <= 1.0 + 1e-12).all()
    # All but guessing have expectation 1; guessing has a tenth of the weight.
    assert (e.mean(axis=0) >= 0.9).all()


def test_by_hand():
    # One pair, a pool of 40 with 20 each; the voter cast 2, both for the first model. For share s
    # the bet on it wins W(s) = (1-s)^2 + 2s(1-s) 40/20 + s^2 (40 x 39)/(20 x 19), the bet on the
    # other one (1-s)^2. Without lifting the weights 0.4, 0.15, 0.1, 0.1 are divided by 0.75.
    # "For" bets half each on the two models met, "against" likewise; the pool is even, so being
    # contrary means nothing (1). Guessing: 1/4 over (20 x 19)/(40 x 39).
    shares = np.array(SHARES)
    win = np.mean((1 - shares) ** 2 + 4 * shares * (1 - shares) + shares**2 * 40 * 39 / (20 * 19))
    lose = np.mean((1 - shares) ** 2)
    guess = 0.25 * 40 * 39 / (20 * 19)
    expected = ((0.4 + 0.15) * (win + lose) / 2 + 0.1 * 1.0 + 0.1 * guess) / 0.75
    found = weigh_voters(cells([[2], [18]], [[0], [20]], pairs=[(0, 1)], n_models=2))
    assert np.exp(found.log_e[0]) == pytest.approx(expected)
    assert found.votes.tolist() == [2, 38]


def board_of(n_models, *, each=400, spread=0.4):
    """Votes of a crowd on all pairs, as wins and losses, and the ratings they give."""
    strength = spread * np.arange(n_models)[::-1]
    pairs = list(combinations(range(n_models), 2))
    chance = np.array([1 / (1 + np.exp(strength[j] - strength[i])) for i, j in pairs])
    wins = np.round(each * chance)
    square = np.zeros((n_models, n_models))
    for (i, j), w in zip(pairs, wins, strict=True):
        square[i, j], square[j, i] = w, each - w
    theta = fit(units_of_wins(square)).theta
    return pairs, wins, each - wins, lifts(square + square.T, theta)


def voter_beside_crowd(votes_for_first, votes_for_second, n_models=6):
    pairs, wins, losses, pushes = board_of(n_models)
    one = cells(
        np.vstack([votes_for_first(pairs), wins]),
        np.vstack([votes_for_second(pairs), losses]),
        pairs=pairs,
        n_models=n_models,
    )
    return weigh_voters(one, pushes)


def test_who_always_backs_one_model_is_seen_backing_it():
    found = voter_beside_crowd(
        lambda pairs: [8.0 * (i == 3) for i, j in pairs],
        lambda pairs: [8.0 * (j == 3) for i, j in pairs],
    )
    assert PATTERNS[found.pattern[0]] == "for"
    assert found.model[0] == 3
    assert found.log_e[0] > np.log(1e6)


def test_who_always_votes_against_one_model_is_seen_doing_so():
    found = voter_beside_crowd(
        lambda pairs: [8.0 * (j == 2) for i, j in pairs],
        lambda pairs: [8.0 * (i == 2) for i, j in pairs],
    )
    assert (PATTERNS[found.pattern[0]], found.model[0]) == ("against", 2)
    assert found.log_e[0] > np.log(1e6)


def test_who_guesses_or_sides_with_the_minority_is_seen():
    half = voter_beside_crowd(lambda p: np.full(len(p), 12.0), lambda p: np.full(len(p), 12.0))
    assert PATTERNS[half.pattern[0]] == "guessing"
    contrary = voter_beside_crowd(lambda p: np.zeros(len(p)), lambda p: np.full(len(p), 6.0))
    assert PATTERNS[contrary.pattern[0]] == "contrary"
    assert contrary.log_e[0] > half.log_e[0] > np.log(100)


def test_who_lifts_a_model_with_votes_between_others_is_seen():
    pairs, wins, losses, _ = board_of(8)
    rng = np.random.default_rng(3)  # an uneven board: votes between others move ratings
    scale = rng.integers(1, 30, len(pairs))
    square = np.zeros((8, 8))
    for (i, j), w, v in zip(pairs, wins * scale, losses * scale, strict=True):
        square[i, j], square[j, i] = w, v
    pushes = lifts(square + square.T, fit(units_of_wins(square)).theta)
    u = pushes.push[8 + 5]
    up = np.array([u[i] > u[j] for i, j in pairs])
    found = weigh_voters(
        cells(
            np.vstack([3.0 * up, wins * scale]),
            np.vstack([3.0 * ~up, losses * scale]),
            pairs=pairs,
            n_models=8,
        ),
        pushes,
    )
    assert (PATTERNS[found.pattern[0]], found.model[0]) == ("lifting", 5)
    assert found.log_e[0] > np.log(1e6)


def test_a_voter_who_votes_as_the_others_wins_nothing():
    pairs, wins, losses, pushes = board_of(6)
    share = np.round(wins / 20)
    found = weigh_voters(
        cells(
            np.vstack([share, wins]),
            np.vstack([20 - share, losses]),
            pairs=pairs,
            n_models=6,
        ),
        pushes,
    )
    assert found.log_e[0] < 0


def test_votes_that_nobody_can_be_compared_with_say_nothing():
    alone = weigh_voters(cells([[30.0]], [[0.0]], pairs=[(0, 1)], n_models=2))
    assert (alone.log_e[0], alone.votes[0], alone.pattern[0]) == (0.0, 0.0, -1)
    agreed = weigh_voters(cells([[30.0], [50.0]], [[0.0], [0.0]], pairs=[(0, 1)], n_models=2))
    assert agreed.votes.tolist() == [0.0, 0.0]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_names_of_voters_and_models_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    pairs = list(combinations(range(4), 2))
    wins, losses = rng.integers(0, 4, (2, 5, len(pairs)))
    before = weigh_voters(cells(wins, losses, pairs=pairs, n_models=4))
    voters, models = rng.permutation(5), rng.permutation(4)
    renamed, flip = [], []
    for i, j in pairs:
        a, b = models[i], models[j]
        renamed.append((min(a, b), max(a, b)))
        flip.append(a > b)
    w, v = np.where(flip, losses, wins)[voters], np.where(flip, wins, losses)[voters]
    after = weigh_voters(cells(w, v, pairs=renamed, n_models=4))
    assert after.log_e == pytest.approx(before.log_e[voters], abs=1e-9)
    assert after.votes.tolist() == before.votes[voters].tolist()
