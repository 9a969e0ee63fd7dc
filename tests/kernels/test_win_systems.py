"""Systems on the matrix of wins: average win rate, baseline, PageRank, eigenvector."""

import csv
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.kernels.counts import VoteCounter, win_matrix
from caveat.kernels.eigenvector import eigenvector
from caveat.kernels.pagerank import pagerank
from caveat.kernels.win_rates import average_win_rate, baseline_win_rate

boards = st.lists(st.integers(1, 40), min_size=12, max_size=12).map(
    lambda values: np.array(
        [
            0.0,
            *values[:3],
            values[3],
            0.0,
            *values[4:6],
            *values[6:8],
            0.0,
            values[8],
            *values[9:12],
            0.0,
        ]
    ).reshape(4, 4)
)
SYSTEMS = [average_win_rate, lambda w: pagerank(w).share, lambda w: eigenvector(w).share]


def oracle_board(folder):
    codes = {"a": 0, "b": 1, "tie": 2, "both_bad": 3}
    with (folder / "votes.csv").open() as file:
        rows = list(csv.DictReader(file))
    with (folder / "expected.csv").open() as file:
        expected = list(csv.DictReader(file))
    code = {row["model"]: k for k, row in enumerate(expected)}
    counter = VoteCounter(len(code))
    counter.add(
        np.array([code[r["model_a"]] for r in rows]),
        np.array([code[r["model_b"]] for r in rows]),
        np.array([codes[r["outcome"]] for r in rows]),
    )
    cells = counter.cells()
    columns = {k: np.array([float(r[k]) for r in expected]) for k in expected[0] if k != "model"}
    return win_matrix(cells, cells.count), columns


def test_average_win_rate_by_hand():
    # 0 wins 3 of 4 against 1 and 1 of 2 against 2: (0.75 + 0.5) / 2; 3 met nobody
    wins = np.zeros((4, 4))
    wins[0, 1], wins[1, 0], wins[0, 2], wins[2, 0] = 3, 1, 1, 1
    got = average_win_rate(wins)
    assert got[:3].tolist() == [0.625, 0.25, 0.5]
    assert math.isnan(got[3])


def test_baseline_by_hand():
    wins = np.zeros((4, 4))
    wins[0, 1], wins[1, 0], wins[0, 2], wins[2, 0] = 3, 1, 1, 1
    got = baseline_win_rate(wins, 1)
    assert got[:2].tolist() == [0.75, 0.5]
    assert np.isnan(got[2:]).all()  # 2 and 3 never met 1


def test_pagerank_by_hand():
    # 0 beat 1 three times and lost once: from 1 always to 0, from 0 always to 1: both 1/2
    got = pagerank(np.array([[0.0, 3.0], [1.0, 0.0]]))
    assert got.converged
    assert got.share == pytest.approx([0.5, 0.5], abs=1e-11)
    # 1 never won: from 0 the walk jumps anywhere. x0 = d (x1 + x0 / 2) + (1 - d) / 2 and x1 = 1 -
    # x0, so x0 = (1 + d) / (2 + d)
    got = pagerank(np.array([[0.0, 3.0], [0.0, 0.0]]), damping=0.8)
    assert got.share[0] == pytest.approx(1.8 / 2.8, abs=1e-11)


def test_eigenvector_by_hand():
    # all votes between two: a = [[0, 3/4], [1/4, 0]], eigenvalue sqrt(3)/4, scores sqrt(3) to 1;
    # without the shift the power iteration would oscillate for ever
    got = eigenvector(np.array([[0.0, 3.0], [1.0, 0.0]]))
    assert got.converged
    assert got.share[0] / got.share[1] == pytest.approx(math.sqrt(3), abs=1e-10)


@pytest.mark.parametrize("system", SYSTEMS)
def test_equals_share_alike(system):
    got = system(4.0 * (1 - np.eye(5)))
    assert got == pytest.approx(np.full(5, got[0]), abs=1e-12)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_stronger_comes_first(system):
    # a clear ladder, all pairs alike often: the stronger of each pair wins 3 of 4
    m = 6
    wins = np.where(np.arange(m)[:, None] < np.arange(m)[None, :], 75.0, 25.0) * (1 - np.eye(m))
    assert np.argsort(-system(wins)).tolist() == list(range(m))


@settings(deadline=None)
@given(boards, st.permutations(range(4)))
def test_relabelling_and_scaling(wins, order):
    for system in SYSTEMS:
        got = system(wins)
        renamed = np.zeros_like(wins)
        renamed[np.ix_(order, order)] = wins
        assert system(renamed)[list(order)] == pytest.approx(got, abs=1e-9)
        assert system(3 * wins) == pytest.approx(got, abs=1e-9)


@settings(deadline=None)
@given(boards)
def test_stationary_and_leading(wins):
    m = wins.shape[0]
    found = pagerank(wins)
    step = 0.85 * wins / wins.sum(axis=0) + 0.15 / m
    assert step @ found.share == pytest.approx(found.share, abs=1e-11)
    assert found.share.sum() == pytest.approx(1.0)
    leading = eigenvector(wins).share
    values, vectors = np.linalg.eig(wins / (wins + wins.T).sum(axis=1)[:, None])
    first = np.abs(vectors[:, values.real.argmax()].real)
    assert leading == pytest.approx(first / first.sum(), abs=1e-8)


def test_equal_evalica_where_it_is_right(oracle):
    wins, expected = oracle_board(oracle / "rating_systems")
    assert average_win_rate(wins) == pytest.approx(expected["average_win_rate"], abs=1e-12)
    # evalica stops when the change is below its tolerance of 1e-15
    assert pagerank(wins).share == pytest.approx(expected["pagerank"], abs=1e-10)


def test_evalicas_eigen_ranks_backwards(oracle):
    wins, expected = oracle_board(oracle / "rating_systems")
    values, vectors = np.linalg.eig(wins.T)
    losing = np.abs(vectors[:, values.real.argmax()].real)
    # it is the leading eigenvector of losses: the strongest model, fir, comes last
    assert expected["eigen"] == pytest.approx(losing, abs=1e-6)
    strongest = int(average_win_rate(wins).argmax())
    assert int(expected["eigen"].argmin()) == strongest
    assert int(eigenvector(wins).share.argmax()) == strongest
