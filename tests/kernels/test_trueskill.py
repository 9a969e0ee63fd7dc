import csv
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from caveat.kernels.trueskill import (
    BETA,
    MU,
    SIGMA,
    TAU,
    draw_margin,
    play,
    tie_shift,
    trueskill,
    win_shift,
)

CODES = {"a": 0, "b": 1, "tie": 2, "both_bad": 3}


def columns(rows):
    return tuple(np.array(x, dtype=np.int32) for x in zip(*rows, strict=True))


def test_first_win_by_hand():
    # sigma^2 = 69.444 + tau^2 = 69.451; c^2 = 2 * 17.361 + 2 * 69.451 = 173.625; t = 0 without a
    # margin: v = density(0) / 0.5 = 0.79788, w = v^2 = 2 / pi. mu = 25 + 69.451 / 13.177 * v
    variance = SIGMA**2 + TAU**2
    c = math.sqrt(2 * BETA**2 + 2 * variance)
    got = trueskill(*columns([(0, 1, 0)]), n_models=2, margin=0.0)
    shift = variance / c * math.sqrt(2 / math.pi)
    assert got.mu == pytest.approx([25 + shift, 25 - shift], rel=1e-12)
    assert got.mu[0] == pytest.approx(29.2055, abs=1e-4)
    left = math.sqrt(variance * (1 - variance / c**2 * 2 / math.pi))
    assert got.sigma == pytest.approx([left, left], rel=1e-12)


def test_a_tie_of_equals_moves_no_mean():
    got = trueskill(*columns([(0, 1, 2)]), n_models=2, margin=draw_margin(0.1))
    assert got.mu.tolist() == [25.0, 25.0]
    assert got.sigma[0] < SIGMA


def test_the_margin_gives_its_probability():
    # performances of two equals differ by a normal of variance 2 beta^2
    margin = draw_margin(0.3)
    inside = norm.cdf(margin, scale=math.sqrt(2) * BETA) - norm.cdf(
        -margin, scale=math.sqrt(2) * BETA
    )
    assert inside == pytest.approx(0.3, abs=1e-12)
    assert draw_margin(0.0) == 0.0


def test_equals_the_package_trueskill(oracle):
    folder = oracle / "rating_systems"
    with (folder / "votes.csv").open() as file:
        votes = list(csv.DictReader(file))
    with (folder / "expected.csv").open() as file:
        expected = list(csv.DictReader(file))
    code = {row["model"]: k for k, row in enumerate(expected)}
    rows = [(code[v["model_a"]], code[v["model_b"]], CODES[v["outcome"]]) for v in votes]
    got = trueskill(*columns(rows), n_models=6, margin=draw_margin(0.2))
    # the package takes its normal quantile and tails from approximations good to about 1e-9
    assert got.mu == pytest.approx([float(row["trueskill_mu"]) for row in expected], abs=1e-6)
    assert got.sigma == pytest.approx([float(row["trueskill_sigma"]) for row in expected], abs=1e-6)


@pytest.mark.parametrize("outcome", [0, 2])
def test_moments_equal_integration(outcome):
    # posterior mean and deviation of the first skill by Gauss-Hermite quadrature over both skills
    margin, spread = 1.3, math.sqrt(2) * BETA
    skill = np.array([[26.0, 24.0], [4.0, 9.0]])
    play(skill, *columns([(0, 1, outcome)]), np.ones(1, dtype=np.uint8), BETA, 0.0, margin)
    node, weight = np.polynomial.hermite_e.hermegauss(60)
    x, y = 26 + 2 * node[:, None], 24 + 3 * node[None, :]
    chance = norm.cdf((x - y - margin) / spread)
    if outcome == 2:
        chance = norm.cdf((margin - x + y) / spread) - norm.cdf((-margin - x + y) / spread)
    posterior = chance * weight[:, None] * weight[None, :]
    mean = (x * posterior).sum() / posterior.sum()
    variance = ((x - mean) ** 2 * posterior).sum() / posterior.sum()
    assert skill[0, 0] == pytest.approx(mean, abs=1e-9)
    assert skill[1, 0] == pytest.approx(variance, abs=1e-9)


def test_deep_tails_join_smoothly():
    # at -30 the expansion has an error of about 15 / 30^5
    low, high = np.nextafter(-30.0, -31), -30.0
    assert win_shift(low) == pytest.approx(win_shift(high), abs=1e-6)
    assert win_shift(-500.0) == pytest.approx(500.002, abs=1e-6)
    shift, shrink = tie_shift(80.0, 1.0)
    assert (shift, shrink) == (-79.0, 1.0)
    assert tie_shift(-80.0, 1.0)[0] == 79.0
    near, _ = tie_shift(30.9999, 1.0)
    assert near == pytest.approx(-30.03, abs=0.01)


votes = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).filter(
        lambda v: v[0] != v[1]
    ),
    min_size=1,
    max_size=60,
)


@settings(deadline=None)
@given(votes)
def test_sides_and_kinds_of_ties_do_not_matter(rows):
    swap = {0: 1, 1: 0, 2: 3, 3: 2}
    margin = draw_margin(0.2)
    one = trueskill(*columns(rows), n_models=4, margin=margin)
    other = trueskill(*columns([(b, a, swap[o]) for a, b, o in rows]), n_models=4, margin=margin)
    assert one.mu == pytest.approx(other.mu, abs=1e-9)
    assert one.sigma == pytest.approx(other.sigma, abs=1e-9)
    assert np.isfinite(one.mu).all()
    assert (one.sigma > 0).all()


@settings(deadline=None)
@given(votes, st.permutations(range(4)))
def test_relabelling_relabels(rows, order):
    one = trueskill(*columns(rows), n_models=4, margin=1.0)
    renamed = [(order[a], order[b], o) for a, b, o in rows]
    other = trueskill(*columns(renamed), n_models=4, margin=1.0)
    assert other.mu[order] == pytest.approx(one.mu, abs=1e-9)


@settings(deadline=None)
@given(votes)
def test_compiled_equals_plain_python(rows):
    a, b, outcome = columns(rows)
    copies = np.arange(a.size, dtype=np.uint8) % 3
    one, other = (np.repeat([[MU], [SIGMA**2]], 4, axis=1) for _ in range(2))
    play(one, a, b, outcome, copies, BETA, TAU, 1.0)
    play.py_func(other, a, b, outcome, copies, BETA, TAU, 1.0)
    assert one == pytest.approx(other, abs=1e-9)


def test_a_thousand_wins_stay_finite():
    rows = [(0, 1, 0)] * 1000 + [(0, 1, 2)] * 10
    got = trueskill(*columns(rows), n_models=2, margin=0.5)
    assert np.isfinite(got.mu).all()
    assert got.mu[0] > got.mu[1]
