import math

import pytest
from scipy import stats

from caveat.data.matrix import response_matrix
from caveat.stats.scores.accuracy import scores


def score(evidence, **options):
    return scores(response_matrix(evidence, "bench"), **options)


def by_model(found):
    return {m.model: m for m in found.models}


def test_by_hand(grid):
    found = score(grid("AAAA", x="AAAB", y="ABBB"))
    assert [m.model for m in found.models] == ["x", "y"]
    x = found.models[0].overall
    assert x.score == 0.75
    # variance 0.25, error sqrt(0.25 / 4) = 0.25; one wrong answer: exact interval
    assert x.se == pytest.approx(0.25)
    exact = stats.binomtest(3, 4).proportion_ci(0.95)
    assert (x.low, x.high) == pytest.approx((exact.low, exact.high))
    assert (x.n, x.n_clusters, x.method) == (4, 4, "exact")


def test_many_answers_by_hand(grid):
    x = score(grid("A" * 40, x="A" * 30 + "B" * 10, y="B" * 40)).models[0].overall
    # variance 0.75 * 0.25 * 40 / 39, t with 39 degrees of freedom
    assert x.se == pytest.approx(math.sqrt(0.1875 * 40 / 39 / 40))
    assert x.high - x.score == pytest.approx(stats.t.ppf(0.975, 39) * x.se)
    assert (x.n, x.method) == (40, "t")


def test_unparsed_counts_as_the_source_scored_it_and_missing_not_at_all(grid):
    found = by_model(score(grid("AAAA", x="AA. ", y="AAAA")))
    assert found["x"].n == 3
    assert found["x"].overall.score == pytest.approx(2 / 3)
    assert (found["x"].unparsed, found["x"].missing) == (1, 1)


def test_all_right_is_not_certain(grid):
    overall = score(grid("AAA", x="AAA", y="AAB")).models[0].overall
    assert overall.score == 1
    assert overall.method == "exact"
    assert math.isnan(overall.se)
    assert overall.low == pytest.approx(0.025 ** (1 / 3))
    assert "no standard error" in overall.reason


def test_repeats_are_averaged_before_anything_else(responses):
    # item 0 right twice of two, item 1 right once of two, item 2 never: means 1, 1/2, 0
    rows = [
        {"item": i, "model": "x", "repeat": r, "prediction": "A", "score": s}
        for i, both in enumerate([(1, 1), (1, 0), (0, 0)])
        for r, s in enumerate(both)
    ]
    overall = score(responses(rows)).models[0].overall
    assert overall.n == 3
    assert overall.score == 0.5
    assert overall.se == pytest.approx(math.sqrt(0.25 / 3))


def test_clusters_widen_the_interval(responses):
    rows = [
        {"item": i, "model": "x", "score": float(i // 5 % 2), "cluster": i // 5} for i in range(40)
    ]
    plain = [{k: v for k, v in row.items() if k != "cluster"} for row in rows]
    clustered, alone = (score(responses(r)).models[0].overall for r in (rows, plain))
    assert clustered.method == "clustered"
    assert clustered.n_clusters == 8
    # 8 cluster means of 0 or 1: variance 2/7, error sqrt(2/7 / 8)
    assert clustered.se == pytest.approx(math.sqrt(2 / 7 / 8))
    assert alone.se < clustered.se


def test_an_item_without_cluster_is_its_own(responses):
    rows = [
        {"item": i, "model": "x", "score": float(i % 2), "cluster": "g" if i < 2 else None}
        for i in range(6)
    ]
    assert score(responses(rows)).models[0].overall.n_clusters == 5


def test_tasks_add_up_to_the_whole(responses):
    rows = [
        {"item": i, "model": m, "task": "even" if i % 2 == 0 else "odd", "score": float(i < k)}
        for m, k in (("x", 5), ("y", 3))
        for i in range(8)
    ]
    for m in score(responses(rows)).models:
        assert sum(t.n for t in m.tasks.values()) == m.n
        assert sum(t.n * t.score for t in m.tasks.values()) == pytest.approx(m.n * m.overall.score)


def test_an_unscored_model_is_last_and_undefined(responses):
    rows = [{"item": i, "model": "x", "score": 1.0} for i in range(3)]
    rows += [{"item": i, "model": "a", "score": None, "status": "error"} for i in range(3)]
    rows = [{"status": "scored", **row} for row in rows]
    last = score(responses(rows)).models[-1]
    assert last.model == "a"
    assert last.errors == 3
    assert math.isnan(last.overall.score)
    assert last.overall.reason == "no scored item"


def test_one_item_has_a_score_and_no_error(grid):
    overall = score(grid("A", x="B", y="A")).models[0].overall
    assert (overall.score, overall.n) == (1.0, 1)
    assert math.isnan(overall.se)
    assert overall.low == pytest.approx(0.025)


def test_single_clusters_are_independent_items(responses):
    rows = [{"item": i, "model": "x", "score": float(i % 2), "cluster": i} for i in range(40)]
    overall = score(responses(rows)).models[0].overall
    assert (overall.method, overall.n_clusters) == ("t", 40)


def skipping(responses):
    """Model y skips the hard task: better on its own items, equal to x on the common ones."""
    rows = []
    for model, tasks in (("x", "easy hard"), ("y", "easy"), ("z", "easy hard")):
        for task in tasks.split():
            n = 30 if task == "easy" else 20
            wrong = {"x": 5, "y": 6, "z": 9}[model] if task == "easy" else 15
            rows += [
                {"item": f"{task}{i}", "model": model, "task": task, "score": float(i >= wrong)}
                for i in range(n)
            ]
    return score(responses(rows))


def test_a_model_that_skipped_the_hard_task_is_not_better_on_common_items(responses):
    found = skipping(responses)
    assert [m.model for m in found.models] == ["y", "x", "z"]
    assert found.common.n == 30
    assert not found.common.left_out
    # on the 30 easy items: x 25 right, y 24, z 21
    assert [m.common.score for m in found.models] == pytest.approx([24 / 30, 25 / 30, 21 / 30])
    assert found.common_differs


def test_macro_counts_tasks_alike(responses):
    found = by_model(skipping(responses))
    assert found["x"].macro.score == pytest.approx((25 / 30 + 5 / 20) / 2)
    assert math.isnan(found["y"].macro.score)
    assert "1 of the tasks" in found["y"].macro.reason


def test_readings_of_a_full_grid_are_one(grid):
    found = score(grid("AAAA", x="AAAB", y="ABBB"))
    assert found.common.all_items
    assert found.models[0].common == found.models[0].overall
    assert found.models[0].macro is None
    assert not found.common_differs
    assert not found.macro_differs


def test_no_common_items(responses):
    rows = [{"item": f"{m}{i}", "model": m, "score": i % 2} for m in "xy" for i in range(3)]
    found = score(responses(rows))
    assert found.common.n == 0
    assert [m.common for m in found.models] == [None, None]


def test_one_model_has_no_common_items(grid):
    assert score(grid("AAAA", x="AAAB")).common is None
