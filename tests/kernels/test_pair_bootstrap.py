import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caveat.kernels.counts import VoteCells, VoteCounter
from caveat.kernels.pair_bootstrap import resampled_wins


def cells_of(rows, m, weight=None):
    counter = VoteCounter(m)
    a, b, o, c = np.array(rows).T
    counter.add(a.astype(int), b.astype(int), o.astype(int), count=c.astype(float), weight=weight)
    return counter.cells()


def drawn(cells, replicates=2000, seed=0):
    rng = np.random.default_rng(seed)
    return np.stack(list(resampled_wins(cells, replicates=replicates, rng=rng)))


def test_two_models_by_hand():
    # 30 wins, 10 losses and one more vote split in half: shares 30.5 / 41 and 10.5 / 41 of 40
    got = drawn(cells_of([(0, 1, 0, 30), (1, 0, 0, 10)], 2))[:, 0, 1]
    p = 30.5 / 41
    assert got.mean() == pytest.approx(40 * p, abs=4 * np.sqrt(40 * p * (1 - p) / 2000))
    # the relative error of a variance is about sqrt(2 / n)
    assert got.var() == pytest.approx(40 * p * (1 - p), rel=4 * np.sqrt(2 / 2000))


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(1, 9)
        ).filter(lambda v: v[0] != v[1]),
        min_size=1,
        max_size=20,
    )
)
def test_every_pair_keeps_its_votes(rows):
    cells = cells_of(rows, 4)
    votes = np.zeros((4, 4))
    np.add.at(votes, (cells.a, cells.b), cells.count)
    for wins in resampled_wins(cells, replicates=5, rng=np.random.default_rng(1)):
        assert wins + wins.T == pytest.approx(votes + votes.T)


def test_single_votes_vary():
    got = drawn(cells_of([(0, 1, 0, 1), (0, 2, 2, 1)], 3))
    # the share of ties of the board is a half: won with (1 + 1/4) / 2, tied with (0 + 1/2) / 2
    assert (got[:, 0, 1] == 1).mean() == pytest.approx(0.625, abs=4 * np.sqrt(0.25 / 2000))
    assert (got[:, 0, 1] == 0.5).mean() == pytest.approx(0.25, abs=4 * np.sqrt(0.25 / 2000))


def test_equal_weights_scale():
    rows = [(0, 1, 0, 30), (0, 1, 1, 10)]
    plain, doubled = cells_of(rows, 2), cells_of(rows, 2, weight=np.full(2, 2.0))
    assert drawn(doubled, 50).tolist() == (2 * drawn(plain, 50)).tolist()


def test_uneven_weights_add_their_spread():
    # 40 wins of weights 0.5 and 1.5 in equal parts: a draw of n wins weighs n, variance n / 4
    cells = VoteCells(2, *(np.array([x]) for x in (0, 1, 0, 40.0, 40.0, 20 * 0.25 + 20 * 2.25)))
    got = drawn(cells, 4000)[:, 0, 1]
    p = 40.5 / 41  # one pseudo-vote, half of it a win
    total = drawn(cells, 4000).sum(axis=(1, 2))
    assert got.mean() == pytest.approx(40 * p, abs=0.5)
    # lost votes have the mean weight of the pair and no spread: 40 p / 4
    assert total.var() == pytest.approx(40 * p / 4, rel=4 * np.sqrt(2 / 4000) + 0.05)


def test_meetings_may_be_drawn_as_well():
    cells = cells_of([(0, 1, 0, 300), (1, 2, 0, 100)], 3)
    rng = np.random.default_rng(2)
    got = np.stack(list(resampled_wins(cells, replicates=2000, rng=rng, meetings="drawn")))
    votes = got + got.transpose(0, 2, 1)
    assert (votes.sum(axis=(1, 2)) / 2 == 400).all()
    # binomial: 400 * 3/4 * 1/4; the relative error of a variance is about sqrt(2 / n)
    assert votes[:, 0, 1].var() == pytest.approx(75, rel=4 * np.sqrt(2 / 2000))
    assert votes[:, 0, 1].mean() == pytest.approx(300, abs=4 * np.sqrt(75 / 2000))
