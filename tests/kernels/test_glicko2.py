import csv
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from caveat.kernels.glicko2 import SCALE, START, Periods, glicko2, new_volatility, play, slope


def periods(rows, m):
    """Rating periods from lists of (first, second, score, count)."""
    flat = [vote for period in rows for vote in period]
    a, b, score, count = (np.array([v[k] for v in flat]) for k in range(4))
    start = np.cumsum([0, *(len(period) for period in rows)])
    return Periods(
        m,
        start.astype(np.int64),
        a.astype(np.int32),
        b.astype(np.int32),
        score.astype(float),
        count.astype(float),
    )


def test_glickmans_example():
    # http://www.glicko.net/glicko/glicko2.pdf: 1500 +- 200 beats 1400 +- 30, loses to 1550 +- 100
    # and to 1700 +- 300: 1464.06, 151.52, 0.05999
    rating = np.array([1500.0, 1400.0, 1550.0, 1700.0])
    deviation = np.array([200.0, 30.0, 100.0, 300.0])
    state = np.array([(rating - START) / SCALE, deviation / SCALE, np.full(4, 0.06)])
    games = periods([[(0, 1, 1, 1), (0, 2, 0, 1), (0, 3, 0, 1)]], 4)
    play(state, games.start, games.a, games.b, games.score, games.count, 0.5)
    assert START + SCALE * state[0, 0] == pytest.approx(1464.06, abs=0.01)
    assert SCALE * state[1, 0] == pytest.approx(151.52, abs=0.01)
    assert state[2, 0] == pytest.approx(0.05999, abs=1e-5)


def test_equals_glicko2_lite(oracle):
    folder = oracle / "rating_systems"
    with (folder / "votes.csv").open() as file:
        votes = list(csv.DictReader(file))
    with (folder / "expected_glicko2.csv").open() as file:
        expected = list(csv.DictReader(file))
    code = {row["model"]: k for k, row in enumerate(expected)}
    score = {"a": 1.0, "b": 0.0}
    rows = [
        [
            (code[v["model_a"]], code[v["model_b"]], score.get(v["outcome"], 0.5), 1)
            for v in votes
            if v["period"] == str(period)
        ]
        for period in range(12)
    ]
    got = glicko2(periods(rows, 6))
    assert got.converged
    # both stop the volatility at 1e-6 of its logarithm
    for name in ("rating", "deviation", "volatility"):
        want = [float(row[name]) for row in expected]
        assert getattr(got, name) == pytest.approx(want, rel=1e-9)


def test_a_draw_of_equals_keeps_ratings_and_lowers_the_deviation_by_hand():
    # g = 1 / sqrt(1 + 3 phi^2 / pi^2), v = 4 / g^2; a draw surprises nobody: delta = 0
    got = glicko2(periods([[(0, 1, 0.5, 1)]], 2))
    assert got.rating.tolist() == [1500.0, 1500.0]
    phi = 350 / SCALE
    g = 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)
    wider = phi**2 + got.volatility[0] ** 2
    assert got.deviation == pytest.approx(SCALE / math.sqrt(1 / wider + g**2 / 4), rel=1e-12)
    assert got.volatility[0] < 0.06


def test_deviation_grows_without_votes_once_a_model_has_entered():
    one = glicko2(periods([[(0, 1, 1, 1)]], 3))
    later = glicko2(periods([[(0, 1, 1, 1)], [], []], 3))
    sigma = one.volatility[0]
    assert later.rating.tolist() == one.rating.tolist()
    assert later.deviation[0] == pytest.approx(
        SCALE * math.sqrt((one.deviation[0] / SCALE) ** 2 + 2 * sigma**2), rel=1e-12
    )
    assert (later.rating[2], later.deviation[2]) == (1500.0, 350.0)  # it never entered


votes = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0]), st.integers(1, 9)
    ).filter(lambda v: v[0] != v[1]),
    min_size=1,
    max_size=15,
)
several = st.lists(votes, min_size=1, max_size=4)


@settings(deadline=None)
@given(several, st.randoms())
def test_order_within_a_period_and_sides_do_not_matter(rows, random):
    other = []
    for period in rows:
        shuffled = [random.choice([v, (v[1], v[0], 1 - v[2], v[3])]) for v in period]
        random.shuffle(shuffled)
        other.append(shuffled)
    one, two = glicko2(periods(rows, 4)), glicko2(periods(other, 4))
    assert one.rating == pytest.approx(two.rating, abs=1e-7)
    assert one.deviation == pytest.approx(two.deviation, abs=1e-7)


@settings(deadline=None)
@given(several)
def test_counts_are_votes_one_by_one(rows):
    single = [[(*v[:3], 1) for v in period for _ in range(v[3])] for period in rows]
    one, two = glicko2(periods(rows, 4)), glicko2(periods(single, 4))
    assert one.rating == pytest.approx(two.rating, abs=1e-7)
    assert one.deviation == pytest.approx(two.deviation, abs=1e-7)


@settings(deadline=None)
@given(several)
def test_compiled_equals_plain_python(rows):
    games = periods(rows, 4)
    columns = (games.start, games.a, games.b, games.score, games.count, 0.5)
    one, two = (np.repeat([[0.0], [350 / SCALE], [0.06]], 4, axis=1) for _ in range(2))
    assert play(one, *columns) == play.py_func(two, *columns)
    assert one == pytest.approx(two, abs=1e-9)


@settings(deadline=None)
@given(st.floats(-20, 20), st.floats(0.05, 2.0), st.floats(1e-4, 10.0), st.floats(0.01, 0.2))
def test_the_volatility_solves_its_equation(delta, phi, v, sigma):
    found, _ = new_volatility(delta, phi, v, sigma, 0.5)
    a = math.log(sigma**2)
    root = brentq(lambda x: slope.py_func(x, a, delta, phi, v, 0.5), a - 60, a + 60, xtol=1e-12)
    # Glickman's step stops at 1e-6 of the logarithm of the square
    assert 2 * math.log(found) == pytest.approx(root, abs=2e-6)
