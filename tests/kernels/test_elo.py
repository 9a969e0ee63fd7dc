import csv
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.kernels.counts import VoteCounter
from caveat.kernels.elo import elo, elo_shuffled, play, play_shuffled
from caveat.kernels.vote_copies import fill, vote_copies

CODES = {"a": 0, "b": 1, "tie": 2, "both_bad": 3}


def read(path):
    """Codes of the votes of the oracle, and their models in order of name."""
    with path.open() as file:
        rows = list(csv.DictReader(file))
    models = sorted({row["model_a"] for row in rows} | {row["model_b"] for row in rows})
    a, b = (
        np.array([models.index(row[side]) for row in rows], dtype=np.int32)
        for side in ("model_a", "model_b")
    )
    outcome = np.array([CODES[row["outcome"]] for row in rows], dtype=np.int32)
    return models, a, b, outcome


votes = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).filter(
        lambda v: v[0] != v[1]
    ),
    min_size=1,
    max_size=60,
)


def columns(rows):
    return tuple(np.array(x, dtype=np.int32) for x in zip(*rows, strict=True))


def cells_of(a, b, outcome, m):
    counter = VoteCounter(m)
    counter.add(a, b, outcome)
    return counter.cells()


def test_two_votes_by_hand():
    # Equals: the winner gains 32 (1 - 1/2) = 16: 1016 and 984. Then the other wins: it was
    # expected to score 1 / (1 + 10**(32/400)) = 0.454077, so it gains 32 * 0.545923 = 17.4695.
    got = elo(*columns([(0, 1, 0), (0, 1, 1)]), n_models=2, k=32.0)
    gain = 32 * (1 - 1 / (1 + 10 ** (32 / 400)))
    assert got == pytest.approx([1016 - gain, 984 + gain], abs=1e-10)
    assert gain == pytest.approx(17.4695, abs=1e-4)


def test_a_tie_between_equals_moves_nothing():
    assert elo(*columns([(0, 1, 2), (1, 0, 3)]), n_models=2, k=32.0).tolist() == [1000.0, 1000.0]


def test_equals_evalica(oracle):
    models, a, b, outcome = read(oracle / "rating_systems/votes.csv")
    with (oracle / "rating_systems/expected.csv").open() as file:
        expected = {row["model"]: float(row["elo"]) for row in csv.DictReader(file)}
    got = elo(a, b, outcome, n_models=len(models), k=32.0)
    # 600 updates, each rounded once
    assert dict(zip(models, got.tolist(), strict=True)) == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(votes)
def test_the_sum_stays_and_sides_do_not_matter(rows):
    a, b, outcome = columns(rows)
    swap = np.array([1, 0, 2, 3], dtype=np.int32)
    got = elo(a, b, outcome, n_models=4, k=32.0)
    assert got.sum() == pytest.approx(4000.0, abs=1e-8)
    assert elo(b, a, swap[outcome], n_models=4, k=32.0) == pytest.approx(got, abs=1e-9)


@settings(deadline=None)
@given(votes, st.permutations(range(4)))
def test_relabelling_relabels(rows, order):
    a, b, outcome = columns(rows)
    new = np.array(order, dtype=np.int32)
    got = elo(a, b, outcome, n_models=4, k=32.0)
    assert elo(new[a], new[b], outcome, n_models=4, k=32.0)[order] == pytest.approx(got, abs=1e-9)


@settings(deadline=None)
@given(votes)
def test_no_k_moves_nothing_and_copies_repeat(rows):
    a, b, outcome = columns(rows)
    assert (elo(a, b, outcome, n_models=4, k=0.0) == 1000.0).all()
    twice = np.full(a.size, 2, dtype=np.uint8)
    again = elo(*(np.repeat(x, 2) for x in (a, b, outcome)), n_models=4, k=32.0)
    assert elo(a, b, outcome, n_models=4, k=32.0, copies=twice).tolist() == again.tolist()


@settings(deadline=None)
@given(votes, st.integers(0, 9))
def test_compiled_equals_plain_python(rows, seed):
    a, b, outcome = columns(rows)
    copies = vote_copies(a.size, np.random.default_rng(seed))
    plain = np.empty_like(copies)
    fill.py_func(plain, np.random.default_rng(seed))
    assert copies.tolist() == plain.tolist()
    one, other = np.full(4, 1000.0), np.full(4, 1000.0)
    score = np.array([1.0, 0.0, 0.5, 0.5])[outcome]
    play(one, a, b, score, copies, 32.0)
    play.py_func(other, a, b, score, copies, 32.0)
    # compilers may contract a multiplication and an addition into one rounding
    assert one == pytest.approx(other, abs=1e-9)
    order = np.arange(a.size, dtype=np.int32)
    again = order.copy()
    play_shuffled(one, order, a, b, score, 32.0, np.random.default_rng(seed))
    play_shuffled.py_func(other, again, a, b, score, 32.0, np.random.default_rng(seed))
    assert order.tolist() == again.tolist()
    assert one == pytest.approx(other, abs=1e-8)


def test_shuffles_are_orders_of_the_same_votes():
    # each order must be a permutation, and all 3! of three votes must occur about equally often
    a, b = np.array([0, 1, 2], dtype=np.int32), np.array([1, 2, 0], dtype=np.int32)
    score, rng = np.ones(3), np.random.default_rng(0)
    order, seen = np.arange(3, dtype=np.int32), {}
    for _ in range(6000):
        play_shuffled(np.full(3, 1000.0), order, a, b, score, 32.0, rng)
        seen[tuple(order.tolist())] = seen.get(tuple(order.tolist()), 0) + 1
    assert len(seen) == 6
    # 1,000 each; four binomial standard errors of a share of 1/6
    assert max(abs(n - 1000) for n in seen.values()) < 4 * math.sqrt(6000 * 5 / 36)


def test_a_shuffle_beyond_one_block_plays_every_vote_once():
    rng = np.random.default_rng(3)
    a = rng.integers(0, 5, 5000).astype(np.int32)
    b = ((a + rng.integers(1, 5, 5000)) % 5).astype(np.int32)
    order = np.arange(5000, dtype=np.int32)
    play_shuffled(np.full(5, 1000.0), order, a, b, np.ones(5000), 32.0, rng)
    assert sorted(order.tolist()) == list(range(5000))
    assert order.tolist() != list(range(5000))


def test_shuffled_ratings_centre_on_bradley_terry():
    # a small K forgets slowly, but over many votes its mean over orders nears the maximum
    # likelihood estimate: here the odds are 3, 400 log10(3) = 190.8 points
    a = np.zeros(4000, dtype=np.int32)
    outcome = np.r_[np.zeros(3000), np.ones(1000)].astype(np.int32)
    got = elo_shuffled(
        cells_of(a, a + 1, outcome, 2), k=4.0, shuffles=200, rng=np.random.default_rng(1)
    )
    gap = got[:, 0] - got[:, 1]
    # A step moves the gap by 2K (y - p) and pulls it back by 2K p q ln(10) / 400 = 0.0086 of it,
    # so its deviation over orders is at most 8 sqrt(3/16) / sqrt(2 * 0.0086) = 26 points.
    assert gap.std() < 26
    assert gap.mean() == pytest.approx(400 * math.log10(3), abs=4 * 26 / math.sqrt(200))


def test_copies_are_poisson():
    got = vote_copies(200_000, np.random.default_rng(5))
    # mean and variance 1; the error of the mean is 1 / sqrt(n), of the variance sqrt(3 / n)
    assert got.mean() == pytest.approx(1, abs=4 / math.sqrt(200_000))
    assert got.var() == pytest.approx(1, abs=4 * math.sqrt(3 / 200_000))
