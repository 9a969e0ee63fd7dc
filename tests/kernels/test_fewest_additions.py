import itertools

import numpy as np
import pytest
from scipy.special import expit

from caveat.kernels.addition_contests import AdditionContests
from caveat.kernels.contests import BoardUnderTest, Contest, contests
from caveat.kernels.counts import VoteCells
from caveat.kernels.fewest_additions import Wins, fewest_additions
from caveat.kernels.paired import Units, fit
from caveat.kernels.vote_kinds import sort_votes
from caveat.kernels.warm_refit import Refit, inverse_information

TIES = ("half-win", "davidson", "rao-kupper")


def board_of(rows, m, ties="half-win", position=False):
    a, b, o, n = np.array(rows).T
    n = n.astype(float)
    kinds = sort_votes(VoteCells(m, a, b, o, n, n, n), position=position).kinds
    x = fit(kinds.pairs, ties=ties).parameters
    inverse = inverse_information(kinds.pairs, x, ties=ties)
    return BoardUnderTest(kinds, Refit(x, inverse, converged=True), ties), np.argsort(-x[:m])


def search(board, contest, position=False, only=None):
    return fewest_additions(
        board.start(contest),
        board.contrast(contest),
        ties=board.ties,
        position=position,
        only=only,
    )


def gap(wins, above, below):
    """Half-win rating difference by plain Newton steps."""
    votes, theta = wins + wins.T, np.zeros(wins.shape[0])
    for _ in range(100):
        p = expit(theta[:, None] - theta[None, :])
        edge = votes * p * (1 - p)
        matrix = np.diag(edge.sum(axis=1)) - edge + 1.0 / theta.size
        step = np.linalg.solve(matrix, (wins - votes * p).sum(axis=1))
        theta += step / max(1.0, np.abs(step).max())
    return theta[above] - theta[below]


@pytest.mark.parametrize("ties", ["half-win", "davidson"])
def test_two_models_by_hand(ties):
    # 30 to 20: with 10 more wins of the other they are level, with 11 it is 30 to 31
    rows = [(0, 1, 0, 30), (0, 1, 1, 20)] + ([(0, 1, 2, 7)] if ties != "half-win" else [])
    board, _ = board_of(rows, 2, ties)
    found = search(board, Contest(0, 1))
    assert found.number == 11
    named = {
        (int(found.kinds.pairs.a[p]), int(r)): n
        for p, r, n in zip(found.kinds.pair, found.kinds.result, found.added, strict=True)
        if n
    }
    assert named == {(0, 1): 11}
    assert found.state.gap == pytest.approx(np.log(30 / 31))


def test_losing_to_a_weak_model_costs_most():
    # 0 and 1 are close; 2 is weak. A defeat of 0 by 2 is a surprise of 0.9 and moves 0 nearly as
    # much as a defeat by 1, a surprise of 0.5, moves both.
    rows = [(0, 1, 0, 520), (0, 1, 1, 480), (0, 2, 0, 90), (0, 2, 1, 10), (1, 2, 0, 900),
            (1, 2, 1, 100)]  # fmt: skip
    board, _ = board_of(rows, 3)
    found = search(board, Contest(0, 1))
    direct = search(board, Contest(0, 1), only=Wins(1, 0))
    assert found.number <= direct.number
    assert direct.kinds.pair.size == 1


@pytest.mark.parametrize("seed", range(6))
def test_no_other_mix_of_fewer_votes_does(seed):
    rng = np.random.default_rng(seed)
    while True:
        counts = rng.integers(1, 9, (3, 3))
        pairs = list(itertools.combinations(range(3), 2))
        rows = [(*pairs[p], o, int(counts[p, o])) for p in range(3) for o in range(3)]
        board, order = board_of(rows, 3)
        contest = Contest(int(order[0]), int(order[1]))
        found = search(board, contest)
        if board.start(contest).gap > 1e-6 and found.number <= 5:
            break
    wins = np.zeros((3, 3))
    for a, b, o, n in rows:
        wins[a, b] += n * (1, 0, 0.5)[o]
        wins[b, a] += n * (0, 1, 0.5)[o]
    ways = [*itertools.permutations(range(3), 2)]

    def turned(mix):
        more = wins.copy()
        for winner, loser in mix:
            more[winner, loser] += 1
        return gap(more, contest.above, contest.below) < -1e-9

    mixes = itertools.combinations_with_replacement(ways, found.number - 1)
    assert not any(turned(mix) for mix in mixes)
    assert any(turned(m) for m in itertools.combinations_with_replacement(ways, found.number))


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("position", [False, True])
def test_one_vote_fewer_does_not_do(ties, position):
    rng = np.random.default_rng(2)
    rows = [
        (i, j, o, int(rng.poisson((60, 40, 20)[o]) + 1))
        for i, j in itertools.permutations(range(6), 2)
        for o in range(3)
    ]
    board, order = board_of(rows, 6, ties, position)
    contest = Contest(int(order[0]), int(order[3]))
    found = search(board, contest, position)
    assert board.contrast(contest) @ with_votes(board, found, found.added) < 0
    used = np.flatnonzero(found.added)
    for kind in used:
        fewer = found.added.copy()
        fewer[kind] -= 1
        assert board.contrast(contest) @ with_votes(board, found, fewer) > -1e-8


def with_votes(board, found, added):
    """Parameters of the board with made-up votes, fitted from nothing."""
    old, new = board.kinds.pairs, found.kinds.with_counts(added)
    names = ("a", "b", "wins", "losses", "ties", "covariates")
    both = (np.concatenate([getattr(old, name), getattr(new, name)]) for name in names)
    return fit(Units(old.n_models, *both), ties=board.ties).parameters


def test_the_cheapest_contest_is_kept():
    rows = [(0, 1, 0, 3000), (0, 1, 1, 2700), (0, 2, 0, 13), (0, 2, 1, 11), (1, 2, 0, 14),
            (1, 2, 1, 13)]  # fmt: skip
    board, order = board_of(rows, 3)
    searches = AdditionContests(board, position=False)
    found = searches.cheapest(contests(board, order, 1))
    assert found.contest == Contest(0, 2)
    assert found.additions.number < searches.fewest(Contest(0, 1)).number
    assert searches.direct(Contest(0, 2)).number >= found.additions.number


def test_boards_of_many_models_try_votes_of_the_two(monkeypatch):
    monkeypatch.setattr("caveat.kernels.fewest_additions._ALL_PAIRS", 2)
    rows = [(i, j, o, 5 + 3 * (i < j) * (o == 0)) for i in range(4) for j in range(i + 1, 4)
            for o in range(2)]  # fmt: skip
    board, order = board_of(rows, 4)
    contest = Contest(int(order[0]), int(order[1]))
    found = search(board, contest)
    ends = found.kinds.pairs
    assert all({a, b} & {contest.above, contest.below} for a, b in zip(ends.a, ends.b, strict=True))
    monkeypatch.undo()
    assert search(board, contest).number == found.number
