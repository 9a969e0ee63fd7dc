"""Searches against all subsets, and against refits by a solver that shares nothing with ours."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit

from caveat.kernels.contests import BoardUnderTest, Contest, contests
from caveat.kernels.counts import VoteCells
from caveat.kernels.drop_clusters import ClusterRemovals
from caveat.kernels.fewest_removals import fewest_removals
from caveat.kernels.paired import fit
from caveat.kernels.removal_contests import RemovalContests
from caveat.kernels.small_sets import Question, small_sets
from caveat.kernels.vote_kinds import sort_votes
from caveat.kernels.warm_refit import Refit, inverse_information, islands


def cells_of(rows, m):
    a, b, o, n = np.array(rows).T
    n = n.astype(float)
    return VoteCells(m, a, b, o, n, n, n)


def board_of(rows, m, ties="half-win", position=False):
    """A fitted board, and its models best first."""
    made = sort_votes(cells_of(rows, m), position=position)
    x = fit(made.kinds.pairs, ties=ties).parameters
    inverse = inverse_information(made.kinds.pairs, x, ties=ties)
    board = BoardUnderTest(made.kinds, Refit(x, inverse, converged=True), ties)
    return board, np.argsort(-x[:m], kind="stable"), made.place


def search(board, contest):
    return fewest_removals(board.votes(contest), board.start(contest))


def all_gaps(kinds, counts, above, below):
    """Half-win gaps of many boards at once by Newton's method; nan where none exists."""
    m = kinds.pairs.n_models
    wins = np.zeros((counts.shape[0], m, m))
    for k in range(kinds.count.size):
        x, y, n = kinds.pairs.a[kinds.pair[k]], kinds.pairs.b[kinds.pair[k]], counts[:, k]
        share = (1.0, 0.0, 0.5)[kinds.result[k]]
        wins[:, x, y] += n * share
        wins[:, y, x] += n * (1 - share)
    reach = (wins > 0) | np.eye(m, dtype=bool)
    for _ in range(m):
        reach = (reach[:, :, :, None] & reach[:, None, :, :]).any(axis=2)
    whole = np.flatnonzero(reach.all(axis=(1, 2)))
    wins = wins[whole]
    votes = wins + wins.transpose(0, 2, 1)
    theta = np.zeros((whole.size, m))
    for _ in range(60):
        p = expit(theta[:, :, None] - theta[:, None, :])
        edge = votes * p * (1 - p)
        matrix = -edge + 1.0 / m
        matrix[:, range(m), range(m)] += edge.sum(axis=2)
        step = np.linalg.solve(matrix, (wins - votes * p).sum(axis=2)[:, :, None])[:, :, 0]
        theta += step / np.maximum(1.0, np.abs(step).max(axis=1))[:, None]
    gap = np.full(counts.shape[0], np.nan)
    gap[whole] = theta[:, above] - theta[:, below]
    return gap


def fewest_of_all(kinds, above, below):
    """The least number of votes among all subsets."""
    taken = np.array(list(itertools.product(*(range(int(n) + 1) for n in kinds.count))))
    gap = all_gaps(kinds, kinds.count - taken, above, below)
    enough = gap < -1e-9
    return int(taken.sum(axis=1)[enough].min()) if enough.any() else None


def gap_by_scipy(units, ties, above, below):
    """Rating difference by a quasi-Newton method on a likelihood written out anew."""
    m, wins, losses, tied = units.n_models, units.wins, units.losses, units.ties

    def value(x):
        eta = x[units.a] - x[units.b] + units.covariates @ x[m + 1 :]
        if ties == "half-win":
            p = np.logaddexp(0, -eta), np.logaddexp(0, eta)
            return (wins + tied / 2) @ p[0] + (losses + tied / 2) @ p[1]
        if ties == "davidson":
            total = np.logaddexp(np.logaddexp(eta / 2, -eta / 2), x[m])
            return (wins + losses + tied) @ total - (wins - losses) @ eta / 2 - tied.sum() * x[m]
        c = np.exp(x[m])
        win, loss = 1 / (1 + np.exp(c - eta)), 1 / (1 + np.exp(c + eta))
        return -(wins @ np.log(win) + losses @ np.log(loss) + tied @ np.log(1 - win - loss))

    start = np.zeros(m + 1 + units.covariates.shape[1])
    best = minimize(value, start, method="BFGS", options={"gtol": 1e-6, "maxiter": 5000})
    return float(best.x[above] - best.x[below])


def test_two_models_by_hand():
    # 30 to 20: without 10 wins they are level, without 11 it is 19 to 20
    board, *_ = board_of([(0, 1, 0, 30), (0, 1, 1, 20)], 2)
    found = search(board, Contest(0, 1))
    assert found.number == 11
    assert found.taken.tolist() == [11, 0]
    assert found.state.gap == pytest.approx(np.log(19 / 20))


def test_level_is_not_turned_round():
    # 12 to 11: without one win it is 11 to 11, and that is no change of order
    board, *_ = board_of([(0, 1, 0, 12), (0, 1, 1, 11)], 2)
    assert search(board, Contest(0, 1)).number == 2


def test_ties_are_kept_where_they_do_not_help():
    board, *_ = board_of([(0, 1, 0, 30), (0, 1, 1, 20), (0, 1, 2, 500)], 2)
    found = search(board, Contest(0, 1))
    assert found.number == 11
    assert found.taken.tolist() == [11, 0, 0]


def test_what_holds_the_board_together_is_left():
    # 3 meets only 0. All wins of 0 over 1 but one may go; 3's one win over 0 has to stay.
    rows = [(0, 1, 0, 12), (0, 1, 1, 9), (1, 2, 0, 6), (1, 2, 1, 6), (0, 3, 0, 5), (0, 3, 1, 1)]
    board, *_ = board_of(rows, 4)
    found = search(board, Contest(0, 1))
    assert found.number == 4
    assert not islands(found.state.units).any()


def test_no_removal_keeps_the_board_together():
    # 1 to 0 and 1 to 1 are all that is left of 2 to 1: never below
    board, *_ = board_of([(0, 1, 0, 2), (0, 1, 1, 1)], 2)
    assert search(board, Contest(0, 1)) is None


small = st.lists(st.integers(0, 4), min_size=9, max_size=9)


# The same boards each time: an upper bound is not a theorem.
@settings(max_examples=15, deadline=None, derandomize=True)
@given(counts=small)
def test_no_subset_of_three_models_does_better(counts):
    rows = [(a, b, o, n) for (a, b, o), n in zip(
        ((a, b, o) for a, b in ((0, 1), (0, 2), (1, 2)) for o in range(3)), counts, strict=True
    ) if n]  # fmt: skip
    assume(len(rows) > 2 and np.prod([n + 1.0 for *_, n in rows]) < 4_000)
    assume(not islands(sort_votes(cells_of(rows, 3)).kinds.pairs).any())
    board, order, _ = board_of(rows, 3)
    contest = Contest(int(order[0]), int(order[1]))
    found = search(board, contest)
    best = fewest_of_all(board.kinds, contest.above, contest.below)
    number = found.number if found else None
    # An upper bound: over 1,000 random boards it was the optimum on all but one, there off by one.
    assert number == best or (None not in (number, best) and number == best + 1)


@pytest.mark.slow
def test_over_many_boards_it_is_the_optimum():
    rng = np.random.default_rng(1)
    wrong = tried = 0
    while tried < 150:
        m = int(rng.integers(3, 5))
        results = 2 if m > 3 else 3
        rows = [
            (a, b, o, n)
            for a, b in itertools.combinations(range(m), 2)
            for o in range(results)
            if (n := int(rng.integers(0, 6)))
        ]
        if np.prod([n + 1.0 for *_, n in rows]) > 8_000:
            continue
        if islands(sort_votes(cells_of(rows, m)).kinds.pairs).any():
            continue
        board, order, _ = board_of(rows, m)
        contest = Contest(int(order[0]), int(order[1]))
        if board.start(contest).gap < 1e-9:
            continue
        best = fewest_of_all(board.kinds, contest.above, contest.below)
        found = search(board, contest)
        number = found.number if found else None
        assert (number is None) == (best is None)
        assert number is None or best <= number <= best + 1
        wrong += number != best
        tried += 1
    assert wrong <= 2


@pytest.mark.parametrize("ties", ["half-win", "davidson", "rao-kupper"])
@pytest.mark.parametrize("position", [False, True])
def test_another_solver_confirms_it(ties, position):
    rng = np.random.default_rng(11)
    rows = [
        (i, j, o, int(rng.poisson((14, 10, 6)[o])))
        for i, j in itertools.permutations(range(5), 2)
        for o in range(3)
    ]
    board, order, _ = board_of([r for r in rows if r[3]], 5, ties, position)
    contest = Contest(int(order[0]), int(order[1]))
    found = search(board, contest)
    ends = (contest.above, contest.below)
    assert gap_by_scipy(found.state.units, ties, *ends) == pytest.approx(found.state.gap, abs=1e-5)
    assert found.state.gap < -1e-4  # so that the other solver says the same
    # one of them fewer does not do: the least worthy is put back
    gains = board.votes(contest).gains(found.state)
    there = np.flatnonzero(found.taken)
    fewer = found.taken.copy()
    fewer[there[np.argmin(gains[there])]] -= 1
    units = board.votes(contest).units(fewer)
    assert gap_by_scipy(units, ties, *ends) > -1e-5
    # at the end, what was taken is worth more than what is left
    assert gains[there].min() >= gains[(found.taken < board.kinds.count)].max() - 1e-4


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_names_order_and_rows_split_in_two_change_nothing(seed):
    rng = np.random.default_rng(seed)
    rows = [
        (i, j, o, int(rng.integers(1, 30)))
        for i, j in itertools.combinations(range(4), 2)
        for o in range(3)
    ]
    board, order, _ = board_of(rows, 4)
    contest = Contest(int(order[0]), int(order[1]))
    assume(board.start(contest).gap > 1e-6)
    found = search(board, contest)
    name = rng.permutation(4)
    split = [
        (name[a], name[b], o, part) for a, b, o, n in rows for part in (n - n // 2, n // 2) if part
    ]
    rng.shuffle(split)
    other, *_ = board_of(split, 4)
    again = search(other, Contest(int(name[contest.above]), int(name[contest.below])))
    assert again.number == found.number


def test_boards_of_many_models_are_solved_without_whole_inverses(monkeypatch):
    rng = np.random.default_rng(4)
    rows = [
        (i, j, o, int(rng.integers(10, 60)))
        for i, j in itertools.combinations(range(6), 2)
        for o in range(3)
    ]
    board, order, _ = board_of(rows, 6, "davidson")
    contest = Contest(int(order[0]), int(order[1]))
    plain = search(board, contest)
    monkeypatch.setattr("caveat.kernels.pull.WIDE", 2)
    wide = search(board, contest)
    assert wide.number == plain.number
    assert wide.state.gap == pytest.approx(plain.state.gap, abs=1e-9)


def test_clusters_are_taken_whole():
    # Four voters. The second alone, 8 to 1, makes the lead of 16 to 14: without it, 8 to 13.
    votes = [(0, 4), (8, 1), (4, 4), (4, 5)]
    rows = [row for won, lost in votes for row in ((0, 1, 0, won), (0, 1, 1, lost)) if row[3]]
    voter = [k for k, pair in enumerate(votes) for n in pair if n]
    board, _, place = board_of(rows, 2)
    held = csr_array(([n for *_, n in rows], (voter, place)), shape=(4, 2)).astype(float)
    contest = Contest(0, 1)
    found = fewest_removals(ClusterRemovals(board.votes(contest), held), board.start(contest))
    assert found.number == 1
    assert found.taken.tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("seed", range(4))
def test_no_set_of_clusters_does_better(seed):
    rng = np.random.default_rng(seed)
    g, m = 8, 4
    rows, cluster = [], []
    for c in range(g):
        for _ in range(12):
            i, j = rng.choice(m, 2, replace=False)
            rows.append((i, j, int(rng.choice(3, p=(0.55, 0.35, 0.1)) if i < j else 1), 1))
            cluster.append(c)
    board, order, place = board_of(rows, m)
    contest = Contest(int(order[0]), int(order[1]))
    held = csr_array((np.ones(len(rows)), (cluster, place)), shape=(g, board.kinds.count.size))
    held.sum_duplicates()
    found = fewest_removals(ClusterRemovals(board.votes(contest), held), board.start(contest))
    sets = np.array(list(itertools.product((0.0, 1.0), repeat=g)))
    gap = all_gaps(board.kinds, board.kinds.count - sets @ held.toarray(), *order[:2])
    enough = gap < -1e-9
    best = int(sets.sum(axis=1)[enough].min()) if enough.any() else None
    assert (found.number if found else None) == best


@pytest.mark.parametrize("seed", range(4))
def test_all_small_sets_of_clusters_are_tried(seed):
    rng = np.random.default_rng(seed)
    g, m = 8, 5
    rows = [
        (int(i), int(j), int(rng.choice(3, p=(0.5, 0.4, 0.1))), 1)
        for _ in range(g)
        for i, j in (rng.choice(m, 2, replace=False) for _ in range(25))
    ]
    cluster = np.repeat(np.arange(g), 25)
    board, order, place = board_of(rows, m)
    held = csr_array((np.ones(len(rows)), (cluster, place)), shape=(g, board.kinds.count.size))
    held.sum_duplicates()
    items = ClusterRemovals(board.votes(Contest(0, 1)), held)
    questions = [Question(order[:k], order[k:]) for k in (1, 2, 3)]
    found = small_sets(board, items, questions, most=8 + 28 + 56)
    for question, answer in zip(questions, found.found, strict=True):
        sizes = []
        for chosen in itertools.product((0.0, 1.0), repeat=g):
            units = items.units(np.array(chosen))
            if 0 < sum(chosen) <= 3 and not islands(units).any():
                theta = fit(units).theta
                if theta[question.below].max() > theta[question.above].min() + 1e-8:
                    sizes.append(sum(chosen))
        assert (answer.taken.sum() if answer else None) == min(sizes, default=None)
        if answer:
            assert answer.contest.above in question.above
            assert answer.contest.below in question.below
    assert found.size <= 3


def test_no_more_sets_are_tried_than_allowed():
    rows = [(0, 1, 0, 3), (0, 1, 1, 1)] * 5
    board, _, place = board_of(rows, 2)
    held = csr_array(
        ([n for *_, n in rows], (np.repeat(np.arange(5), 2), place)), shape=(5, 2)
    ).astype(float)
    items = ClusterRemovals(board.votes(Contest(0, 1)), held)
    question = Question(np.array([0]), np.array([1]))
    sizes = {most: small_sets(board, items, [question], most=most).size for most in (4, 5, 14, 15)}
    assert sizes == {4: 0, 5: 1, 14: 1, 15: 2}


def test_a_boundary_falls_with_the_cheapest_contest():
    # 2 is third, but has few votes: it overtakes 0 for less than 1 does
    rows = [(0, 1, 0, 3000), (0, 1, 1, 2700), (0, 2, 0, 13), (0, 2, 1, 11), (1, 2, 0, 14),
            (1, 2, 1, 13)]  # fmt: skip
    board, order, _ = board_of(rows, 3)
    assert order.tolist() == [0, 1, 2]
    found = RemovalContests(board, board.votes).cheapest(contests(board, order, 1))
    assert found.contest == Contest(0, 2)
    assert found.fewest.number < search(board, Contest(0, 1)).number


@pytest.mark.parametrize("seed", range(2))
def test_no_other_contest_is_cheaper(seed):
    rng = np.random.default_rng(seed)
    rows = [
        (i, j, o, int(rng.integers(1, 40)))
        for i, j in itertools.combinations(range(5), 2)
        for o in range(3)
    ]
    board, order, _ = board_of(rows, 5)
    searches = RemovalContests(board, board.votes)
    for k in range(1, 5):
        found = searches.cheapest(contests(board, order, k))
        every = [
            search(board, Contest(int(i), int(j))).number for i in order[:k] for j in order[k:]
        ]
        assert found.fewest.number == min(every)
