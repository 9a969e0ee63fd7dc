import json
import math
import time

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from caveat.data.matrix import ResponseMatrix, response_matrix
from caveat.errors import InputError, TooFewError
from caveat.stats.comparison.paired import paired_tests


def of(evidence, **settings):
    return paired_tests(response_matrix(evidence, "bench"), **settings)


def matrix(scores, **columns):
    """A matrix of scores alone, models named a, b, ..."""
    n, m = scores.shape
    usual = {
        "benchmark": "bench",
        "models": tuple(f"m{k:04}" for k in range(m)),
        "items": tuple(str(k) for k in range(n)),
        "labels": (),
        "tasks": (),
        "answer": np.full((n, m), -2, dtype=np.int32),
        "score": scores,
        "status": np.zeros((n, m), dtype=np.int32),
        "task": None,
        "cluster": None,
        "n_options": np.full(n, np.nan),
        "has_answers": False,
        "repeated": 0,
    }
    return ResponseMatrix(**usual | columns)


def test_by_hand(grid):
    # of 40 items x has 30, y the first 20, z none
    found = of(grid("A" * 40, x="A" * 30 + "B" * 10, y="A" * 20 + "B" * 20, z="B" * 40))
    assert found.models == ("x", "y", "z")
    pair = found.pair("x", "y")
    assert (pair.score_a, pair.score_b, pair.difference) == (0.75, 0.5, 0.25)
    assert (pair.only_a, pair.only_b) == (10, 0)
    assert pair.p == pytest.approx(2 / 2**10)
    # Holm over p of 10, 20 and 30 items: the least likely first, times 3, 2, 1
    assert pair.p_holm == pytest.approx(2 / 2**10)
    assert found.pair("x", "z").p_holm == pytest.approx(3 * 2 / 2**30)
    assert pair.cohen_g == 0.5
    # differences: ten of 1, thirty of 0: standard deviation sqrt(0.1875 * 40 / 39)
    assert pair.dz == pytest.approx(0.25 / math.sqrt(0.1875 * 40 / 39))
    assert found.advantage.tolist() == pytest.approx([0.5, 0.125, -0.625])
    assert found.tier == (1, 2, 3)
    assert found.test == "exact McNemar"
    back = found.at(1, 0)
    assert (back.difference, back.low) == (-0.25, pytest.approx(-pair.high))


def test_adjusted_p_are_those_of_statsmodels():
    rng = np.random.default_rng(3)
    found = paired_tests(matrix((rng.random((120, 6)) < np.linspace(0.3, 0.7, 6)).astype(float)))
    upper = np.triu_indices(6, 1)
    for name, method in (("p_holm", "holm"), ("p_bh", "fdr_bh")):
        want = multipletests(found.p[upper], method=method)[1]
        assert getattr(found, name)[upper] == pytest.approx(want)
    assert found.n_tests == 15


def test_a_model_that_skipped_the_hard_items_does_not_lead(responses):
    rows = [
        {"item": i, "model": m, "score": float(i < right)}
        for m, right, asked in (("x", 70, 100), ("y", 68, 70))
        for i in range(asked)
    ]
    found = of(responses(rows))
    assert found.models == ("x", "y")  # y: 97 % of its own items, 68 of the 70 common ones
    assert found.pair("x", "y").difference == pytest.approx(2 / 70)


def test_models_that_cannot_be_told_apart_share_a_tier():
    rng = np.random.default_rng(8)
    base = rng.random((400, 1))
    scores = (base + 0.2 * rng.random((400, 4)) < [0.6, 0.61, 0.62, 1.0]).astype(float)
    found = paired_tests(matrix(scores))
    assert found.models[0] == "m0003"
    assert found.tier == (1, 2, 2, 2)
    assert found.first_tier() == ("m0003",)


def test_repeats_are_pooled_by_item(responses):
    rows = [
        {"item": i, "model": m, "repeat": r, "score": float((i + r * (m == "x")) % 2)}
        for m in "xy"
        for i in range(30)
        for r in range(2)
    ]
    found = of(responses(rows))
    pair = found.pair("x", "y")
    assert pair.n == 30
    assert found.test == "paired t"
    assert math.isnan(pair.only_a)
    # x has 1/2 on every item, y 0 or 1: differences of +-1/2 around 0
    assert pair.difference == 0
    assert pair.se == pytest.approx(stats.sem([0.5, -0.5] * 15))


def test_clusters_of_items(responses):
    rows = [
        {"item": i, "model": m, "cluster": i // 5, "score": float((i // 5) % 4 < right)}
        for m, right in (("x", 3), ("y", 2))
        for i in range(60)
    ]
    pair = of(responses(rows)).pair("x", "y")
    assert pair.n_clusters == 12
    # twelve clusters, three of them a difference of 1: variance 0.1875 * 12 / 11 of cluster means
    assert pair.se == pytest.approx(math.sqrt(0.1875 / 11))
    assert pair.se > pair.se_plain
    assert pair.df == pytest.approx(11)


@pytest.mark.parametrize("right", [0, 1])
def test_all_right_or_all_wrong(right):
    found = paired_tests(matrix(np.full((50, 3), float(right))))
    assert found.tier == (1, 1, 1)
    pair = found.at(0, 1)
    assert (pair.difference, pair.p, pair.p_holm) == (0, 1, 1)
    assert pair.low < 0 < pair.high
    assert math.isnan(pair.detectable)
    assert math.isnan(pair.needed)
    assert pair.reason == "equal scores: no number of items would tell them apart"


def test_one_item_supports_nothing():
    found = paired_tests(matrix(np.array([[1.0, 0.0]])))
    pair = found.at(0, 1)
    assert pair.difference == 1
    assert math.isnan(pair.p)
    assert math.isnan(pair.low)
    assert pair.reason == "one common item says nothing"
    assert found.tier == (1, 1)
    assert found.n_tests == 0


def test_nothing_in_common():
    with pytest.raises(TooFewError, match="items of bench that two models both have a score for"):
        paired_tests(matrix(np.array([[1.0, np.nan], [np.nan, 0.0]])))
    with pytest.raises(TooFewError, match="scored models of bench"):
        paired_tests(matrix(np.array([[1.0, np.nan], [1.0, np.nan]])))
    apart = matrix(np.array([[1.0, 0.0, np.nan], [1.0, 1.0, np.nan], [np.nan, np.nan, 1.0]]))
    found = paired_tests(apart)
    assert found.models[-1] == "m0002"
    assert found.tier[-1] is None
    assert found.pair("m0000", "m0002").reason == "no common item"


def test_scores_of_another_unit():
    rng = np.random.default_rng(4)
    scores = 20 + 5 * rng.normal(size=(60, 2)) + [3, 0]
    found = paired_tests(matrix(scores), margin=1.0)
    want = stats.ttest_rel(*scores.T)
    assert found.at(0, 1).p == pytest.approx(want.pvalue)
    assert found.at(0, 1).high > 1  # not cut


@pytest.mark.parametrize(
    ("setting", "value"), [("margin", 0), ("wanted", -1), ("power", 0.3), ("level", 1.0)]
)
def test_settings_out_of_range(setting, value):
    with pytest.raises(InputError, match=setting):
        paired_tests(matrix(np.eye(3)), **{setting: value})


def test_the_order_of_models_and_items_moves_nothing():
    rng = np.random.default_rng(6)
    scores = (rng.random((90, 5)) < [0.3, 0.6, 0.6, 0.61, 0.9]).astype(float)
    scores[rng.random(scores.shape) < 0.1] = np.nan
    one = paired_tests(matrix(scores))
    rows, columns = rng.permutation(90), rng.permutation(5)
    names = tuple(f"m{k:04}" for k in columns)
    other = paired_tests(matrix(scores[np.ix_(rows, columns)], models=names))
    assert other.models == one.models
    assert other.tier == one.tier
    assert other.p_holm == pytest.approx(one.p_holm, nan_ok=True)


def test_it_is_plain_data_without_nan():
    found = paired_tests(matrix(np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])))
    text = json.dumps(found.to_dict(), allow_nan=False)
    made = json.loads(text)["paired"]
    assert len(made["pairs"]) == 3
    assert [row["tier"] for row in made["tiers"]] == [1, 1, 1]


def test_models_left_out_of_clustering_have_no_tier(monkeypatch):
    from caveat.kernels import paired_scores

    monkeypatch.setattr(paired_scores, "CELLS", 1000)
    rng = np.random.default_rng(1)
    scores = (rng.random((60, 55)) < np.linspace(0.2, 0.9, 55)).astype(float)
    scores[rng.random(scores.shape) < 0.1] = np.nan
    found = paired_tests(matrix(scores, cluster=np.arange(60, dtype=np.int32) // 3))
    assert found.clustered_among == 50
    assert sum(tier is None for tier in found.tier) == 5
    left_out = found.tier.index(None)
    pair = found.at(0, left_out)
    assert pair.reason == "clustered errors are made among the best 50 models only"
    assert math.isfinite(pair.difference)


@pytest.mark.slow
def test_a_thousand_models():
    rng = np.random.default_rng(0)
    scores = (rng.random((12_032, 1000)) < np.linspace(0.2, 0.9, 1000)).astype(float)
    start = time.process_time()
    found = paired_tests(matrix(scores, cluster=np.arange(12_032, dtype=np.int32) // 4))
    assert time.process_time() - start < 12  # 5 s alone; the machine may be shared
    assert found.models[0] > "m0950"
    assert len(found.to_dict()["paired"]["pairs"]) == 200 * 199 // 2


@pytest.mark.slow
def test_equal_models_are_rarely_told_apart():
    # Holm bounds the chance that any of ten pairs of equal models is called different
    rng, reps, wrong = np.random.default_rng(20240615), 1_000, 0
    for _ in range(reps):
        difficulty = rng.random((200, 1))
        found = paired_tests(matrix((rng.random((200, 5)) < difficulty).astype(float)))
        wrong += max(found.tier) > 1
    assert wrong / reps < 0.05 + 4 * math.sqrt(0.05 * 0.95 / reps)


@pytest.mark.shared
def test_mmlu_pro(shared):
    from caveat.workflows.read import read

    source = read([shared / "items" / "mmlu_pro.parquet"], kind="responses")["responses"]
    made = response_matrix(source, "mmlu_pro")
    found = paired_tests(made)
    pair = found.pair("DeepSeek-Coder-V2", "Meta-Llama-3_1-70B-Instruct")
    # ahead on its own items (63.4 % against 62.6 %), behind on the 10,351 both have
    assert pair.n == 10_351
    assert pair.difference == pytest.approx(-0.00966, abs=1e-5)
    assert found.models[0] == "gemini-1.5-pro-002"
    assert found.first_tier() == ("gemini-1.5-pro-002",)
