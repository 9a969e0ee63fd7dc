import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from caveat.kernels.loglinear_prior import orthonormal, refit, start
from caveat.kernels.rasch import quantiles, rasch
from caveat.kernels.two_parameter import two_parameter


def logistic(x):
    return 1.0 / (1.0 + np.exp(-x))


def simulated(rng, n, ability, *, sd=1.3, slope_sd=0.0, mean=0.0):
    """Scores of n items, their difficulties and their slopes."""
    difficulty = mean + sd * rng.normal(size=n)
    slope = 1.0 + slope_sd * rng.normal(size=n)
    chance = logistic(slope[:, None] * ability - difficulty[:, None])
    return (rng.random(chance.shape) < chance).astype(float), difficulty, slope


@pytest.fixture(name="expected", scope="module")
def _expected(oracle):
    found = {}
    for name in ("expected.csv", "girth.csv"):
        with (oracle / "rasch" / name).open() as file:
            found |= {row["name"]: float(row["value"]) for row in csv.DictReader(file)}
    return found


def read(oracle, name):
    return np.genfromtxt(oracle / "rasch" / name, delimiter=",", skip_header=1)


def series(expected, name, m=8):
    return np.array([expected[f"{name}_{k}"] for k in range(1, m + 1)])


class TestRasch:
    def test_two_models_by_hand(self):
        # 30 items only the first gets right, 10 only the second, 60 both, 50 neither. Two models
        # and a normal distribution reproduce any such table, so that the abilities differ by what
        # the items say on which they differ: log(30 / 10).
        score = np.repeat([[1, 0], [0, 1], [1, 1], [0, 0]], [30, 10, 60, 50], axis=0).astype(float)
        fit = rasch(score, moments=2, tolerance=1e-6)
        assert fit.ability[0] - fit.ability[1] == pytest.approx(np.log(3), abs=1e-4)
        assert fit.ability.sum() == pytest.approx(0, abs=1e-12)

    def test_as_many_right_as_wrong_is_as_difficult_as_the_models_are_able(self):
        # A table that is its own mirror image: difficulty of an item of half the answers is 0.
        half = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]]
        ends = [[1, 1, 1, 1], [0, 0, 0, 0]] * 4
        fit = rasch(np.array(half * 5 + ends, dtype=float), moments=2)
        assert fit.ability == pytest.approx(np.zeros(4), abs=1e-6)
        assert fit.difficulty[:6] == pytest.approx(np.zeros(6), abs=1e-6)
        assert fit.difficulty[-2] == pytest.approx(-fit.difficulty[-1], abs=1e-6)
        assert fit.low[:6] == pytest.approx(-fit.high[:6], abs=1e-6)

    def test_lme4_finds_the_same(self, oracle, expected):
        fit = rasch(read(oracle, "scores.csv"), moments=2, tolerance=1e-6, max_iterations=2000)
        # Tolerance: 25 nodes there, a grid here.
        assert fit.ability == pytest.approx(series(expected, "ability"), abs=2e-4)
        assert fit.loglik == pytest.approx(expected["loglik"], abs=2e-3)
        mean = fit.weight @ fit.node
        assert -mean == pytest.approx(expected["mean"], abs=1e-3)
        assert np.sqrt(fit.weight @ fit.node**2 - mean**2) == pytest.approx(
            expected["sd"], abs=2e-3
        )
        # Cross products of scores there against second derivatives here: 7% at 300 items.
        assert np.sqrt(np.diag(fit.covariance)) == pytest.approx(series(expected, "se"), rel=0.07)

    def test_conditional_likelihood_agrees_whatever_the_difficulties(self, oracle, expected):
        fit = rasch(read(oracle, "complete.csv"))
        # It assumes no distribution; the difference is what the distribution adds.
        assert fit.ability == pytest.approx(series(expected, "cml_ability"), abs=0.005)
        assert np.sqrt(np.diag(fit.covariance)) == pytest.approx(
            series(expected, "cml_se"), rel=0.06
        )

    def test_girth_is_near(self, oracle, expected):
        theirs = series(expected, "girth")
        fit = rasch(read(oracle, "complete.csv"), moments=2)
        # girth cuts its distribution at 4 and stops early: up to 0.02 from conditional likelihood.
        assert fit.ability == pytest.approx(theirs - theirs.mean(), abs=0.02)

    def test_a_model_right_everywhere_has_a_finite_ability_with_a_prior(self):
        rng = np.random.default_rng(3)
        score, _, _ = simulated(rng, 60, np.array([-0.5, 0.0, 0.5]))
        score[:, 2] = 1.0
        fit = rasch(score, moments=2, ability_sd=3.0)
        assert np.isfinite(fit.ability).all()
        assert fit.ability.argmax() == 2
        assert fit.covariance[2, 2] > 3 * fit.covariance[0, 0] / 2

    def test_clusters_of_copies_widen_the_errors(self):
        rng = np.random.default_rng(4)
        score, _, _ = simulated(rng, 150, np.linspace(-1, 1, 6))
        four = np.repeat(score, 4, axis=0)
        alone = rasch(score, moments=2)
        blind = rasch(four, moments=2)
        aware = rasch(four, moments=2, cluster=np.repeat(np.arange(150), 4))
        # Four copies of each item: a quarter of the variance, and all of it back with clusters.
        assert np.diag(blind.covariance) == pytest.approx(np.diag(alone.covariance) / 4, rel=0.02)
        assert np.diag(aware.covariance) == pytest.approx(np.diag(alone.covariance), rel=0.02)

    @settings(max_examples=15, deadline=None)
    @given(st.integers(0, 2**31))
    def test_order_of_items_and_models_plays_no_part(self, seed):
        rng = np.random.default_rng(seed)
        score, _, _ = simulated(rng, 80, np.linspace(-1, 1, 5))
        score[rng.random(score.shape) < 0.1] = np.nan
        items, models = rng.permutation(80), rng.permutation(5)
        fit, other = rasch(score, moments=2), rasch(score[items][:, models], moments=2)
        assert other.ability == pytest.approx(fit.ability[models], abs=1e-6)
        assert other.difficulty == pytest.approx(fit.difficulty[items], abs=1e-6)
        assert other.covariance == pytest.approx(fit.covariance[np.ix_(models, models)], abs=1e-6)

    @settings(max_examples=10, deadline=None)
    @given(st.integers(0, 2**31))
    def test_right_for_wrong_turns_all_signs(self, seed):
        score, _, _ = simulated(np.random.default_rng(seed), 80, np.linspace(-1, 1, 5))
        fit, other = (
            rasch(score, moments=2, tolerance=1e-7),
            rasch(1.0 - score, moments=2, tolerance=1e-7),
        )
        assert other.ability == pytest.approx(-fit.ability, abs=1e-4)
        assert other.difficulty == pytest.approx(-fit.difficulty, abs=1e-3)


class TestSlopes:
    def test_lme4_finds_the_same_spread(self, oracle, expected):
        score = read(oracle, "slopes.csv")
        one = rasch(score)
        two = two_parameter(score, one)
        scale = expected["slope_mean"]
        # There abilities are known and the integral is Laplace's; here they are estimated.
        assert two.slope_sd == pytest.approx(expected["slope_sd"] / scale, abs=0.03)
        assert two.loglik - one.loglik == pytest.approx(expected["slope_gain"], abs=8)
        assert two.slope[:10] == pytest.approx(series(expected, "slope", 10) / scale, abs=0.1)

    def test_without_unequal_slopes_nothing_is_gained(self):
        score, _, _ = simulated(np.random.default_rng(5), 1500, np.linspace(-1.5, 1.5, 20))
        one = rasch(score)
        two = two_parameter(score, one)
        assert 2 * (two.loglik - one.loglik) < 3 * np.log(1500)

    def test_an_item_that_weak_models_get_right_has_a_negative_slope(self):
        ability = np.linspace(-2, 2, 24)
        score, _, _ = simulated(np.random.default_rng(6), 400, ability, slope_sd=0.4)
        score[0] = ability < 0
        one = rasch(score)
        assert two_parameter(score, one).high[0] < 0

    def test_gaps_leave_the_slopes_of_complete_items_alone(self):
        ability = np.linspace(-1.5, 1.5, 20)
        score, _, _ = simulated(np.random.default_rng(7), 600, ability, slope_sd=0.5)
        holes = score.copy()
        holes[:30, :4] = np.nan
        full = two_parameter(score, rasch(score))
        gaps = two_parameter(holes, rasch(holes))
        assert gaps.slope[30:] == pytest.approx(full.slope[30:], abs=0.05)
        assert (gaps.sd[:30] > full.sd[:30] - 0.02).all()


class TestParts:
    def test_two_moments_of_a_normal_come_back(self):
        node = np.linspace(-8, 8, 81)
        prior = start(orthonormal(node[:, None] ** np.arange(1, 3)), np.ones(81))
        bell = np.exp(-((node - 0.7) ** 2) / (2 * 1.4**2))
        fitted = refit(prior, bell)
        assert fitted.weight == pytest.approx(bell / bell.sum(), abs=1e-9)

    def test_quantiles_of_equal_weights_by_hand(self):
        # Nodes 0..3, weight 1/4 each, spread over cells from -0.5 to 3.5: half of it lies between
        # 0.5 and 2.5, 1 from the mean 1.5. Variance 5/4, and 1/12 more for the spreading:
        # the ends are sqrt(15/16) from the mean.
        low, high = quantiles(np.full((1, 4), 0.25), np.arange(4.0), 0.5)
        assert (low[0], high[0]) == pytest.approx((1.5 - np.sqrt(15) / 4, 1.5 + np.sqrt(15) / 4))


@pytest.mark.slow
@pytest.mark.parametrize("m", [29, 200])
def test_intervals_of_difficulties_cover(m):
    """All items together; 4 binomial standard errors, as if items were independent."""
    rng = np.random.default_rng(20261201)
    ability = rng.normal(size=m)
    ability -= ability.mean()
    covered = total = 0
    for _ in range(5):
        score, difficulty, _ = simulated(rng, 1500, ability, sd=1.5, mean=0.4)
        fit = rasch(score, ability_sd=3.0)
        covered += int(((fit.low < difficulty) & (difficulty < fit.high)).sum())
        total += 1500
    assert abs(covered / total - 0.95) < 4 * np.sqrt(0.95 * 0.05 / total)


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 1000])
def test_intervals_of_abilities_cover(n):
    rng = np.random.default_rng(20261202)
    ability = np.linspace(-1.5, 1.5, 12)
    covered = total = 0
    for _ in range(60):
        score, _, _ = simulated(rng, n, ability)
        fit = rasch(score, ability_sd=3.0)
        half = 1.959964 * np.sqrt(np.diag(fit.covariance))
        covered += int((np.abs(fit.ability - ability) < half).sum())
        total += ability.size
    assert abs(covered / total - 0.95) < 4 * np.sqrt(0.95 * 0.05 / total)


@pytest.mark.slow
def test_intervals_of_slopes_cover_and_bic_keeps_to_one_slope():
    rng = np.random.default_rng(20261203)
    ability = rng.normal(size=29)
    ability -= ability.mean()
    covered = total = wrong = 0
    for _ in range(4):
        score, _, slope = simulated(rng, 1200, ability, slope_sd=0.5)
        one = rasch(score, ability_sd=3.0)
        two = two_parameter(score, one)
        assert 2 * (two.loglik - one.loglik) > 3 * np.log(1200)
        covered += int(((two.low < slope) & (slope < two.high)).sum())
        total += 1200
        score, _, _ = simulated(rng, 1200, ability)
        one = rasch(score, ability_sd=3.0)
        wrong += 2 * (two_parameter(score, one).loglik - one.loglik) > 3 * np.log(1200)
    assert wrong == 0
    assert abs(covered / total - 0.95) < 4 * np.sqrt(0.95 * 0.05 / total)
