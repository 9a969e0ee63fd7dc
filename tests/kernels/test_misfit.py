import csv
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from caveat.kernels import paired
from caveat.kernels.expected import draw, expected, expected_at
from caveat.kernels.misfit import carried, departure, residuals
from caveat.kernels.paired import Units

TIES = ("half-win", "davidson", "rao-kupper")


def units(m, *rows):
    """Units from (a, b, wins, losses[, ties])."""
    full = [(*row, 0.0)[:5] for row in rows]
    a, b, wins, losses, ties = (np.array(column) for column in zip(*full, strict=True))
    return Units(
        m, a, b, *(np.asarray(x, dtype=float) for x in (wins, losses, ties)), np.zeros((a.size, 0))
    )


def board(seed, *, m=6, votes=200, tau=0.0, ties=0.6, met=1.0, spread=0.7):
    """Random votes of a Davidson board whose win shares depart by about `tau`."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, spread, m)
    a, b = np.triu_indices(m, 1)
    keep = (rng.random(a.size) < met) | (b == a + 1)
    a, b = a[keep], b[keep]
    eta = theta[a] - theta[b]
    part = np.stack([np.exp(eta / 2), np.exp(-eta / 2), np.full(a.size, ties)])
    p = part / part.sum(axis=0)
    moved = np.clip(rng.normal(0, tau, a.size), -np.minimum(p[0], p[1]), np.minimum(p[0], p[1]))
    p[0] += moved
    p[1] -= moved
    counts = rng.multinomial(votes, p.T).T.astype(float)
    return Units(m, a, b, *counts, np.zeros((a.size, 0)))


def found(u, ties="half-win", level=0.95):
    fitted = paired.fit(u, ties=ties)
    at = expected(u, fitted)
    left = residuals(u, fitted, at)
    return fitted, at, left, departure(u, at, left, level=level)


def test_three_in_a_circle_by_hand():
    # 60 of 100 each way round: all ratings equal, e = 1/2, residual 0.1 everywhere. Each pair hides
    # (m - 1) / pairs = 2/3 of its own departure: noise 0.0025 / 3, visible 1/3, and
    # tau^2 = 0.01 * 3 - 0.0025 = 0.0275; z = 0.1 / sqrt(0.0025 / 3) = 3.4641
    u = units(3, (0, 1, 60, 40), (1, 2, 60, 40), (0, 2, 40, 60))
    _, at, left, got = found(u)
    assert at.variance == pytest.approx([0.25] * 3)
    assert left.residual == pytest.approx([0.1, 0.1, -0.1])
    assert left.noise == pytest.approx([0.0025 / 3] * 3)
    assert left.visible == pytest.approx([1 / 3] * 3)
    assert np.abs(left.z) == pytest.approx([math.sqrt(12)] * 3)
    assert got.tau == pytest.approx(math.sqrt(0.0275))


def test_ties_make_the_noise_smaller():
    # the same circle with half of the votes tied: 35 + 50 ties + 15, variance 1/4 - 1/8. Half-win
    # mixes a pair's own share of ties, 50 of 100, with the board's, also one half
    u = units(3, (0, 1, 35, 15, 50), (1, 2, 35, 15, 50), (0, 2, 15, 35, 50))
    for ties in TIES:
        _, at, _, got = found(u, ties)
        assert at.tie == pytest.approx([0.5] * 3)
        assert at.variance == pytest.approx([0.125] * 3)
        assert got.tau == pytest.approx(math.sqrt(3 * 0.01 - 0.00125), rel=1e-6)


@pytest.mark.parametrize("ties", TIES)
def test_nothing_is_left_where_the_ratings_fit_any_votes(ties):
    # two models, or a chain: as many ratings as pairs
    u = units(3, (0, 1, 60, 30, 10), (1, 2, 55, 40, 5))
    _, _, left, got = found(u, ties)
    assert (left.visible == 0).all()
    assert np.isnan(left.z).all()
    assert math.isnan(got.tau)
    assert math.isnan(got.low)


def test_votes_that_fit_perfectly_have_no_departure():
    # win shares 0.8, 0.8, 16/17: log-odds log 4, log 4, log 16
    u = units(3, (0, 1, 800, 200), (1, 2, 800, 200), (0, 2, 1600, 100))
    _, _, left, got = found(u)
    assert left.residual == pytest.approx(0, abs=1e-12)
    assert (got.tau, got.low) == (0.0, 0.0)
    assert got.high < 0.03  # 1,000 votes a pair have errors of 0.013


def test_residuals_equal_r(oracle):
    with (oracle / "goodness" / "votes.csv").open() as file:
        rows = list(csv.DictReader(file))
    with (oracle / "goodness" / "expected.csv").open() as file:
        want = {row["figure"]: float(row["value"]) for row in csv.DictReader(file)}
    code = {f"m{k}": k - 1 for k in range(1, 8)}
    u = units(7, *((code[r["a"]], code[r["b"]], int(r["wins"]), int(r["losses"])) for r in rows))
    _, _, left, _ = found(u)
    r = [want[f"z_{row['a']}_{row['b']}"] for row in rows]
    assert left.z == pytest.approx(r, abs=1e-9)  # glm stops at 1e-14


def test_extra_variance_equals_metafor_where_its_estimators_agree(oracle):
    with (oracle / "goodness" / "expected.csv").open() as file:
        want = {row["figure"]: float(row["value"]) for row in csv.DictReader(file)}
    circle = [(i, (i + 1) % 5, 60, 40) for i in range(5)]
    u = units(5, *circle, *((i, (i + 2) % 5, 56, 44) for i in range(5)))
    *_, got = found(u)
    for method in ("HE", "DL", "PM", "REML"):
        assert got.tau**2 == pytest.approx(want[f"circle_tau2_{method}"], rel=1e-8)
    assert got.low == pytest.approx(want["circle_tau_low"], rel=1e-4)  # metafor's root finder
    assert got.high == pytest.approx(want["circle_tau_high"], rel=1e-4)


@pytest.mark.parametrize("ties", TIES)
@given(seed=st.integers(0, 1000))
@hypothesis_settings(max_examples=15)
def test_what_noise_leaves_adds_up_to_the_degrees_of_freedom(ties, seed):
    # sum of n / v times the residual variance is pairs less ratings; the tie parameter takes the
    # rest, and under half-win and Rao-Kupper the variance of a vote is not its information
    u = board(seed, votes=4000)
    _, at, left, _ = found(u, ties)
    freedom = (u.n_votes * left.noise / at.variance).sum()
    assert freedom == pytest.approx(u.a.size - 5, abs=1e-3 if ties == "davidson" else 0.2)


@given(seed=st.integers(0, 1000))
@hypothesis_settings(max_examples=15)
def test_names_and_sides_do_not_matter(seed):
    u = board(seed, tau=0.05)
    order = np.random.default_rng(seed).permutation(u.n_models)
    turned = Units(u.n_models, order[u.b], order[u.a], u.losses, u.wins, u.ties, u.covariates)
    for ties in TIES:
        one, other = found(u, ties), found(turned, ties)
        assert other[2].residual == pytest.approx(-one[2].residual, abs=1e-8)
        assert other[2].noise == pytest.approx(one[2].noise, rel=1e-6)
        assert other[3].tau == pytest.approx(one[3].tau, abs=1e-7)
        assert other[3].high == pytest.approx(one[3].high, abs=1e-7)


@pytest.mark.parametrize("ties", TIES)
def test_the_derivatives_are_those_of_the_expected_score(ties):
    eta = np.linspace(-2, 2, 9)
    one = np.ones_like(eta)
    step = 1e-6

    def at(shift=0.0, tie=0.4):
        return expected_at(ties, eta=eta + shift, tie=tie, votes=100 * one, ties=20 * one)

    slope = (at(step).score - at(-step).score) / (2 * step)
    assert at().slope == pytest.approx(slope, abs=1e-9)
    by_tie = (at(tie=0.4 + step).score - at(tie=0.4 - step).score) / (2 * step)
    assert at().tie_slope == pytest.approx(by_tie, abs=1e-9)


@pytest.mark.parametrize("ties", TIES)
def test_moments_are_those_of_drawn_votes(ties):
    u = board(2, m=3, votes=50)
    _, at, *_ = found(u, ties)
    assert at.win + at.loss + at.tie == pytest.approx(1)
    counts = draw(u, at, size=40_000, rng=np.random.default_rng(8))
    score = (counts[:, 0] + counts[:, 2] / 2) / 50
    error = np.sqrt(at.variance / 50 / 40_000)
    assert (np.abs(score.mean(axis=0) - at.score) < 5 * error).all()  # 5 standard errors
    assert score.var(axis=0) * 50 == pytest.approx(at.variance, rel=0.05)  # 7 standard errors


def test_half_win_has_room_for_its_ties():
    # a pair of 4 votes, all tied, between models that the board puts far apart
    at = expected_at(
        "half-win",
        eta=np.array([4.0, 0.0]),
        tie=math.nan,
        votes=np.array([4.0, 100.0]),
        ties=np.array([4.0, 0.0]),
    )
    assert (at.loss >= 0).all()
    assert at.tie[0] <= 2 * (1 - at.score[0]) + 1e-15
    assert (at.variance > 0).all()


def test_what_departures_carry_into_a_lead_by_hand():
    # two models that meet in one pair of n votes at even odds: the departure d moves the win share
    # by d and the log-odds by 4 d, whatever n is
    u = units(2, (0, 1, 50, 50))
    fitted = paired.fit(u)
    at = expected(u, fitted)
    assert carried(u, fitted, at, np.array([1.0, -1.0])) == pytest.approx(16)


def test_departures_of_many_opponents_average_out():
    # model 0 and 1 each met k others at even odds: the lead is a mean of k departures
    def variance(k):
        rows = [(i, j, 500, 500) for i in (0, 1) for j in range(2, k + 2)]
        u = units(k + 2, *rows)
        fitted = paired.fit(u)
        return carried(u, fitted, expected(u, fitted), np.r_[1.0, -1.0, np.zeros(k)])

    assert variance(20) == pytest.approx(variance(10) / 2, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("tau", [0.0, 0.02, 0.06])
@pytest.mark.parametrize("ties", ["half-win", "davidson"])
def test_the_interval_of_tau_covers(tau, ties):
    # 400 boards of 12 models, 300 votes a pair (noise of a pair about 0.025); 4 binomial standard
    # errors of 0.95 on 400 are 0.044
    held = []
    for seed in range(400):
        u = board(seed, m=12, votes=300, tau=tau, met=0.7)
        *_, got = found(u, ties)
        held.append(got.low <= tau <= got.high)
    share = float(np.mean(held))
    # at tau = 0 an interval misses from above only: 0.975
    assert abs(share - (0.975 if tau == 0 else 0.95)) < 0.044


@pytest.mark.slow
def test_tau_is_right_on_average_on_boards_of_few_votes():
    # 8 votes a pair on average, sd of a pair's noise 0.16, departures of 0.1: the mean of tau^2
    # over 200 boards is 0.01 within 4 standard errors and a tenth for the half-win tie shares
    squares = []
    for seed in range(200):
        u = board(seed, m=20, votes=8, tau=0.1, spread=0.2)
        *_, got = found(u)
        squares.append(got.tau**2)
    error = float(np.std(squares)) / math.sqrt(200)
    assert abs(float(np.mean(squares)) - 0.01) < 4 * error + 0.001
