import csv
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, studentized_range, t

from caveat.kernels.cluster_sums import cluster_variance
from caveat.kernels.rank_bounds import rank_bounds, unit_effects


def bounds(theta, covariance, *, level=0.95, units=10**6, degrees=math.inf, seed=0):
    return rank_bounds(
        np.array(theta, dtype=float),
        np.array(covariance, dtype=float),
        level=level,
        units=units,
        degrees=degrees,
        rng=np.random.default_rng(seed),
    )


def test_two_models_need_the_textbook_value():
    # one pair: the two-sided normal quantile for both together, the one-sided one for the best
    assert bounds([0, 0], np.eye(2)).critical == pytest.approx(norm.ppf(0.975), abs=0.04)
    error = math.sqrt(2)
    assert not bounds([1.80 * error, 0], np.eye(2)).best[1]
    assert bounds([1.80 * error, 0], np.eye(2)).low.tolist() == [1, 1]
    assert bounds([2.05 * error, 0], np.eye(2)).low.tolist() == [1, 2]


def test_equal_independent_errors_are_tukeys_range():
    exact = studentized_range.ppf(0.95, 10, np.inf) / math.sqrt(2)
    # 10,000 draws, density about 0.12 at that quantile: four errors are 0.07
    assert bounds(np.zeros(10), np.eye(10)).critical == pytest.approx(exact, abs=0.07)


def test_few_units_widen_as_students_t_does():
    got = bounds([0, 0], np.eye(2), degrees=5.0).critical
    assert got == pytest.approx(t.ppf(0.975, 5), abs=0.08)


def test_stepping_down_separates_more():
    # errors of differences are 1; four equal models need 2.57, and once the first three are known
    # apart the last pair, 2.5 apart, needs less
    got = bounds([10, 5, 0, -2.5], 0.5 * np.eye(4))
    assert got.critical > 2.51
    assert got.steps == 2
    assert got.low.tolist() == got.high.tolist() == [1, 2, 3, 4]


def test_equal_models_share_all_ranks_and_far_ones_have_one():
    alike = bounds(np.zeros(4), np.eye(4))
    assert (alike.low.tolist(), alike.high.tolist()) == ([1] * 4, [4] * 4)
    assert alike.best.all()
    assert alike.first.sum() == pytest.approx(1)
    apart = bounds([30, 20, 10], np.eye(3))
    assert apart.low.tolist() == apart.high.tolist() == apart.plain_low.tolist() == [1, 2, 3]
    assert apart.first.tolist() == [1, 0, 0]


def test_without_variation_the_sign_test_speaks():
    # always right against always wrong: 2^-3 separates nothing, 2^-40 does
    assert bounds([1, 0], np.zeros((2, 2)), units=3).low.tolist() == [1, 1]
    assert math.isnan(bounds([1, 0], np.zeros((2, 2)), units=3).critical)


def test_effects_of_units_are_the_errors_of_means():
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 2, (30, 3)).astype(float)
    plain = unit_effects(scores, None)
    assert plain.T @ plain == pytest.approx(np.cov(scores.T) / 30)
    starts = np.array([0, 4, 5, 15, 22])
    sizes = np.diff(np.r_[starts, 30]).astype(float)[:, None] * np.ones(3)
    sums = np.add.reduceat(scores - scores.mean(axis=0), starts, axis=0)
    clustered = unit_effects(scores, starts)
    expected = cluster_variance(sums**2, sizes).variance
    assert (clustered**2).sum(axis=0) == pytest.approx(expected)


def cases(folder):
    with (folder / "ranks" / "expected.csv").open() as file:
        return list(csv.DictReader(file))


CASES = {
    "independent": (
        [0.62, 0.60, 0.598, 0.55, 0.50, 0.31],
        np.diag(np.array([0.010, 0.012, 0.011, 0.015, 0.012, 0.020]) ** 2),
    ),
    "correlated": (
        [0.62, 0.60, 0.598, 0.55, 0.50, 0.31],
        np.outer(
            [0.010, 0.012, 0.011, 0.015, 0.012, 0.020], [0.010, 0.012, 0.011, 0.015, 0.012, 0.020]
        )
        * 0.6 ** np.abs(np.subtract.outer(np.arange(6), np.arange(6))),
    ),
    "step": ([10, 5, 0, -2.5], 0.5 * np.eye(4)),
    "ties": ([0.5, 0.5, 0.49, 0.44, 0.40], 0.014**2 * (0.4 + 0.6 * np.eye(5))),
}


@pytest.mark.parametrize("name", CASES)
def test_the_authors_package_finds_the_same(name, oracle):
    rows = [row for row in cases(oracle) if row["case"] == name]
    got = bounds(*CASES[name])
    for field in ("low", "high", "alone_low", "alone_high"):
        assert getattr(got, field).tolist() == [int(row[field]) for row in rows], field
    assert got.best.tolist() == [row["best_alone"] == "TRUE" for row in rows]
    for tau in (1, 2, 3):
        assert (got.low <= tau).tolist() == [row[f"tau{tau}"] == "TRUE" for row in rows]


@settings(max_examples=25)
@given(st.lists(st.floats(-4, 4), min_size=2, max_size=5), st.floats(0.1, 10), st.floats(-3, 3))
def test_scale_and_level_change_nothing(theta, scale, shift):
    m = len(theta)
    one = bounds(theta, np.eye(m))
    other = bounds([scale * x + shift for x in theta], scale**2 * np.eye(m))
    # a statistic within rounding of its limit may fall on either side
    assert np.abs(one.low - other.low).max() <= 1
    assert (one.low <= one.high).all()
    assert (one.low <= one.alone_low).all()
    assert (one.alone_high <= one.high).all()


def answers(rng, skill, n):
    """Right and wrong answers of models to items of shared difficulty."""
    difficulty = rng.normal(size=n)
    right = 1 / (1 + np.exp(-(skill[None, :] - difficulty[:, None])))
    return (rng.random((n, skill.size)) < right).astype(float)


def bootstrap_percentiles(rng, scores, draws=400):
    """Plain bootstrap of the items: percentiles of each model's rank."""
    n = scores.shape[0]
    means = rng.multinomial(n, np.full(n, 1 / n), size=draws) @ scores
    rank = 1 + (means[:, :, None] < means[:, None, :]).sum(axis=2)
    return np.quantile(rank, [0.025, 0.975], axis=0, method="inverted_cdf")


@pytest.mark.slow
@pytest.mark.parametrize("gap", [1e-6, 0.2, 5.0])
def test_joint_coverage_where_the_plain_bootstrap_fails(gap):
    """Twenty models, nearly level, near each other or far apart; their ranks are 1 to 20."""
    m, n, runs = 20, 400, 150
    rng = np.random.default_rng(11)
    skill, truth = np.linspace(0.5, -0.5, m) * gap, np.arange(1, m + 1)
    joint = best = each = together = drawn = 0.0
    for _ in range(runs):
        scores = answers(rng, skill, n)
        effect = unit_effects(scores, None)
        found = rank_bounds(
            scores.mean(axis=0),
            effect.T @ effect,
            level=0.95,
            units=n,
            degrees=n - 1.0,
            rng=rng,
        )
        joint += ((found.low <= truth) & (truth <= found.high)).all()
        best += found.best[0]
        low, high = bootstrap_percentiles(rng, scores)
        plain = (low <= truth) & (truth <= high)
        each += plain.mean()
        together += plain.all()
        drawn += ((found.plain_low <= truth) & (truth <= found.plain_high)).mean()
    error = 4 * math.sqrt(0.95 * 0.05 / runs)
    assert joint / runs > 0.95 - error
    assert best / runs > 0.95 - error
    # the plain bootstrap: about 80% for one rank and next to nothing for all, near ties
    expected = {1e-6: (0.80, 0.10), 0.2: (0.90, 0.30), 5.0: (1.0, 1.0)}[gap]
    assert each / runs == pytest.approx(expected[0], abs=0.04)
    assert together / runs <= expected[1]
    assert drawn / runs == pytest.approx(each / runs, abs=0.04)  # normal draws say the same


@pytest.mark.slow
def test_joint_coverage_with_clusters_of_items():
    """Ten models nearly level; passages of five items that each suit some models better."""
    m, clusters, each, runs = 10, 60, 5, 400
    rng = np.random.default_rng(3)
    skill, truth = np.linspace(0.5, -0.5, m) * 1e-6, np.arange(1, m + 1)
    starts = np.arange(0, clusters * each, each)
    clustered = plain = 0
    for _ in range(runs):
        suits = np.repeat(rng.normal(0, 1.5, (clusters, m)), each, axis=0)
        right = 1 / (1 + np.exp(-(skill[None, :] + suits)))
        scores = (rng.random(right.shape) < right).astype(float)
        for by, units in ((starts, clusters), (None, clusters * each)):
            effect = unit_effects(scores, by)
            found = bounds(
                scores.mean(axis=0), effect.T @ effect, units=units, degrees=units - 1.0, seed=rng
            )
            held = ((found.low <= truth) & (truth <= found.high)).all()
            clustered += held * (by is not None)
            plain += held * (by is None)
    assert clustered / runs > 0.95 - 4 * math.sqrt(0.95 * 0.05 / runs)
    assert plain / runs < clustered / runs - 0.05
