"""Coverage of the excess, levels of the tests, and error rates of verdicts, by simulation."""

import numpy as np
import pytest

from caveat.data.matrix import ResponseMatrix
from caveat.kernels.kin_test import kin_test
from caveat.kernels.pair_excess import pair_excess
from caveat.kernels.replicate_noise import within_disagreement
from caveat.kernels.task_profile import task_profile
from caveat.kernels.variant_spread import order_test, variant_spread
from caveat.stats.comparison.floors import Floors
from caveat.stats.comparison.interchange import Limits, interchange

pytestmark = pytest.mark.slow
ONE = np.zeros(1, dtype=np.int64)


def gap(share, runs):
    """Four binomial standard errors."""
    return 4 * np.sqrt(share * (1 - share) / runs)


def answers(n, same, rng):
    """Two answers of each of two models to items with four options; `same` mixes their chances."""
    base = rng.dirichlet([0.5] * 4, size=n)
    other = same * base + (1 - same) * rng.dirichlet([0.5] * 4, size=n)
    drawn = [
        (p.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1) for p in (base, base, other, other)
    ]
    return np.stack(drawn, axis=1).astype(np.int32), ((base - other) ** 2).sum(axis=1).mean() / 2


def noise_of(drawn):
    return within_disagreement(drawn, np.array([0, 0, 1, 1]), n_owners=2)


@pytest.mark.parametrize("same", [1.0, 0.5, 0.0])
@pytest.mark.parametrize("n", [50, 200])
def test_the_interval_of_the_excess_covers(n, same):
    rng = np.random.default_rng(1)
    runs = 2_000
    truth = np.mean([answers(n, same, rng)[1] for _ in range(2_000)])
    covered = 0
    for _ in range(runs):
        drawn, _ = answers(n, same, rng)
        found = pair_excess(
            drawn[:, [0, 2]], noise_of(drawn), first=ONE, second=ONE + 1, cluster=None
        )
        low, high = found.excess.bounds(0.95)
        covered += low[0] <= truth <= high[0]
    assert abs(covered / runs - 0.95) < gap(0.95, runs)


@pytest.mark.parametrize("differ", ["alike", "uneven", "rare"])
def test_differences_alike_in_all_tasks_are_rarely_called_unlike(differ):
    rng = np.random.default_rng(2)
    runs, sizes = 4_000, np.array([4, 6, 8, 10, 15, 20, 30, 40, 60, 80])
    task = np.repeat(np.arange(10), sizes)
    moved = {
        "alike": np.full(10, 0.4),
        "uneven": np.linspace(0.1, 0.7, 10),
        "rare": np.full(10, 0.06),
    }[differ][task][:, None]
    drift = 0.0 if differ == "rare" else 0.05
    u = rng.random((task.size, runs))
    values = np.where(u < (moved + drift) / 2, 1.0, np.where(u < moved, -1.0, 0.0))
    found = task_profile(values, task, n_tasks=10)
    # at most the level: where few items differ the test is conservative
    assert (found.p < 0.05).mean() < 0.05 + gap(0.05, runs)
    if differ != "rare":
        assert (found.p < 0.05).mean() > 0.05 - gap(0.05, runs)


def test_bounds_of_the_spread_over_tasks_cover():
    rng = np.random.default_rng(3)
    runs, sizes = 2_000, np.array([30, 50, 80, 120, 200])
    task = np.repeat(np.arange(5), sizes)
    drift = np.array([-0.25, 0.2, -0.1, 0.15, 0.0])
    drift -= (drift * sizes).sum() / sizes.sum()
    tau = np.sqrt((sizes * drift**2).sum() / sizes.sum())
    up, down = (0.5 + drift[task]) / 2, (0.5 - drift[task]) / 2
    u = rng.random((task.size, runs))
    values = np.where(u < up[:, None], 1.0, np.where(u < (up + down)[:, None], -1.0, 0.0))
    found = task_profile(values, task, n_tasks=5)
    assert (found.spread_bound(0.05) >= tau).mean() > 0.95 - gap(0.95, runs)
    assert (found.spread_bound(0.95) <= tau).mean() > 0.95 - gap(0.95, runs)


def verdicts(n, same, limits, *, runs, seed):
    rng = np.random.default_rng(seed)
    said = []
    for _ in range(runs):
        drawn, _ = answers(n, same, rng)
        first = drawn[:, [0, 2]]
        matrix = ResponseMatrix(
            benchmark="bench",
            models=("x", "y"),
            items=tuple(map(str, range(n))),
            labels=tuple("ABCD"),
            tasks=tuple("stuvw"),
            answer=first,
            score=(first == 0).astype(float),
            status=np.zeros(first.shape, np.int32),
            task=(np.arange(n) % 5).astype(np.int32),
            cluster=None,
            n_options=np.full(n, 4.0),
            has_answers=True,
            repeated=0,
        )
        floors = Floors(
            source="repeat",
            variants=(),
            own=noise_of(drawn),
            column=np.arange(2),
            group=np.arange(2),
            replicates=np.array([2, 2]),
        )
        said.append(interchange(matrix, [floors], limits=limits).pairs[0].verdict)
    return np.array(said)


@pytest.mark.parametrize("n", [100, 400, 2_000])
def test_identical_noisy_models_are_rarely_called_different(n):
    """With hardly any limit, so that the level is all that protects."""
    limits = Limits(score=0.0005, excess=0.0005, tasks=0.0005)
    said = verdicts(n, 1.0, limits, runs=1_000, seed=4)
    assert (said == "different").mean() < 0.05 + gap(0.05, 1_000)


def test_identical_noisy_models_are_found_interchangeable_with_enough_items():
    limits = Limits(score=0.02)
    few = verdicts(400, 1.0, limits, runs=300, seed=5)
    many = verdicts(8_000, 1.0, limits, runs=200, seed=6)
    assert (few == "interchangeable").mean() < 0.02
    assert (many == "interchangeable").mean() > 0.9
    assert (many == "different").mean() < 0.01


def test_models_that_differ_beyond_noise_are_called_different():
    said = verdicts(2_000, 0.3, Limits(score=0.02), runs=200, seed=7)
    assert (said == "different").mean() > 0.99


@pytest.mark.parametrize("m", [12, 24])
@pytest.mark.parametrize("kin_score_alike", [True, False], ids=["near", "far"])
def test_families_by_lot_are_rarely_called_more_alike(m, kin_score_alike):
    """Likeness depends on scores, and relatives may have like scores."""
    rng = np.random.default_rng(8)
    runs, found = 1_000, 0
    for _ in range(runs):
        score = rng.uniform(0.3, 0.9, m)
        score = np.sort(score) if kin_score_alike else score
        noise = rng.normal(size=(m, m))
        own = rng.normal(size=m)
        like = 0.3 * (score[:, None] + score) / 2 - 0.5 * np.abs(score[:, None] - score)
        like += 0.03 * (noise + noise.T + own[:, None] + own)
        family = np.repeat(np.arange(m // 3), 3)
        found += kin_test(like, score, family, shuffles=499, rng=rng).p <= 0.05
    assert found / runs < 0.05 + gap(0.05, runs)


@pytest.mark.parametrize(("m", "v", "n"), [(3, 2, 60), (10, 4, 200), (25, 2, 200)])
def test_variants_that_do_nothing_are_rarely_called_different(m, v, n):
    rng = np.random.default_rng(9)
    runs = 600
    found = []
    for _ in range(runs):
        logit = rng.normal(size=(n, 1, 1)) + rng.normal(size=(1, m, 1))
        values = (rng.random((n, m, v)) < 1 / (1 + np.exp(-logit))).astype(float)
        spread = variant_spread(values, cluster=None)
        test = order_test(spread, draws=199, rng=rng)
        found.append((test.p, spread.common, spread.own, test.concordance - test.expected))
    p, common, own, tau = np.array(found).T
    assert (p <= 0.05).mean() < 0.05 + gap(0.05, runs)
    for value in (common, own):  # unbiased: four standard errors of the mean
        assert abs(value.mean()) < 4 * value.std() / np.sqrt(runs)
    # what chance leaves of the agreement of orders is what there is, to a point or so of tau:
    # draws are centred at estimated scores, which lie further apart than the true ones
    assert abs(tau.mean()) < 0.02 + 4 * tau.std() / np.sqrt(runs)
